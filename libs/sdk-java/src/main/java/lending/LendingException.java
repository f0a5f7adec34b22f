package lending;

import java.util.Optional;

/** A request failed. */
public abstract class LendingException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final boolean outcomeUnknown;

  LendingException(String message, Throwable cause, boolean outcomeUnknown) {
    super(message, cause);
    this.outcomeUnknown = outcomeUnknown;
  }

  /** Whether a failed write may be recorded all the same. Sent again unchanged, its reference gives the recorded answer. */
  public final boolean outcomeUnknown() {
    return outcomeUnknown;
  }

  /** Whether the same request may succeed without a change. */
  abstract boolean isRetryable();

  /** Seconds, where the service or a proxy states them. */
  public Optional<Long> retryAfter() {
    return Optional.empty();
  }
}
