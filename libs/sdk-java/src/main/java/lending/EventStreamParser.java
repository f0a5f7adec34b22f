package lending;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Parses a stream of server-sent events by the HTML standard. */
final class EventStreamParser {
  record Event(String id, String data) {}

  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final List<String> data = new ArrayList<>();
  private String id = "";
  private boolean endedWithReturn;
  private Duration reconnectDelay = Duration.ZERO;

  /** What the service asks to wait before another connection. */
  Duration reconnectDelay() {
    return reconnectDelay;
  }

  /** The events that these bytes complete. Lines end with CR LF, LF or CR. */
  List<Event> feed(byte[] bytes, int length) {
    List<Event> events = new ArrayList<>();
    for (int at = 0; at < length; at += 1) {
      byte each = bytes[at];
      boolean isSecondOfPair = each == '\n' && endedWithReturn;
      endedWithReturn = each == '\r';
      if (isSecondOfPair) continue;
      if (each == '\n' || each == '\r') endLine(events);
      else line.write(each);
    }
    return events;
  }

  private void endLine(List<Event> events) {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    if (text.isEmpty()) {
      if (!data.isEmpty()) events.add(new Event(id, String.join("\n", data)));
      data.clear();
      return;
    }
    int colon = text.indexOf(':');
    String field = colon < 0 ? text : text.substring(0, colon);
    String value = colon < 0 ? "" : text.substring(colon + 1);
    if (value.startsWith(" ")) value = value.substring(1);
    if (field.equals("data")) data.add(value);
    else if (field.equals("id") && value.indexOf('\0') < 0) id = value;
    else if (field.equals("retry") && value.matches("[0-9]{1,9}")) reconnectDelay = Duration.ofMillis(Long.parseLong(value));
  }
}
