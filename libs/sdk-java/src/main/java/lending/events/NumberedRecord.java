package lending.events;

/** Facts and movements are numbered alike: from 1 without gaps in each partition. */
public interface NumberedRecord {
  int partition();

  long sequence();
}
