package lending.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What ends a consumer, and what is reported and retried. */
@Timeout(60) // Ends a consumer that is retried instead.
class TopicConsumerTest {
  private static final String TOPIC = "lending.movements";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
  // No service listens on this port.
  private static final Map<String, Object> NO_BROKER =
      Map.of("bootstrap.servers", "127.0.0.1:1", "default.api.timeout.ms", 300);

  private final List<Exception> troubles = new ArrayList<>();
  private final MockConsumer<byte[], byte[]> kafka = new MockConsumer<>("earliest");

  private TopicConsumer<Movement> consumer() {
    TopicConsumer<Movement> consumer = TopicConsumer.ofMovements();
    return consumer
        .groupId("downstream")
        .registry(id -> "no schema")
        .positionsOf(partitions -> Map.of())
        .take(batch -> { })
        .onTrouble(stopAfter(consumer, 1));
  }

  private Consumer<Exception> stopAfter(TopicConsumer<?> consumer, int count) {
    return trouble -> {
      troubles.add(trouble);
      if (troubles.size() == count) consumer.stop();
    };
  }

  private void createTopic() {
    kafka.updatePartitions(TOPIC, List.of(new PartitionInfo(TOPIC, 0, Node.noNode(), new Node[0], new Node[0])));
  }

  private void assign() {
    kafka.updateBeginningOffsets(Map.of(PARTITION, 0L));
    kafka.updateEndOffsets(Map.of(PARTITION, 1L));
    kafka.rebalance(List.of(PARTITION));
  }

  static List<RuntimeException> refusals() {
    return List.of(
        new SaslAuthenticationException("the password is wrong"),
        new TopicAuthorizationException(TOPIC),
        new InvalidSessionTimeoutException("it is longer than the broker allows"),
        GroupAuthorizationException.forGroupId("downstream"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void whatKafkaRefusesEndsTheConsumer(org.apache.kafka.common.KafkaException refusal) {
    createTopic();
    kafka.setPollException(refusal);
    assertSame(refusal, assertThrows(RuntimeException.class, () -> consumer().run(kafka)));
    assertEquals(List.of(), troubles);
    assertTrue(kafka.closed());
  }

  @Test
  void anAbsentTopicIsReportedAndSubscribedOnceItIsThere() {
    TopicConsumer<Movement> consumer = consumer();
    consumer.onTrouble(trouble -> {
      troubles.add(trouble);
      if (troubles.size() == 2) createTopic();
    });
    kafka.schedulePollTask(consumer::stop);
    consumer.run(kafka);
    assertEquals(2, troubles.size());
    assertEquals("Kafka has no topic lending.movements", troubles.get(0).getMessage());
    assertEquals(UnknownTopicOrPartitionException.class, troubles.get(0).getClass());
  }

  @Test
  void aRecordThatCannotBeDecodedEndsTheConsumer() {
    createTopic();
    kafka.schedulePollTask(this::assign);
    kafka.schedulePollTask(() -> kafka.addRecord(new ConsumerRecord<>(TOPIC, 0, 0, new byte[0], new byte[] {0, 0, 0, 0, 1})));
    assertThrows(UndecodableEventException.class, () -> consumer().run(kafka));
    assertEquals(List.of(), troubles);
  }

  @Test
  void aFailureOfTheStoreIsReportedAndRetried() {
    createTopic();
    kafka.schedulePollTask(this::assign);
    TopicConsumer<Movement> consumer = consumer();
    consumer.onTrouble(stopAfter(consumer, 3)).positionsOf(partitions -> {
      throw new IllegalStateException("the store is not available");
    });
    consumer.run(kafka);
    assertEquals("the store is not available", troubles.get(2).getMessage());
  }

  @Test
  void aKafkaThatCannotBeReachedIsReportedAndRetried() {
    TopicConsumer<Movement> consumer = consumer().kafka(NO_BROKER);
    consumer.onTrouble(stopAfter(consumer, 2)).run();
    assertEquals(List.of(TimeoutException.class, TimeoutException.class), troubles.stream().map(Object::getClass).toList());
  }

  @Test
  void withoutOnTroubleWhatIsRetriedIsAWarningOfTheLogger() {
    List<LogRecord> logged = new ArrayList<>();
    TopicConsumer<Movement> consumer = TopicConsumer.ofMovements();
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord record) {
        logged.add(record);
        consumer.stop();
      }

      @Override
      public void flush() { }

      @Override
      public void close() { }
    };
    Logger logger = Logger.getLogger("lending");
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      consumer.groupId("downstream").registry(id -> "").positionsOf(partitions -> Map.of()).take(batch -> { }).run(kafka);
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
    assertEquals(Level.WARNING, logged.get(0).getLevel());
    assertTrue(logged.get(0).getMessage().endsWith("Kafka has no topic lending.movements"));
    assertNull(logged.get(0).getThrown());
  }
}
