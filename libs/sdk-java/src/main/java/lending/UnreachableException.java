package lending;

/** The service did not answer: no connection, no response in time, or a response of a proxy. */
public final class UnreachableException extends LendingException {
  private static final long serialVersionUID = 1;
  private final long retryAfterSeconds;

  UnreachableException(String request, String reason, Throwable cause, boolean outcomeUnknown, long retryAfterSeconds) {
    super(request + ": no answer of the service: " + reason, cause, outcomeUnknown);
    this.retryAfterSeconds = retryAfterSeconds;
  }

  @Override
  long retryAfterSeconds() {
    return retryAfterSeconds;
  }

  @Override
  boolean isRetryable() {
    return true;
  }
}
