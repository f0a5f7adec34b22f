package lending.events;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Consumes {@code lending.book-events} or {@code lending.movements}: every record once, in the order of its book, from the
 * position in the caller's store. Offsets committed to Kafka are not used: after a crash they would not match the effects of the
 * records. Needs the client of Kafka and Avro, {@code org.apache.kafka:kafka-clients} and {@code org.apache.avro:avro}.
 */
public final class TopicConsumer<R extends NumberedRecord> {
  private static final Duration POLL = Duration.ofMillis(200);
  /** After this time without records Kafka is asked for the topic. */
  private static final Duration MAX_SILENCE = Duration.ofSeconds(10);
  private static final long MIN_PAUSE_MS = 50;
  private static final long MAX_PAUSE_MS = 5_000;

  private final String defaultTopic;
  private final Function<SchemaSource, RecordDecoder<R>> decoderOf;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private Map<String, Object> kafka = Map.of();
  private String groupId;
  private SchemaSource registry;
  private PositionsOf positionsOf;
  private Take<R> take;
  private String topic;
  private int recordsAtOnce = 500;
  private Duration session = Duration.ofSeconds(10);
  private Consumer<Exception> onTrouble = TopicConsumer::logTrouble;

  /** The stored positions; a partition without one is read from its beginning. */
  @FunctionalInterface
  public interface PositionsOf {
    Map<Integer, Position> of(Set<Integer> partitions) throws Exception;
  }

  /**
   * Processes a batch. Where it throws, the positions are read again and the batch is repeated. One that takes longer than
   * {@code max.poll.interval.ms} of the configuration loses its partitions to other consumers of the group.
   */
  @FunctionalInterface
  public interface Take<R> {
    void take(Batch<R> batch) throws Exception;
  }

  private TopicConsumer(String topic, Function<SchemaSource, RecordDecoder<R>> decoderOf) {
    this.defaultTopic = topic;
    this.decoderOf = decoderOf;
  }

  /** Every fact. */
  public static TopicConsumer<BookEvent> ofBookEvents() {
    return new TopicConsumer<>("lending.book-events", RecordDecoder::ofBookEvents);
  }

  /** What each fact changed in the journal of its book. */
  public static TopicConsumer<Movement> ofMovements() {
    return new TopicConsumer<>("lending.movements", RecordDecoder::ofMovements);
  }

  /** The configuration of the client of Kafka, such as {@code Map.of("bootstrap.servers", "broker:9092")}. */
  public TopicConsumer<R> kafka(Map<String, ?> value) {
    kafka = Map.copyOf(value);
    return this;
  }

  public TopicConsumer<R> groupId(String value) {
    groupId = value;
    return this;
  }

  /** A {@link RegistryAddress}, or another source of schemas. */
  public TopicConsumer<R> registry(SchemaSource value) {
    registry = value;
    return this;
  }

  public TopicConsumer<R> positionsOf(PositionsOf value) {
    positionsOf = value;
    return this;
  }

  public TopicConsumer<R> take(Take<R> value) {
    take = value;
    return this;
  }

  /** Where the topic has another name. */
  public TopicConsumer<R> topic(String value) {
    topic = value;
    return this;
  }

  public TopicConsumer<R> recordsAtOnce(int value) {
    recordsAtOnce = value;
    return this;
  }

  /** How long a consumer that died keeps its partitions. */
  public TopicConsumer<R> session(Duration value) {
    session = value;
    return this;
  }

  /** Called with each error that is retried. Without it they are warnings of the {@code System.Logger} {@code lending}. */
  public TopicConsumer<R> onTrouble(Consumer<Exception> value) {
    onTrouble = value;
    return this;
  }

  /** Ends {@link #run} after the current batch; from any thread. */
  public void stop() {
    stopped.countDown();
  }

  /**
   * Returns after {@link #stop}, or where its thread is interrupted. Ends with an exception where records have a gap, belong to another
   * partition or cannot be decoded, and where Kafka refuses the credentials, the rights or the configuration. An unreachable Kafka,
   * an absent topic and every failure of {@code positionsOf}, of {@code take} or of the registry are reported to {@code onTrouble}
   * and retried without a limit, after pauses that grow from 50 milliseconds to 5 seconds.
   */
  public void run() {
    run(new KafkaConsumer<>(configuration()));
  }

  /** Closes the consumer. */
  void run(org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer) {
    try (consumer) {
      new Consumption(consumer).run();
    } catch (InterruptException ended) {
      // The driver has set the flag of the thread again.
    }
  }

