package lending.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import lending.events.Position.Received;
import org.junit.jupiter.api.Test;

class PositionTest {
  private record Numbered(int partition, long sequence) implements NumberedRecord {}

  private static List<Received<Numbered>> records(long... sequences) {
    List<Received<Numbered>> received = new ArrayList<>();
    for (long sequence : sequences) received.add(new Received<>(received.size(), new Numbered(3, sequence)));
    return received;
  }

  @Test
  void everyRecordIsProcessedOnceAndInOrderWhateverIsRepeatedAndWhereverAConsumerCrashes() {
    Random chance = new Random(7);
    for (int round = 0; round < 50; round += 1) {
      // A topic without gaps, with some records repeated.
      LongStream.Builder sequences = LongStream.builder();
      for (long last = 0; last < 40; last += 1) {
        for (long each = Math.max(1, last + 1 - chance.nextInt(5)); each <= last + 1; each += 1) sequences.add(each);
      }
      List<Received<Numbered>> topic = records(sequences.build().toArray());
      List<Long> processed = new ArrayList<>();
      Position stored = Position.START;
      while (stored.offset() < topic.size()) {
        int from = (int) stored.offset();
        int to = Math.min(topic.size(), from + 1 + chance.nextInt(7));
        var selected = stored.select(3, topic.subList(from, to));
        // A crash before the commit: the effects and the position are lost together.
        if (chance.nextInt(10) < 3) continue;
        selected.records().forEach(each -> processed.add(each.sequence()));
        stored = selected.position();
      }
      assertEquals(LongStream.rangeClosed(1, 40).boxed().toList(), processed);
    }
  }

  @Test
  void aGapIsAnErrorForTheWholeBatch() {
    assertThrows(EventsMissingException.class, () -> Position.START.select(3, records(1, 2, 4)));
    var missing = assertThrows(EventsMissingException.class, () -> new Position(6, 9).select(3, records(9)));
    assertTrue(missing.getMessage().contains("holds record 9, expected 7: "), missing.getMessage());
    assertTrue(missing.getMessage().endsWith("run `lending topic check`"), missing.getMessage());
  }

  @Test
  void aRecreatedTopicIsReadFromItsBeginningAndProcessedRecordsAreDropped() {
    var selected = new Position(2, 0).select(3, records(1, 2, 3));
    assertEquals(List.of(new Numbered(3, 3)), selected.records());
    assertEquals(new Position(3, 3), selected.position());
  }

  @Test
  void aRecordOfAnotherPartitionIsAnError() {
    var misplaced = assertThrows(OutOfPlaceException.class, () -> Position.START.select(4, records(1)));
    assertTrue(misplaced.getMessage().endsWith("a copy that keeps the partitions"), misplaced.getMessage());
  }
}
