package lending.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import lending.JsonObject;
import lending.contract.FactKinds;
import lending.contract.Shapes;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The bodies that every SDK reads. */
@SuppressWarnings("unchecked")
class FactBodyTest {
  private static final Path VECTORS = Path.of("..", "..", "test", "vectors", "fact-bodies.json");

  @TestFactory
  Stream<DynamicTest> bodies() throws IOException {
    return cases().stream().map(each -> DynamicTest.dynamicTest((String) each.get("name"), () ->
        assertEquals(object(each, "body"), FactBody.of((String) each.get("kind"), object(each, "stored").toJson()))));
  }

  @Test
  void aBodyHasAMethodForEachMember() throws IOException {
    Map<String, Object> first = cases().get(0);
    Shapes.IssuedBody issued = FactBody.of("issued", object(first, "stored").toJson()).as(Shapes.IssuedBody::new);
    assertEquals(300_000, issued.terms().principal().minorUnits());
    assertEquals(LocalDate.of(2026, 2, 2), issued.plan().periods().get(0).dueOn());
  }

  @Test
  void aFactOfAnotherKindIsRefused() {
    BookEvent ceded = new BookEvent(0, 1, "acme", "c/ana", Optional.empty(), 1, new BookEvent.BookVersion(1, Optional.empty()), true,
        "ceded", Optional.empty(), Instant.EPOCH, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
        Optional.empty(), "{}", Optional.empty(), Optional.empty(), Optional.empty(), "r-1", 0, 0, Optional.empty(),
        Optional.empty());
    var refused = assertThrows(IllegalArgumentException.class, () -> FactBody.of(ceded, FactKinds.WRITTEN_OFF));
    assertEquals("the fact is of the kind ceded; expected written_off", refused.getMessage());
    assertEquals("{}", FactBody.of(ceded, FactKinds.CEDED).toJson());
  }

  private static List<Map<String, Object>> cases() throws IOException {
    return (List<Map<String, Object>>) JsonObject.parse(Files.readString(VECTORS)).members().get("cases");
  }

  private static JsonObject object(Map<String, Object> from, String name) {
    return new JsonObject((Map<String, Object>) from.get(name));
  }
}
