package lending.events;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

class RecordDecoderTest {
  private static final long MOMENT = 1_793_232_000_000_002L;
  /** Not exact as a floating-point number. */
  private static final long LARGE = 9_007_199_254_740_993L;

  private final List<String> schemas = new ArrayList<>();
  private int fetches = 0;

  private String schemaOf(int id) {
    fetches += 1;
    return schemas.get(id - 1);
  }

  private static Schema published(String name) throws IOException {
    return new Schema.Parser().parse(Files.readString(Path.of("..", "..", "schemas", name)));
  }

  private byte[] encode(GenericRecord record) throws IOException {
    String schema = record.getSchema().toString();
    if (!schemas.contains(schema)) schemas.add(schema);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(0);
    bytes.write(ByteBuffer.allocate(4).putInt(schemas.indexOf(schema) + 1).array());
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  private static GenericRecord movement(Schema schema) {
    Schema loan = schema.getField("loans").schema().getElementType();
    Schema line = loan.getField("added").schema().getElementType();
    GenericRecord added = new GenericRecordBuilder(line)
        .set("period", 1).set("charge", "interest").set("kind", "charged")
        .set("day", (int) LocalDate.of(2026, 2, 15).toEpochDay()).set("due_on", (int) LocalDate.of(2026, 2, 16).toEpochDay())
        .set("amount", LARGE).set("tax", 16L).build();
    GenericRecord loans = new GenericRecordBuilder(loan)
        .set("loan_id", "l-1").set("currency", "MXN").set("added", List.of(added, added)).set("taken_back", List.of()).build();
    return new GenericRecordBuilder(schema)
        .set("partition", 3).set("sequence", 9L).set("tenant_id", "acme").set("book_id", "c/ada").set("client_id", "ada")
        .set("fact", 2L).set("kind", "issued").set("recorded_at", MOMENT).set("request_id", "q-1").set("loans", List.of(loans))
        .build();
  }

  @Test
  void aMovementIsDecodedExactlyAndOtherBytesAreRefused() throws IOException {
    byte[] bytes = encode(movement(published("movement.avsc")));
    RecordDecoder<Movement> decoder = RecordDecoder.ofMovements(this::schemaOf);
    Movement movement = decoder.decode(bytes);
    MovementLine line = new MovementLine(
        1, "interest", "charged", LocalDate.of(2026, 2, 15), LocalDate.of(2026, 2, 16), LARGE, 16, Optional.empty());
    assertEquals(2, movement.fact());
    assertEquals(Instant.parse("2026-10-29T00:00:00.000002Z"), movement.recordedAt());
    assertEquals(List.of(new LoanMovement("l-1", "MXN", List.of(line, line), List.of())), movement.loans());
    for (byte[] broken : List.of(new byte[0], "{}".getBytes(), Arrays.copyOf(bytes, bytes.length - 1))) {
      assertThrows(UndecodableEventException.class, () -> decoder.decode(broken));
    }
  }

  @Test
  void aSchemaThatIsNoAvroIsRefusedAndWhatItsSourceThrowsIsPassedOn() throws IOException {
    byte[] bytes = encode(movement(published("movement.avsc")));
    for (String schema : Arrays.asList("{\"type\":\"object\"}", "syntax = \"proto3\";", null)) {
      var refused = assertThrows(UndecodableEventException.class, () -> RecordDecoder.ofMovements(id -> schema).decode(bytes));
      assertTrue(refused.getMessage().startsWith("schema 1 is no Avro schema"), refused.getMessage());
    }
    assertThrows(UndecodableEventException.class, () -> RecordDecoder.ofMovements(id -> {
      throw new UndecodableEventException("no schema " + id);
    }).decode(bytes));
    assertThrows(IOException.class, () -> RecordDecoder.ofMovements(id -> {
      throw new IOException("no answer");
    }).decode(bytes));
  }

  @Test
  void recordsOfOlderAndNewerSchemasAreDecodedAndEachSchemaIsFetchedOnce() throws IOException {
    Schema known = published("movement.avsc");
    Schema newer = new Schema.Parser().parse(known.toString()
        .replaceFirst("\"fields\":\\[", "\"fields\":[{\"name\":\"branch\",\"type\":[\"null\",\"string\"],\"default\":null},"));
    Schema older = new Schema.Parser().parse(known.toString()
        .replace("{\"name\":\"client_id\",\"type\":[\"null\",\"string\"],\"default\":null},", ""));
    RecordDecoder<Movement> decoder = RecordDecoder.ofMovements(this::schemaOf);
    Movement movement = decoder.decode(encode(movement(known)));
    GenericRecord branch = movement(newer);
    branch.put("branch", "north");
    for (int time = 0; time < 3; time += 1) {
      assertEquals(movement, decoder.decode(encode(branch)));
      assertEquals(Optional.empty(), decoder.decode(encode(without(movement(known), older))).clientId());
    }
    assertEquals(3, fetches);
  }

  /** The record in a schema that has fewer fields. */
  private static GenericRecord without(GenericRecord record, Schema schema) {
    GenericRecord smaller = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) smaller.put(field.name(), record.get(field.name()));
    return smaller;
  }

  @Test
  void anEventHasTheFieldsOfItsRecordAndItsEvidenceOrThePlaceOfIt() throws IOException {
    Schema schema = published("book-event.avsc");
    Schema evidence = schema.getField("evidence").schema().getTypes().stream()
        .filter(each -> each.getName().equals("Evidence")).findAny().orElseThrow();
    GenericRecordBuilder event = new GenericRecordBuilder(schema)
        .set("partition", 3).set("sequence", LARGE).set("tenant_id", "acme").set("book_id", "c/ada").set("fact", 4L)
        .set("version_facts", 3L).set("version_at", MOMENT).set("kind", "written_off").set("occurred_on", 0)
        .set("recorded_at", MOMENT).set("body", "{\"loan_id\":\"l-1\"}").set("request_id", "q-1").set("item", 2).set("offset", 44L)
        .set("evidence", new GenericRecordBuilder(evidence)
            .set("method", "POST").set("target", "/v1/tenants/acme/receipts").set("ts", 1_793_232_000L).set("fp", "21fe")
            .set("signature", ByteBuffer.wrap(new byte[] {1, 2})).set("body", ByteBuffer.wrap(new byte[] {3}))
            .set("body_encoding", "identity").set("taken_in_at", MOMENT).build());
    RecordDecoder<BookEvent> decoder = RecordDecoder.ofBookEvents(this::schemaOf);
    BookEvent decoded = decoder.decode(encode(event.build()));
    assertEquals(LARGE, decoded.sequence());
    assertEquals(Optional.of(LocalDate.EPOCH), decoded.occurredOn());
    assertEquals(new BookEvent.BookVersion(3, Optional.of(decoded.recordedAt())), decoded.bookVersion());
    assertEquals(Optional.empty(), decoded.clientId());
    assertArrayEquals(new byte[] {1, 2}, decoded.evidence().orElseThrow().signature().orElseThrow());
    assertEquals(Optional.empty(), decoded.evidenceAt());

    Schema place = schema.getField("evidence").schema().getTypes().stream()
        .filter(each -> each.getName().equals("EvidenceAt")).findAny().orElseThrow();
    event.set("evidence", new GenericRecordBuilder(place).set("sequence", 5L).build());
    BookEvent later = decoder.decode(encode(event.build()));
    assertEquals(Optional.of(5L), later.evidenceAt());
    assertEquals(Optional.empty(), later.evidence());
  }
}
