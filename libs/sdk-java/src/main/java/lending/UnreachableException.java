package lending;

import java.util.Optional;

/** The service did not answer: no connection, no response in time, or a response of something else. */
public final class UnreachableException extends LendingException {
  private static final long serialVersionUID = 1;
  private final Long retryAfter;
  private final boolean isTemporary;

  UnreachableException(String request, String reason, Throwable cause, boolean outcomeUnknown) {
    this(request, reason, cause, outcomeUnknown, null, true);
  }

  /** {@code retryAfter} is null where none is stated. */
  UnreachableException(
      String request, String reason, Throwable cause, boolean outcomeUnknown, Long retryAfter, boolean isTemporary) {
    super(request + ": no answer of the service: " + reason, cause, outcomeUnknown);
    this.retryAfter = retryAfter;
    this.isTemporary = isTemporary;
  }

  @Override
  public Optional<Long> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** False where another server than the service refused: a repeat would be refused as well. */
  public boolean isTemporary() {
    return isTemporary;
  }

  @Override
  boolean isRetryable() {
    return isTemporary;
  }
}
