package lending;

/** The thread was interrupted while it waited. Its interrupted status is set again. */
public final class RequestInterruptedException extends LendingException {
  private static final long serialVersionUID = 1;

  RequestInterruptedException(String request, InterruptedException cause, boolean outcomeUnknown) {
    super(request + ": interrupted", cause, outcomeUnknown);
    Thread.currentThread().interrupt();
  }

  @Override
  boolean isRetryable() {
    return false;
  }
}
