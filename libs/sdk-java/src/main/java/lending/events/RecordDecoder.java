package lending.events;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import lending.events.BookEvent.ActAccount;
import lending.events.BookEvent.BookVersion;
import lending.events.BookEvent.Evidence;
import lending.events.BookEvent.IssuedUnder;
import lending.events.BookEvent.ListedAs;
import lending.events.BookEvent.RecordedReference;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/** Decodes records of a topic into the schema of this package, whichever schema they were written with. For one thread. */
public final class RecordDecoder<R> {
  /** A zero byte and four bytes of schema id are before each record. */
  private static final int FRAME_BYTES = 5;

  private final SchemaSource schemas;
  private final Schema reader;
  private final Function<AvroFields, R> convert;
  private final Map<Integer, GenericDatumReader<GenericRecord>> readers = new HashMap<>();

  private RecordDecoder(SchemaSource schemas, String reader, Function<AvroFields, R> convert) {
    this.schemas = schemas;
    this.reader = ownSchema(reader);
    this.convert = convert;
  }

  /** For {@code lending.book-events}. */
  public static RecordDecoder<BookEvent> ofBookEvents(SchemaSource schemas) {
    return new RecordDecoder<>(schemas, "book-event-schema.json", RecordDecoder::toBookEvent);
  }

  /** For {@code lending.movements}. */
  public static RecordDecoder<Movement> ofMovements(SchemaSource schemas) {
    return new RecordDecoder<>(schemas, "movement-schema.json", RecordDecoder::toMovement);
  }

  /** Throws an UndecodableEventException for other bytes, and what the source throws where it has no schema now. */
  public R decode(byte[] framed) throws IOException {
    if (framed == null || framed.length < FRAME_BYTES || framed[0] != 0) {
      throw new UndecodableEventException("not a record with a schema id; expected a zero byte and four bytes of id");
    }
    GenericDatumReader<GenericRecord> datum = readerOf(ByteBuffer.wrap(framed).getInt(1));
    try {
      BinaryDecoder bytes = DecoderFactory.get().binaryDecoder(framed, FRAME_BYTES, framed.length - FRAME_BYTES, null);
      return convert.apply(new AvroFields(datum.read(null, bytes)));
    } catch (IOException | RuntimeException cause) {
      throw new UndecodableEventException("not a record of its schema: " + cause, cause);
    }
  }

  private GenericDatumReader<GenericRecord> readerOf(int id) throws IOException {
    GenericDatumReader<GenericRecord> known = readers.get(id);
    if (known != null) return known;
    String text = schemas.schemaOf(id);
    try {
      GenericDatumReader<GenericRecord> made = new GenericDatumReader<>(new Schema.Parser().parse(text), reader);
      readers.put(id, made);
      return made;
    } catch (RuntimeException cause) {
      throw new UndecodableEventException("schema " + id + " is no Avro schema: " + cause.getMessage(), cause);
    }
  }

  private static Schema ownSchema(String name) {
    try (InputStream file = RecordDecoder.class.getResourceAsStream("/lending/contract/" + name)) {
      return new Schema.Parser().parse(file);
    } catch (IOException cause) {
      throw new UncheckedIOException(cause);
    }
  }

  private static Movement toMovement(AvroFields fields) {
    return new Movement(
        fields.integer("partition"),
        fields.number("sequence"),
        fields.text("tenant_id"),
        fields.text("book_id"),
        fields.optionalText("client_id"),
        fields.number("fact"),
        fields.text("kind"),
        fields.moment("recorded_at"),
        fields.text("request_id"),
        fields.integer("item"),
        fields.list("loans", RecordDecoder::toLoanMovement));
  }

  private static LoanMovement toLoanMovement(AvroFields fields) {
    return new LoanMovement(
        fields.text("loan_id"),
        fields.text("currency"),
        fields.list("added", RecordDecoder::toLine),
        fields.list("taken_back", RecordDecoder::toLine));
  }

  private static MovementLine toLine(AvroFields fields) {
    return new MovementLine(
        fields.integer("period"),
        fields.text("charge"),
        fields.text("kind"),
        fields.day("day"),
        fields.day("due_on"),
        fields.number("amount"),
        fields.number("tax"),
        fields.optionalNumber("fact"));
  }

  private static BookEvent toBookEvent(AvroFields fields) {
    return new BookEvent(
        fields.integer("partition"),
        fields.number("sequence"),
        fields.text("tenant_id"),
        fields.text("book_id"),
        fields.optionalText("client_id"),
        fields.number("fact"),
        new BookVersion(fields.number("version_facts"), fields.optionalMoment("version_at")),
        fields.flag("counts"),
        fields.text("kind"),
        fields.optionalDay("occurred_on"),
        fields.moment("recorded_at"),
        fields.optionalText("loan_id"),
        fields.optionalText("event_id"),
        fields.optionalText("merchant_ref"),
        fields.optionalNumber("feed_number"),
        fields.optionalRecord("act", each -> new ActAccount(
            each.text("reference"), each.text("actor"), each.text("basis"), each.optionalText("context"))),
        fields.text("body"),
        fields.optionalRecord("reference", each -> new RecordedReference(
            each.text("namespace"), each.text("reference"), each.bytes("digest"), each.text("subject"))),
        fields.optionalRecord("issued", each -> new IssuedUnder(
            each.text("configuration_id"), each.integer("configuration_version"))),
        fields.optionalRecord("listed", each -> new ListedAs(
            each.text("listing"), each.number("number"), each.text("id"), each.text("row"))),
        fields.text("request_id"),
        fields.integer("item"),
        fields.number("offset"),
        // A union: the evidence itself, or the sequence of the event that has it.
        fields.optionalRecord("evidence", each -> each.has("sequence") ? null : toEvidence(each)),
        fields.optionalRecord("evidence", each -> each.has("sequence") ? each.number("sequence") : null));
  }

  private static Evidence toEvidence(AvroFields fields) {
    return new Evidence(
        fields.text("method"),
        fields.text("target"),
        fields.optionalNumber("ts"),
        fields.optionalText("fp"),
        fields.optionalBytes("signature"),
        fields.optionalText("idempotency_key"),
        fields.bytes("body"),
        fields.text("body_encoding"),
        fields.optionalText("actor"),
        fields.optionalText("caller_request_id"),
        fields.moment("taken_in_at"));
  }
}
