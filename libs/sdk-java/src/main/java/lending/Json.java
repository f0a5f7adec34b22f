package lending;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as maps, lists, texts, numbers, flags and null. Whole numbers are read as Long, or as BigInteger where they are longer;
 * numbers with a fraction as BigDecimal.
 */
final class Json {
  /** The service sends no deeper values; without a limit a proxy could exhaust the stack. */
  private static final int MAX_DEPTH = 200;

  private final String text;
  private int at = 0;

  private Json(String text) {
    this.text = text;
  }

  /** Throws an IllegalArgumentException where the text is not JSON. */
  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.skipSpace();
    if (json.at < text.length()) throw json.unexpected("the end");
    return value;
  }

  /** Days and moments are texts in the contract. A fraction is refused, because the contract has none. */
  static String write(Object value) {
    StringBuilder written = new StringBuilder();
    write(value, written);
    return written.toString();
  }

  /** The value as it is read from JSON: objects of the contract become maps, days and moments texts. */
  static Object plain(Object value) {
    if (value instanceof JsonObject object) return object.members();
    if (value instanceof LocalDate || value instanceof Instant) return value.toString();
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) return ((Number) value).longValue();
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> members = new LinkedHashMap<>();
      map.forEach((name, member) -> members.put((String) name, plain(member)));
      return members;
    }
    if (value instanceof List<?> list) {
      List<Object> items = new ArrayList<>();
      for (Object item : list) items.add(plain(item));
      return items;
    }
    if (value == null || value instanceof String || value instanceof Boolean || value instanceof Long
        || value instanceof BigInteger || value instanceof BigDecimal) return value;
    throw new IllegalArgumentException(value.getClass().getName() + " has no form in the contract");
  }

  private static void write(Object value, StringBuilder written) {
    Object plain = plain(value);
    if (plain instanceof String string) {
      writeText(string, written);
    } else if (plain instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> member : map.entrySet()) {
        written.append(separator);
        writeText((String) member.getKey(), written);
        written.append(':');
        write(member.getValue(), written);
        separator = ",";
      }
      written.append(map.isEmpty() ? "{}" : "}");
    } else if (plain instanceof List<?> list) {
      String separator = "[";
      for (Object item : list) {
        written.append(separator);
        write(item, written);
        separator = ",";
      }
      written.append(list.isEmpty() ? "[]" : "]");
    } else if (plain instanceof BigDecimal decimal) {
      written.append(decimal.toPlainString());
    } else {
      written.append(plain);
    }
  }

  private static void writeText(String value, StringBuilder written) {
    written.append('"');
    for (int index = 0; index < value.length(); index += 1) {
      char character = value.charAt(index);
      switch (character) {
        case '"' -> written.append("\\\"");
        case '\\' -> written.append("\\\\");
        case '\n' -> written.append("\\n");
        case '\r' -> written.append("\\r");
        case '\t' -> written.append("\\t");
        default -> {
          if (character < ' ') written.append(String.format("\\u%04x", (int) character));
          else written.append(character);
        }
      }
    }
    written.append('"');
  }

  private Object value(int depth) {
    if (depth > MAX_DEPTH) throw new IllegalArgumentException("JSON is nested deeper than " + MAX_DEPTH);
    skipSpace();
    if (at >= text.length()) throw unexpected("a value");
    return switch (text.charAt(at)) {
      case '{' -> object(depth);
      case '[' -> list(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> members = new LinkedHashMap<>();
    at += 1;
    skipSpace();
    if (accept('}')) return members;
    do {
      skipSpace();
      if (at >= text.length() || text.charAt(at) != '"') throw unexpected("the name of a member");
      String name = string();
      skipSpace();
      require(':');
      members.put(name, value(depth + 1));
      skipSpace();
    } while (accept(','));
    require('}');
    return members;
  }

  private List<Object> list(int depth) {
    List<Object> items = new ArrayList<>();
    at += 1;
    skipSpace();
    if (accept(']')) return items;
    do {
      items.add(value(depth + 1));
      skipSpace();
    } while (accept(','));
    require(']');
    return items;
  }

  private String string() {
    StringBuilder value = new StringBuilder();
    for (at += 1; at < text.length(); at += 1) {
      char character = text.charAt(at);
      if (character == '"') {
        at += 1;
        return value.toString();
      }
      if (character < ' ') throw unexpected("a character of a text");
      value.append(character == '\\' ? escaped() : character);
    }
    throw unexpected("the end of a text");
  }

  private char escaped() {
    at += 1;
    if (at >= text.length()) throw unexpected("an escaped character");
    return switch (text.charAt(at)) {
      case '"' -> '"';
      case '\\' -> '\\';
      case '/' -> '/';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        if (at + 4 >= text.length()) throw unexpected("four hexadecimal digits");
        String digits = text.substring(at + 1, at + 5);
        if (!digits.matches("[0-9a-fA-F]{4}")) throw unexpected("four hexadecimal digits");
        at += 4;
        yield (char) Integer.parseInt(digits, 16);
      }
      default -> throw unexpected("an escaped character");
    };
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) throw unexpected("a value");
    at += word.length();
    return value;
  }

  private Number number() {
    int from = at;
    accept('-');
    int integer = at;
    digits();
    if (at - integer > 1 && text.charAt(integer) == '0') throw unexpected("a number without a leading zero");
    boolean isWhole = true;
    if (accept('.')) {
      isWhole = false;
      digits();
    }
    if (accept('e') || accept('E')) {
      isWhole = false;
      if (!accept('+')) accept('-');
      digits();
    }
    String number = text.substring(from, at);
    if (!isWhole) return new BigDecimal(number);
    return number.length() < 19 ? (Number) Long.valueOf(number) : shortest(new BigInteger(number));
  }

  private static Number shortest(BigInteger number) {
    return number.bitLength() < Long.SIZE ? (Number) number.longValue() : number;
  }

  private void digits() {
    int from = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at += 1;
    if (at == from) throw unexpected("a digit");
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at += 1;
  }

  private boolean accept(char character) {
    if (at >= text.length() || text.charAt(at) != character) return false;
    at += 1;
    return true;
  }

  private void require(char character) {
    if (!accept(character)) throw unexpected("'" + character + "'");
  }

  private IllegalArgumentException unexpected(String expected) {
    return new IllegalArgumentException("invalid JSON at character " + at + "; expected " + expected);
  }
}
