package lending;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;

/**
 * A JSON object of the contract. Each type of the contract is a view of one, so members that this release does not know are
 * kept. Immutable: each {@code with…} method returns a changed copy.
 */
public class JsonObject {
  private final Map<String, Object> members;

  public JsonObject() {
    this(Map.of());
  }

  public JsonObject(Map<String, ?> members) {
    Map<String, Object> copy = new LinkedHashMap<>();
    members.forEach((name, value) -> copy.put(name, Json.plain(value)));
    this.members = Collections.unmodifiableMap(copy);
  }

  /** Reads a text, such as the body of a fact. Throws an IllegalArgumentException where it is no JSON object. */
  public static JsonObject parse(String text) {
    if (Json.parse(text) instanceof Map<?, ?> members) return new JsonObject(Readers.membersOf(members));
    throw new IllegalArgumentException("the text is JSON, but no object");
  }

  /** All members, also those without a method. */
  public final Map<String, Object> members() {
    return members;
  }

  /** The same object as another type, where the contract says that it is one of several. */
  public final <T> T as(Function<Map<String, Object>, T> type) {
    return type.apply(members);
  }

  public final String toJson() {
    return Json.write(members);
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof JsonObject object && members.equals(object.members);
  }

  @Override
  public final int hashCode() {
    return members.hashCode();
  }

  @Override
  public final String toString() {
    return toJson();
  }

  /** The members with another value of one of them. */
  protected final Map<String, Object> with(String name, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(members);
    changed.put(name, value);
    return changed;
  }

  protected final <T> T required(String name, Function<Object, T> reader) {
    Object value = members.get(name);
    if (value == null) throw new NoSuchElementException(getClass().getSimpleName() + " has no " + name);
    return reader.apply(value);
  }

  protected final <T> Optional<T> optional(String name, Function<Object, T> reader) {
    return Optional.ofNullable(members.get(name)).map(reader);
  }
}
