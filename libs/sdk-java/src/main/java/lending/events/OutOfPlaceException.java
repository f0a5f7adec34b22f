package lending.events;

/** The record belongs to another partition: the topic is a copy that was not made partition by partition. */
public final class OutOfPlaceException extends RuntimeException {
  private static final long serialVersionUID = 1;

  OutOfPlaceException(int partition, NumberedRecord record) {
    super("partition " + partition + " of the topic holds record " + record.sequence() + " of partition " + record.partition()
        + ": read the topic of the service, or a copy that keeps the partitions");
  }
}
