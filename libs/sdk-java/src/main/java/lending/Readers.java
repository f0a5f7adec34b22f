package lending;

import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads values of the contract from parsed JSON. For the generated classes. */
public final class Readers {
  public static final Function<Object, String> TEXT = value -> (String) value;
  public static final Function<Object, Long> NUMBER = value -> ((Number) value).longValue();
  public static final Function<Object, Boolean> FLAG = value -> (Boolean) value;
  public static final Function<Object, LocalDate> DAY = value -> LocalDate.parse((String) value);
  public static final Function<Object, Instant> MOMENT = value -> Instant.parse((String) value);
  public static final Function<Object, Object> ANY = value -> value;
  public static final Function<Object, JsonObject> OBJECT = object(JsonObject::new);

  private Readers() {}

  public static <T> Function<Object, T> object(Function<Map<String, Object>, T> type) {
    return value -> type.apply(membersOf(value));
  }

  public static <T> Function<Object, List<T>> list(Function<Object, T> item) {
    return value -> ((List<?>) value).stream().<T>map(item).toList();
  }

  public static <T> Function<Object, Map<String, T>> map(Function<Object, T> member) {
    return value -> {
      Map<String, T> read = new LinkedHashMap<>();
      membersOf(value).forEach((name, each) -> read.put(name, each == null ? null : member.apply(each)));
      return read;
    };
  }

  /** The parser makes maps with names of texts alone. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> membersOf(Object value) {
    return (Map<String, Object>) value;
  }
}
