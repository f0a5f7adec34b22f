package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test
  void whatIsWrittenIsReadAgain() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("text", "ñ \"quoted\" \\ / \n\r\t\u0001 \ud83d\ude00");
    value.put("list", Arrays.asList(1L, -9_223_372_036_854_775_808L, true, null, List.of(), Map.of()));
    value.put("long", new BigInteger("92233720368547758080"));
    value.put("decimal", new BigDecimal("1.50"));
    assertEquals(value, Json.parse(Json.write(value)));
  }

  @Test
  void spaceAndEscapesAreRead() {
    assertEquals(Map.of("a", List.of("/\b\fñ\ud83d\ude00", new BigDecimal("1E+2"))),
        Json.parse(" {\"a\" :\n[ \"\\/\\b\\f\\u00f1\\ud83d\\ude00\", 1e2 ] }\t"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[1,]", "{\"a\"}", "{a:1}", "01", "-", "1.", "1e", "tru", "\"a", "\"\\x\"", "\"\\u12g4\"", "[] []", "'a'", "\"\n\""})
  void whatIsNotJsonIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Json.parse(text));
  }

  @Test
  void deepNestingDoesNotExhaustTheStack() {
    assertThrows(IllegalArgumentException.class, () -> Json.parse("[".repeat(100_000)));
  }

  @Test
  void aFractionOfAProcessorIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Json.write(Map.of("amount", 1.5)));
  }
}
