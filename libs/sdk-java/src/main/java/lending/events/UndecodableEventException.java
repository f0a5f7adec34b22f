package lending.events;

/** A record cannot be decoded, whenever it is read. A {@link SchemaSource} throws it where there is no such schema. */
public final class UndecodableEventException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UndecodableEventException(String message) {
    super(message);
  }

  public UndecodableEventException(String message, Throwable cause) {
    super(message, cause);
  }
}
