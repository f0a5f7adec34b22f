package lending;

import java.util.Map;
import java.util.Optional;
import lending.contract.Remedies;
import lending.contract.Shapes;

/** The service refused. Branch on {@link #code()}. */
public final class RefusalException extends LendingException {
  private static final long serialVersionUID = 1;
  private final int status;
  private final transient Shapes.Refusal refusal;

  RefusalException(String request, int status, Shapes.Refusal refusal, boolean outcomeUnknown) {
    super(message(request, status, refusal), null, outcomeUnknown);
    this.status = status;
    this.refusal = refusal;
  }

  public int status() {
    return status;
  }

  /** One of {@link lending.contract.RefusalCodes}. A later version of the service may send others. */
  public String code() {
    return refusal.code();
  }

  /** What the caller does about this code, in a sentence; empty for a code of a later version. */
  public Optional<String> remedy() {
    return Optional.ofNullable(Remedies.BY_CODE.get(code()));
  }

  /** {@code as_is}, {@code after_record}, {@code after_change} or {@code never}: what may succeed next. */
  public String retry() {
    return refusal.retry();
  }

  @Override
  public Optional<Long> retryAfter() {
    return refusal.retryAfter();
  }

  public Shapes.RefusalDetails details() {
    return refusal.details().orElseGet(() -> new Shapes.RefusalDetails(Map.of()));
  }

  /** The service's identifier of the request. */
  public String requestId() {
    return (String) refusal.members().getOrDefault("request_id", "");
  }

  @Override
  boolean isRetryable() {
    return retry().equals("as_is");
  }

  /** False where the body is not a refusal of the service, such as a page of a proxy. */
  static boolean isRefusal(Object body) {
    return body instanceof Map<?, ?> members
        && members.get("code") instanceof String
        && members.get("retry") instanceof String;
  }

  private static String message(String request, int status, Shapes.Refusal refusal) {
    String sentence = String.valueOf(refusal.members().getOrDefault("error", ""));
    String details = refusal.details().map(each -> " " + each.toJson()).orElse("");
    return request + ": " + status + " " + refusal.code() + ": " + sentence + details;
  }
}
