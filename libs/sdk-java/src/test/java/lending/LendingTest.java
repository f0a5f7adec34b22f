package lending;

import static lending.ScriptedService.CLOSE;
import static lending.ScriptedService.refuse;
import static lending.ScriptedService.reply;
import static lending.ScriptedService.replyText;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import lending.EventStreamParser.Event;
import lending.ScriptedService.Reply;
import lending.contract.Routes;
import lending.contract.Shapes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LendingTest {
  private static final Shapes.ReceiptToReport RECEIPT = new Shapes.ReceiptToReport()
      .withReference("r-1")
      .withClientId("ada")
      .withAmount(Amounts.toMoney("1.00", "MXN"))
      .withValueDate(LocalDate.of(2026, 3, 1));

  @Test
  void aMethodTakesItsPathItsBodyAndTheRestOfItsQuery() throws Exception {
    try (var service = new ScriptedService(reply(200, Map.of("loans", List.of(), "receipt", Map.of("id", "x"))))) {
      Lending lending = service.lending();
      lending.readPaymentOptions("ada", LocalDate.of(2026, 3, 20));
      lending.with(RequestOptions.NONE.withCallerRequestId("mine")).reportReceipt(RECEIPT);
      lending.listLoans(new Shapes.ListLoansQuery().withState("active").withLimit(2)).page();
      lending.listLoans().page();
      assertEquals(
          List.of("/v1/tenants/acme/clients/ada/payment-options?on=2026-03-20", "/v1/tenants/acme/receipts",
              "/v1/tenants/acme/loans?state=active&limit=2", "/v1/tenants/acme/loans"),
          service.targets());
      assertEquals("mine", service.requests.get(1).headers().get("request-id"));
      assertEquals(RECEIPT.members(), service.requests.get(1).json());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", ".."})
  void aPathParameterThatAUrlParserWouldResolveIsRefused(String name) throws Exception {
    try (var service = new ScriptedService(reply(200, Map.of()))) {
      var refused = assertThrows(IllegalArgumentException.class, () -> service.lending().readReceipt(name));
      assertTrue(refused.getMessage().contains("receipt_reference cannot be"));
      assertEquals(0, service.requests.size());
    }
  }

  @Test
  void aCreationHasTheSameKeyInEveryAttemptAndAnotherRequestHasNone() throws Exception {
    try (var service = new ScriptedService(CLOSE, reply(201, Map.of("id", "x")))) {
      service.lending().createConfiguration(new Shapes.BnplToConfigure().withArchetype("bnpl"));
      service.lending().readBounds();
      String key = service.requests.get(0).headers().get("idempotency-key");
      assertEquals(36, key.length());
      assertEquals(key, service.requests.get(1).headers().get("idempotency-key"));
      assertFalse(service.requests.get(2).headers().containsKey("idempotency-key"));
    }
  }

  @Test
  void aListingIsRequestedPageByPageWhenItIsNeeded() throws Exception {
    try (var service = new ScriptedService(
        reply(200, Map.of("loans", List.of(Map.of("id", "l-1"), Map.of("id", "l-2")), "cursor", "a")),
        reply(200, Map.of("loans", List.of(), "cursor", "b")),
        reply(200, Map.of("loans", List.of(Map.of("id", "l-3")))))) {
      var listing = service.lending().listLoans();
      assertEquals(0, service.requests.size());
      Iterator<?> items = listing.iterator();
      items.next();
      assertEquals(1, service.requests.size());
      items.next();
      assertTrue(items.hasNext());
      items.next();
      assertFalse(items.hasNext());
      assertEquals(3, service.requests.size());
    }
  }

  @Test
  void theFeedIsFollowedOverEmptyPagesAndFailures() throws Exception {
    try (var service = new ScriptedService(
        reply(200, Map.of("events", List.of(Map.of("id", "e-1")), "cursor", "1")),
        reply(200, Map.of("events", List.of(), "cursor", "1")),
        refuse(503, "unavailable", "as_is"),
        reply(200, Map.of("events", List.of(Map.of("id", "e-2")), "cursor", "2")),
        refuse(401, "unauthenticated", "after_change"))) {
      Iterator<FeedEvents> events = service.lending().followFeed("0", Duration.ofSeconds(7)).iterator();
      assertEquals(List.of("1", "2"), List.of(events.next().cursor(), events.next().cursor()));
      assertTrue(service.targets().get(0).endsWith("/loan-events?limit=200&cursor=0"));
      assertTrue(service.clock.pauses.contains(7_000L));
      assertEquals("unauthenticated", assertThrows(RefusalException.class, events::next).code());
    }
  }

  @Test
  void theStreamContinuesAfterTheLastEventWhenTheConnectionBreaks() throws Exception {
    try (var service = new ScriptedService(
        stream(": heartbeat\n\nretry: 9000\n\n" + event(1) + event(2) + "id: 3\ndata: {}\n"),
        refuse(503, "unavailable", "as_is"),
        stream(event(3)),
        refuse(401, "unauthenticated", "after_change"));
        EventStream events = service.lending().followStream("0")) {
      assertEquals(List.of("1", "2", "3"), List.of(events.next().cursor(), events.next().cursor(), events.next().cursor()));
      List<String> after = service.requests.stream().map(each -> each.headers().get("last-event-id")).toList();
      assertEquals(List.of("0", "2", "2"), after);
      assertEquals(9_000L, service.clock.pauses.get(0));
      assertThrows(RefusalException.class, events::next);
    }
  }

  @Test
  void aStreamThatWaitsForEventsIsEndedByClosingItFromAnotherThread() throws Exception {
    CountDownLatch isOpen = new CountDownLatch(1);
    Reply quiet = exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write(": heartbeat\n\n".getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      isOpen.countDown();
      try {
        Thread.sleep(60_000);
      } catch (InterruptedException ended) {
        // The service is closed.
      }
    };
    try (var service = new ScriptedService(quiet)) {
      EventStream events = service.lending().followStream(null);
      var waiting = CompletableFuture.supplyAsync(events::hasNext);
      assertTrue(isOpen.await(60, TimeUnit.SECONDS));
      events.close();
      assertFalse(waiting.get(60, TimeUnit.SECONDS));
      assertFalse(events.hasNext());
      assertThrows(NoSuchElementException.class, events::next);
      assertEquals(1, service.requests.size());
    }
  }

  @Test
  void aStreamOnWhichNothingArrivesIsOpenedAgain() throws Exception {
    CountDownLatch isClosed = new CountDownLatch(1);
    Reply quiet = exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().flush();
      try {
        isClosed.await();
      } catch (InterruptedException ended) {
        // The service is closed.
      }
    };
    try (var service = new ScriptedService(quiet, stream(event(1)))) {
      List<String> failures = new ArrayList<>();
      Lending lending = new Lending(service.options().onRetry((failure, pause) -> failures.add(failure.getMessage())));
      try (EventStream events = lending.followStream(null, Duration.ofMillis(100))) {
        assertEquals("1", events.next().cursor());
      }
      assertTrue(failures.get(0).endsWith("nothing was received for 100 ms"), failures.get(0));
      isClosed.countDown();
    }
  }

  @Test
  void aPageOfTheFeedHasAtMostTheEventsThatAreAskedFor() throws Exception {
    try (var service = new ScriptedService(reply(200, Map.of("events", List.of(Map.of("id", "e-1")), "cursor", "1")))) {
      service.lending().followFeed(null, Duration.ZERO, 7).iterator().next();
      assertTrue(service.targets().get(0).endsWith("?limit=7"), service.targets().get(0));
    }
  }

  @Test
  void anEntityTagIsForAskAlone() throws Exception {
    try (var service = new ScriptedService(replyText(304, "", Map.of()))) {
      RequestOptions options = RequestOptions.NONE.withIfNoneMatch("\"v1\"");
      var refused = assertThrows(IllegalArgumentException.class, () -> service.lending().with(options));
      assertTrue(refused.getMessage().contains("pass it to ask"), refused.getMessage());
      Answer<Shapes.Bounds> answer = service.lending().ask(Routes.READ_BOUNDS, Map.of(), null, options);
      assertEquals(304, answer.status());
      assertNull(answer.body());
    }
  }

  @Test
  void aFollowerReportsEachPauseAfterAFailure() throws Exception {
    try (var service = new ScriptedService(
        refuse(503, "unavailable", "as_is"),
        reply(200, Map.of("events", List.of(Map.of("id", "e-1")), "cursor", "1")),
        refuse(503, "unavailable", "as_is"),
        stream(event(2)))) {
      List<Long> reported = new ArrayList<>();
      LendingOptions options = service.options().patience(Patience.within(Duration.ZERO));
      Lending lending = new Lending(options.onRetry((failure, pause) -> reported.add(pause.toMillis())));
      lending.followFeed(null, Duration.ofSeconds(1)).iterator().next();
      try (EventStream events = lending.followStream(null)) {
        events.next();
      }
      assertEquals(service.clock.pauses, reported);
      assertEquals(2, reported.size());
    }
  }

  @Test
  void aBatchHoldsAtLeastOneReceipt() throws Exception {
    try (var service = new ScriptedService(outcomes(201))) {
      assertThrows(IllegalArgumentException.class, () -> service.lending().reportInBatches(List.of(RECEIPT), 0));
    }
  }

  @ParameterizedTest
  @CsvSource({"LF", "CR", "CRLF"})
  void eventsAreTheSameForAnyChunksAndLineEnds(String lineEnd) {
    String end = lineEnd.replace("CR", "\r").replace("LF", "\n");
    byte[] text = ":note\nid:1\ndata: ñ\ndata:b\n\nevent: x\ndata\n\nid: 2\n\ndata: cut".replace("\n", end)
        .getBytes(StandardCharsets.UTF_8);
    for (int size : new int[] {1, 2, 3, text.length}) {
      EventStreamParser parser = new EventStreamParser();
      List<Event> found = new ArrayList<>();
      for (int at = 0; at < text.length; at += size) {
        int length = Math.min(size, text.length - at);
        byte[] chunk = new byte[length];
        System.arraycopy(text, at, chunk, 0, length);
        found.addAll(parser.feed(chunk, length));
      }
      assertEquals(List.of(new Event("1", "ñ\nb"), new Event("1", "")), found);
    }
  }

  @Test
  void receiptsThatMayBeSentAgainAreRepeatedAloneAndReportedInTheirOrder() throws Exception {
    try (var service = new ScriptedService(outcomes(201, 409, 422), CLOSE, outcomes(201), outcomes(200))) {
      List<Shapes.ReceiptToReport> receipts = List.of(
          RECEIPT, RECEIPT.withReference("r-2"), RECEIPT.withReference("r-3"), RECEIPT.withReference("r-4"));
      List<Long> statuses = new ArrayList<>();
      List<Long> indexes = new ArrayList<>();
      for (ReportedReceipt each : service.lending().reportInBatches(receipts, 3)) {
        indexes.add(each.index());
        statuses.add(each.outcome().status());
      }
      assertEquals(List.of(0L, 1L, 2L, 3L), indexes);
      assertEquals(List.of(201L, 201L, 422L, 200L), statuses);
      assertEquals(List.of(3, 1, 1, 1), service.requests.stream().map(LendingTest::receiptCount).toList());
    }
  }

  @Test
  void aFailedConnectionNamesTheUrlAndItsCauseAndNotTheSecret() throws Exception {
    var service = new ScriptedService(reply(200, Map.of()));
    Lending lending = new Lending(service.options().patience(Patience.within(Duration.ZERO)));
    service.close();
    var failure = assertThrows(UnreachableException.class, lending::readBounds);
    assertTrue(failure.getMessage().startsWith("GET " + service.baseUrl() + "/v1/tenants/acme/bounds: no answer"));
    assertTrue(failure.getMessage().contains("ConnectException"), failure.getMessage());
    assertFalse(failure.getMessage().contains(ScriptedService.KEY));
    assertTrue(failure.getCause() != null && !failure.outcomeUnknown());
  }

  @Test
  void noResponseInTimeIsAFailureThatIsTriedAgain() throws Exception {
    Reply never = exchange -> {
      try {
        Thread.sleep(60_000);
      } catch (InterruptedException ended) {
        // The service is closed.
      }
    };
    try (var service = new ScriptedService(never, reply(201, Map.of("receipt", Map.of())))) {
      List<String> failures = new ArrayList<>();
      LendingOptions options = service.options().answerTimeout(Duration.ofMillis(200));
      options.onRetry((failure, pause) -> failures.add(failure.getMessage()));
      new Lending(options).reportReceipt(RECEIPT);
      assertTrue(failures.get(0).endsWith("nothing within 200 ms (answerTimeout)"));
    }
  }

  @Test
  void aRefusedStreamWhoseBodyStopsIsAFailureThatIsTriedAgain() throws Exception {
    Reply stopping = exchange -> {
      exchange.sendResponseHeaders(503, 1_000);
      exchange.getResponseBody().write('{');
      exchange.getResponseBody().flush();
      try {
        Thread.sleep(60_000);
      } catch (InterruptedException ended) {
        // The service is closed.
      }
    };
    try (var service = new ScriptedService(stopping, refuse(403, "not_permitted_scope", "after_change"))) {
      List<String> failures = new ArrayList<>();
      LendingOptions options = service.options().answerTimeout(Duration.ofMillis(200));
      options.onRetry((failure, pause) -> failures.add(failure.getMessage()));
      try (EventStream stream = new Lending(options).followStream(null)) {
        assertThrows(RefusalException.class, stream::next);
      }
      assertTrue(failures.get(0).endsWith("nothing within 200 ms (answerTimeout)"), failures.get(0));
    }
  }

  @Test
  void everyResponseIsReportedWithItsHeaders() throws Exception {
    Reply changing = replyText(201, "{\"receipt\":{}}", Map.of("Sunset", "Fri, 15 Jan 2027 00:00:00 GMT"));
    try (var service = new ScriptedService(refuse(429, "rate_exceeded", "as_is"), changing)) {
      List<String> seen = new ArrayList<>();
      LendingOptions options = service.options();
      options.onAnswer(it -> {
        String sunset = it.headers().firstValue("Sunset").orElse("-");
        seen.add(it.method() + " " + it.status() + " " + it.requestId() + " " + sunset);
      });
      new Lending(options).reportReceipt(RECEIPT);
      assertEquals(List.of("POST 429 r-1 -", "POST 201 r-1 Fri, 15 Jan 2027 00:00:00 GMT"), seen);
    }
  }

  @Test
  void anInterruptedThreadEndsItsRequest() throws Exception {
    try (var service = new ScriptedService(reply(200, Map.of()))) {
      Thread.currentThread().interrupt();
      assertThrows(RequestInterruptedException.class, () -> service.lending().readBounds());
      assertTrue(Thread.interrupted());
    }
  }

  @ParameterizedTest
  @CsvSource({
      "localhost:8080, baseUrl is not a URL",
      "https://lending.example/v1, baseUrl has a path",
      "https://ana:hush@lending.example, baseUrl has a user",
      "'', baseUrl is missing"})
  void anInvalidAddressIsNamedBeforeAnythingIsSent(String baseUrl, String says) {
    LendingOptions options = new LendingOptions().baseUrl(baseUrl).tenant("acme").key(ScriptedService.KEY);
    var refused = assertThrows(IllegalArgumentException.class, () -> new Lending(options));
    assertTrue(refused.getMessage().contains(says), refused.getMessage());
    assertFalse(refused.getMessage().contains("hush"));
  }

  @Test
  void anInvalidTenancyOrKeyIsNamedBeforeAnythingIsSent() {
    LendingOptions valid = new LendingOptions().baseUrl("https://lending.example");
    LendingOptions tenancy = valid.tenant("no such/tenant").key(ScriptedService.KEY);
    var refused = assertThrows(IllegalArgumentException.class, () -> new Lending(tenancy));
    assertTrue(refused.getMessage().contains("tenant is not an identifier"), refused.getMessage());
    LendingOptions key = valid.tenant("acme").key("nonsense");
    refused = assertThrows(IllegalArgumentException.class, () -> new Lending(key));
    assertTrue(refused.getMessage().contains("not the secret of a lending key"), refused.getMessage());
  }

  @Test
  void moneyIsWholeMinorUnits() {
    assertEquals(10_356, Amounts.toMoney("103.56", "MXN").minorUnits());
    assertEquals(500, Amounts.toMoney("500", "JPY", 0).minorUnits());
    assertEquals(500, Amounts.toMoney(new BigDecimal("500"), "JPY", 0).minorUnits());
    assertEquals(new BigDecimal("103.56"), Amounts.toDecimal(Amounts.toMoney("103.56", "MXN")));
    assertThrows(IllegalArgumentException.class, () -> Amounts.toMoney("103.567", "MXN"));
  }

  @Test
  void anAnswerKeepsMembersOfALaterVersion() {
    Shapes.Money money = new Shapes.Money(Map.of("minor_units", 1, "currency", "MXN", "later", List.of(1L)));
    assertEquals(List.of(1L), money.members().get("later"));
    assertEquals(List.of(1L), money.withMinorUnits(2).members().get("later"));
    assertEquals(money, new Shapes.Money(money.members()));
  }

  @Test
  void everyRouteHasAName() {
    assertTrue(Routes.ALL.size() > 70);
    assertEquals(Routes.ALL.size(), Routes.ALL.stream().map(Route::name).distinct().count());
  }

  private static Reply stream(String text) {
    return replyText(200, text, Map.of("Content-Type", "text/event-stream"));
  }

  private static String event(int number) {
    return "id: " + number + "\ndata: {\"id\":\"e-" + number + "\"}\n\n";
  }

  private static Reply outcomes(int... statuses) {
    List<Map<String, Object>> outcomes = new ArrayList<>();
    for (int each : statuses) {
      outcomes.add(each == 409 ? Map.of("status", each, "retry", "as_is") : Map.of("status", each));
    }
    return reply(200, Map.of("outcomes", outcomes));
  }

  private static int receiptCount(ScriptedService.Request request) {
    return ((List<?>) ((Map<?, ?>) request.json()).get("receipts")).size();
  }
}
