package lending.events;

import java.util.ArrayList;
import java.util.List;

/**
 * The position of a consumer in a partition: the last processed record, and the next record of the topic. The caller stores it
 * in one transaction with the effects of the records.
 */
public record Position(long sequence, long offset) {
  public static final Position START = new Position(0, 0);

  record Received<R>(long offset, R record) {}

  record Selected<R>(List<R> records, Position position) {}

  /** The records that were not processed yet. Repeated records are dropped, a gap is an error. */
  <R extends NumberedRecord> Selected<R> select(int partition, List<Received<R>> received) {
    List<R> records = new ArrayList<>();
    long last = sequence;
    long next = offset;
    for (Received<R> each : received) {
      R record = each.record();
      if (record.partition() != partition) throw new OutOfPlaceException(partition, record);
      if (record.sequence() > last + 1) throw new EventsMissingException(partition, last + 1, record.sequence());
      if (record.sequence() == last + 1) {
        records.add(record);
        last = record.sequence();
      }
      next = each.offset() + 1;
    }
    return new Selected<>(records, new Position(last, next));
  }
}
