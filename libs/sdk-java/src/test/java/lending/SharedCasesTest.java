package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lending.ScriptedService.Reply;
import lending.ScriptedService.Request;
import lending.contract.Routes;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The cases that every SDK passes. */
@SuppressWarnings("unchecked")
class SharedCasesTest {
  static final Path VECTORS = Path.of("..", "..", "test", "vectors");

  @TestFactory
  Stream<DynamicTest> cases() throws IOException {
    Map<String, Object> file = (Map<String, Object>) Json.parse(Files.readString(VECTORS.resolve("sdk-requests.json")));
    return listIn(file, "cases").stream()
        .map(each -> (Map<String, Object>) each)
        .map(each -> DynamicTest.dynamicTest((String) each.get("name"), () -> check(each)));
  }

  private void check(Map<String, Object> one) throws IOException {
    Reply[] script = listIn(one, "replies").stream().map(each -> reply((Map<String, Object>) each)).toArray(Reply[]::new);
    try (ScriptedService service = new ScriptedService(script)) {
      LendingOptions options = service.options();
      if (one.get("patience") instanceof Map<?, ?> patience) {
        options.patience(new Patience(ms(patience, "within_ms"), ms(patience, "first_pause_ms"), ms(patience, "longest_pause_ms")));
      }
      Lending lending = new Lending(options);
      Map<String, Object> call = mapIn(one, "call");
      if (one.containsKey("items")) assertEquals(one.get("items"), items(lending, call));
      else if (one.containsKey("answer")) checkAnswer(mapIn(one, "answer"), ask(lending, call));
      else checkFailure(mapIn(one, "failure"), assertThrows(LendingException.class, () -> ask(lending, call)));
      checkRequests(one, service);
    }
  }

  private Answer<?> ask(Lending lending, Map<String, Object> call) {
    Route<?> route = Routes.ALL.stream().filter(each -> each.name().equals(call.get("route"))).findAny().orElseThrow();
    RequestOptions options = new RequestOptions(
        (String) call.get("caller_request_id"), (String) call.get("idempotency_key"), (String) call.get("if_none_match"));
    return lending.ask(route, mapIn(call, "parameters"), body(call), options);
  }

  private List<Object> items(Lending lending, Map<String, Object> call) {
    PagedRoute<?, ?> route = switch ((String) call.get("list")) {
      case "listLoans" -> Routes.LIST_LOANS;
      case "listClients" -> Routes.LIST_CLIENTS;
      case "rehearse" -> Routes.REHEARSE;
      default -> throw new IllegalArgumentException("the test has no listing " + call.get("list"));
    };
    List<Object> items = new ArrayList<>();
    for (Object item : lending.list(route, mapIn(call, "parameters"), body(call))) items.add(((JsonObject) item).members());
    return items;
  }

  private void checkAnswer(Map<String, Object> expected, Answer<?> answer) {
    assertEquals(expected.get("status"), (long) answer.status());
    if (answer.status() == 304) assertNull(answer.body());
    if (!expected.containsKey("body")) return;
    assertEquals(expected.get("body"), answer.body() instanceof JsonObject object ? object.members() : answer.body());
  }

  private void checkFailure(Map<String, Object> expected, LendingException failure) {
    assertEquals(expected.get("kind").equals("refusal") ? RefusalException.class : UnreachableException.class, failure.getClass());
    String message = (String) expected.getOrDefault("message", "");
    assertTrue(failure.getMessage().contains(message), failure.getMessage() + " has no " + message);
    if (expected.containsKey("outcome_unknown")) assertEquals(expected.get("outcome_unknown"), failure.outcomeUnknown());
    if (expected.containsKey("retry_after")) assertEquals(expected.get("retry_after"), failure.retryAfter().orElse(null));
    if (failure instanceof RefusalException refusal) checkRefusal(expected, refusal);
  }

  private void checkRefusal(Map<String, Object> expected, RefusalException refusal) {
    assertEquals(expected.get("code"), refusal.code());
    if (expected.containsKey("status")) assertEquals(expected.get("status"), (long) refusal.status());
    if (expected.containsKey("retry")) assertEquals(expected.get("retry"), refusal.retry());
    if (expected.containsKey("request_id")) assertEquals(expected.get("request_id"), refusal.requestId());
    if (expected.containsKey("details")) assertEquals(expected.get("details"), refusal.details().members());
    if (expected.containsKey("remedy")) {
      String part = (String) expected.get("remedy");
      assertEquals(part != null, refusal.remedy().isPresent());
      if (part != null) assertTrue(refusal.remedy().orElseThrow().contains(part));
    }
  }

  private void checkRequests(Map<String, Object> one, ScriptedService service) {
    if (one.containsKey("pauses")) assertEquals(one.get("pauses"), service.clock.pauses);
    if (one.containsKey("request_count")) assertEquals(one.get("request_count"), (long) service.requests.size());
    if (!one.containsKey("requests")) return;
    List<Object> expected = listIn(one, "requests");
    assertEquals(expected.size(), service.requests.size());
    for (int at = 0; at < expected.size(); at += 1) checkRequest((Map<String, Object>) expected.get(at), service.requests.get(at));
  }

  private void checkRequest(Map<String, Object> expected, Request request) {
    assertEquals(expected.get("method"), request.method());
    assertEquals(expected.get("target"), request.target());
    if (expected.containsKey("body")) assertEquals(expected.get("body"), request.json());
    if (expected.get("headers") instanceof Map<?, ?> headers) {
      headers.forEach((name, value) -> assertEquals(value, request.headers().get(name), (String) name));
    }
  }

  private static Reply reply(Map<String, Object> scripted) {
    if (scripted.containsKey("close")) return ScriptedService.CLOSE;
    if (scripted.get("refusal") instanceof Map<?, ?> refusal) {
      Map<String, Object> more = new java.util.LinkedHashMap<>((Map<String, Object>) refusal);
      int status = ((Long) more.remove("status")).intValue();
      return ScriptedService.refuse(status, (String) more.remove("code"), (String) more.remove("retry"), more);
    }
    Object body = scripted.get("body");
    String text = (String) scripted.getOrDefault("text", body == null ? "" : Json.write(body));
    Map<String, String> headers = (Map<String, String>) scripted.getOrDefault("headers", Map.of());
    return ScriptedService.replyText(((Long) scripted.get("status")).intValue(), text, headers);
  }

  private static JsonObject body(Map<String, Object> call) {
    return call.get("body") instanceof Map<?, ?> body ? new JsonObject((Map<String, Object>) body) : null;
  }

  private static Duration ms(Map<?, ?> patience, String name) {
    return Duration.ofMillis((Long) patience.get(name));
  }

  private static Map<String, Object> mapIn(Map<String, Object> one, String name) {
    return (Map<String, Object>) one.get(name);
  }

  private static List<Object> listIn(Map<String, Object> one, String name) {
    return (List<Object>) one.get(name);
  }
}
