package lending.events;

/** Records are missing: a consumer that continued would keep other books than the lender. */
public final class EventsMissingException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final int partition;
  private final long due;
  private final long found;

  EventsMissingException(int partition, long due, long found) {
    super("partition " + partition + " of the topic holds record " + found + ", expected " + due + ": records are missing, so do not "
        + "continue; ask the operator of the service to run `lending topic check`");
    this.partition = partition;
    this.due = due;
    this.found = found;
  }

  public int partition() {
    return partition;
  }

  public long due() {
    return due;
  }

  public long found() {
    return found;
  }
}
