package lending.events;

/** The record belongs to another partition: the topic was not copied partition by partition. */
public final class OutOfPlaceException extends RuntimeException {
  private static final long serialVersionUID = 1;

  OutOfPlaceException(int partition, NumberedRecord record) {
    super("partition " + partition + " of the topic holds event " + record.sequence() + " of partition " + record.partition());
  }
}
