package lending.events;

/** A record of the topic cannot be decoded. */
public final class UndecodableEventException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UndecodableEventException(String message, Throwable cause) {
    super(message, cause);
  }
}