  private Map<String, Object> configuration() {
    Map<String, Object> all = new HashMap<>();
    // The driver's default is a minute: an unreachable Kafka would be reported late, and stop() wait as long.
    all.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
    all.putAll(kafka);
    all.put(ConsumerConfig.GROUP_ID_CONFIG, required("groupId", groupId));
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    all.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, Math.toIntExact(session.toMillis()));
    all.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, Math.toIntExact(session.toMillis() / 4));
    all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, recordsAtOnce);
    all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return all;
  }

  private static <T> T required(String name, T value) {
    if (value == null) throw new IllegalArgumentException(name + " is missing; set it before run()");
    return value;
  }

  private static void logTrouble(Exception cause) {
    System.Logger logger = System.getLogger("lending");
    String text = "the consumer failed and tries again: " + cause;
    // The trace of an error of the driver says nothing; that of the caller's store says where it failed.
    if (cause instanceof KafkaException) logger.log(System.Logger.Level.WARNING, text);
    else logger.log(System.Logger.Level.WARNING, text, cause);
  }

  /** One run. The listener is called by the driver within poll, so all of it is in one thread. */
  private final class Consumption implements ConsumerRebalanceListener {
    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final RecordDecoder<R> decoder = decoderOf.apply(required("registry", registry));
    private final PositionsOf stored = required("positionsOf", positionsOf);
    private final Take<R> process = required("take", take);
    private final String name = topic == null ? defaultTopic : topic;
    private List<TopicPartition> assigned = List.of();
    /** Null where they must be read from the store: after an assignment, and after a failure. */
    private Map<Integer, Position> positions;
    /** When Kafka last answered, by System.nanoTime(); null before. */
    private Long answeredAt;

    Consumption(org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer) {
      this.consumer = consumer;
    }

    void run() {
      long pauseMs = MIN_PAUSE_MS;
      while (stopped.getCount() > 0) {
        try {
          if (consumeOnce()) pauseMs = MIN_PAUSE_MS;
        } catch (Exception cause) {
          if (cause instanceof InterruptedException interrupted) throw new InterruptException(interrupted);
          if (isFinal(cause)) throw (RuntimeException) cause;
          // Only the store knows whether a failed batch was committed, here or by another consumer.
          positions = null;
          onTrouble.accept(cause);
          pause(pauseMs);
          pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
        }
      }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> added) {
      assigned = List.copyOf(consumer.assignment());
      positions = null;
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> removed) {
      assigned = List.of();
      positions = null;
    }

    /** Whether anything was processed. */
    private boolean consumeOnce() throws Exception {
      requireTopic();
      if (positions == null && !assigned.isEmpty()) startPartitions();
      ConsumerRecords<byte[], byte[]> found = consumer.poll(POLL);
      if (!found.isEmpty()) answeredAt = System.nanoTime();
      // Records from before a rebalance are fetched again from the stored positions.
      if (positions == null) return false;
      for (TopicPartition partition : found.partitions()) {
        process(partition.partition(), found.records(partition));
      }
      return !found.isEmpty();
    }

    /** Where Kafka cannot be reached or has no such topic, a poll throws nothing: it returns no records. */
    private void requireTopic() {
      if (answeredAt != null && System.nanoTime() - answeredAt < MAX_SILENCE.toNanos()) return;
      if (consumer.partitionsFor(name).isEmpty()) throw new UnknownTopicOrPartitionException("Kafka has no topic " + name);
      // The group is joined once the topic is there.
      if (answeredAt == null) consumer.subscribe(List.of(name), this);
      answeredAt = System.nanoTime();
    }

    private void startPartitions() throws Exception {
      Map<TopicPartition, Long> low = consumer.beginningOffsets(assigned);
      Map<TopicPartition, Long> high = consumer.endOffsets(assigned);
      Map<Integer, TopicPartition> named = new HashMap<>();
      for (TopicPartition each : assigned) named.put(each.partition(), each);
      Map<Integer, Position> known = stored.of(Set.copyOf(named.keySet()));
      Map<Integer, Position> start = new HashMap<>();
      named.forEach((partition, each) -> {
        Position at = known.getOrDefault(partition, Position.START);
        // A recreated topic has other offsets: it is read from its beginning, repeats are dropped by their sequence.
        boolean isWithin = at.offset() >= low.get(each) && at.offset() <= high.get(each);
        Position begin = isWithin ? at : new Position(at.sequence(), low.get(each));
        consumer.seek(each, begin.offset());
        start.put(partition, begin);
      });
      positions = start;
    }

    private void process(int partition, List<ConsumerRecord<byte[], byte[]>> found) throws Exception {
      List<Position.Received<R>> received = new ArrayList<>();
      for (ConsumerRecord<byte[], byte[]> each : found) received.add(receive(each));
      Position before = positions.get(partition);
      Position.Selected<R> selected = before.select(partition, received);
      if (!selected.records().isEmpty()) {
        process.take(new Batch<>(partition, selected.records(), before, selected.position()));
      }
      positions.put(partition, selected.position());
    }

    private Position.Received<R> receive(ConsumerRecord<byte[], byte[]> each) throws IOException {
      return new Position.Received<>(each.offset(), decoder.decode(each.value()));
    }

    /** The other failures may pass: of Kafka, of the caller's store and of the schema registry. */
    private static boolean isFinal(Exception cause) {
      return cause instanceof EventsMissingException || cause instanceof OutOfPlaceException
          || cause instanceof UndecodableEventException || cause instanceof AuthenticationException
          || cause instanceof AuthorizationException || cause instanceof UnsupportedVersionException
          || cause instanceof InvalidTopicException || cause instanceof InvalidGroupIdException
          || cause instanceof InvalidSessionTimeoutException || cause instanceof InconsistentGroupProtocolException
          || cause instanceof FencedInstanceIdException || cause instanceof InterruptException;
    }

    private void pause(long pauseMs) {
      try {
        if (stopped.await(pauseMs, TimeUnit.MILLISECONDS)) return;
      } catch (InterruptedException cause) {
        throw new InterruptException(cause);
      }
    }
  }
}
