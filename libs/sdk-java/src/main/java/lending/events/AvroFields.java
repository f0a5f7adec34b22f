package lending.events;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.generic.GenericRecord;

/** Reads the fields of a decoded Avro record. */
record AvroFields(GenericRecord record) {
  String text(String name) {
    return record.get(name).toString();
  }

  Optional<String> optionalText(String name) {
    return optional(name, Object::toString);
  }

  int integer(String name) {
    return (Integer) record.get(name);
  }

  long number(String name) {
    return (Long) record.get(name);
  }

  Optional<Long> optionalNumber(String name) {
    return optional(name, value -> (Long) value);
  }

  boolean flag(String name) {
    return (Boolean) record.get(name);
  }

  LocalDate day(String name) {
    return LocalDate.ofEpochDay((Integer) record.get(name));
  }

  Optional<LocalDate> optionalDay(String name) {
    return optional(name, value -> LocalDate.ofEpochDay((Integer) value));
  }

  Instant moment(String name) {
    return momentOf(record.get(name));
  }

  Optional<Instant> optionalMoment(String name) {
    return optional(name, AvroFields::momentOf);
  }

  byte[] bytes(String name) {
    return bytesOf(record.get(name));
  }

  Optional<byte[]> optionalBytes(String name) {
    return optional(name, AvroFields::bytesOf);
  }

  <T> Optional<T> optionalRecord(String name, Function<AvroFields, T> read) {
    return optional(name, value -> read.apply(new AvroFields((GenericRecord) value)));
  }

  <T> List<T> list(String name, Function<AvroFields, T> read) {
    return ((List<?>) record.get(name)).stream().<T>map(each -> read.apply(new AvroFields((GenericRecord) each))).toList();
  }

  boolean has(String name) {
    return record.hasField(name);
  }

  private <T> Optional<T> optional(String name, Function<Object, T> read) {
    return Optional.ofNullable(record.get(name)).map(read);
  }

  private static Instant momentOf(Object micros) {
    return Instant.EPOCH.plus((Long) micros, ChronoUnit.MICROS);
  }

  private static byte[] bytesOf(Object value) {
    ByteBuffer buffer = ((ByteBuffer) value).duplicate();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
