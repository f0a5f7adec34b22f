package lending;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Path and query of a call. */
final class RequestTarget {
  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)\\}");
  private static final String UNRESERVED = "-._~";

  private RequestTarget() {}

  static String of(String path, List<String> query, Map<String, ?> parameters) {
    String filled = PARAMETER.matcher(path).replaceAll(
        found -> Matcher.quoteReplacement(segment(found.group(1), parameters.get(found.group(1)))));
    List<String> parts = new ArrayList<>();
    for (String name : query) {
      Object value = parameters.get(name);
      List<?> values = value == null ? List.of() : value instanceof List<?> list ? list : List.of(value);
      for (Object each : values) parts.add(name + "=" + encode(text(each)));
    }
    return parts.isEmpty() ? filled : filled + "?" + String.join("&", parts);
  }

  private static String segment(String name, Object value) {
    String text = value == null ? "" : text(value);
    // URL parsers resolve these as steps between folders, which would call another route.
    if (text.isEmpty() || text.equals(".") || text.equals("..")) {
      throw new IllegalArgumentException(name + " cannot be \"" + text + "\"");
    }
    return encode(text);
  }

  private static String text(Object value) {
    if (value instanceof String || value instanceof Long || value instanceof Integer || value instanceof Boolean
        || value instanceof LocalDate || value instanceof Instant) return value.toString();
    throw new IllegalArgumentException(value + " is a " + value.getClass().getName() + "; expected a text, a whole number or a day");
  }

  private static String encode(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (each & 0xff);
      boolean isPlain = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
          || (character >= '0' && character <= '9') || UNRESERVED.indexOf(character) >= 0;
      if (isPlain) encoded.append(character);
      else encoded.append(String.format("%%%02X", each & 0xff));
    }
    return encoded.toString();
  }
}
