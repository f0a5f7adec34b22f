package lending;

/** The stream was closed, by this thread or another, and has no further events. */
public final class StreamClosedException extends LendingException {
  private static final long serialVersionUID = 1;

  StreamClosedException(String request, Throwable cause) {
    super(request + ": the stream was closed", cause, false);
  }

  @Override
  boolean isRetryable() {
    return false;
  }
}
