package lending;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import lending.RequestSender.OutgoingRequest;
import lending.contract.RouteMethods;
import lending.contract.Routes;
import lending.contract.Shapes;

/** The client of one Tenancy of the lending service. It may be shared by threads; interrupting a thread ends its request, but not a stream. */
public final class Lending extends RouteMethods {
  private final RequestSender sender;
  private final RequestOptions options;

  /** Address, Tenancy and key come from LENDING_URL, LENDING_TENANT and LENDING_KEY. */
  public Lending() {
    this(new LendingOptions());
  }

  public Lending(LendingOptions options) {
    this(new RequestSender(options), RequestOptions.NONE);
  }

  private Lending(RequestSender sender, RequestOptions options) {
    this.sender = sender;
    this.options = options;
  }

  /** The same client, with options for each of its requests. If-None-Match is refused: methods return no status. */
  public Lending with(RequestOptions value) {
    if (value.ifNoneMatch() != null) {
      throw new IllegalArgumentException("ifNoneMatch is an option of ask alone, because the body of a 304 is null: pass it to ask");
    }
    return new Lending(sender, value);
  }

  /** Calls a route of {@link Routes} and returns status and headers as well. The body of a 304 is null. */
  public <A> Answer<A> ask(Route<A> route, Map<String, ?> parameters, JsonObject body, RequestOptions more) {
    Map<String, Object> all = new HashMap<>(parameters);
    all.put("tenant_id", sender.tenant);
    Map<String, String> headers = new LinkedHashMap<>();
    if (more.callerRequestId() != null) headers.put("Request-Id", more.callerRequestId());
    if (more.ifNoneMatch() != null) headers.put("If-None-Match", more.ifNoneMatch());
    // Without a key, a creation whose response was lost would be performed twice by the retry.
    String key = more.idempotencyKey() == null && route.isKeyed() ? UUID.randomUUID().toString() : more.idempotencyKey();
    byte[] bytes = body == null ? null : body.toJson().getBytes(StandardCharsets.UTF_8);
    String target = RequestTarget.of(route.path(), route.query(), all);
    Function<String, A> reader = text -> route.reader().apply(route.isText() ? text : Json.parse(text));
    return sender.send(new OutgoingRequest(route.method(), target, bytes, key, headers), reader);
  }

  /** The Loan events of the Tenancy after a cursor, which is null for the beginning, by polling. It has no end. */
  public Iterable<FeedEvents> followFeed(String cursor, Duration pause) {
    return followFeed(cursor, pause, FeedPoller.EVENTS_OF_A_PAGE);
  }

  /** With at most this number of events at once. */
  public Iterable<FeedEvents> followFeed(String cursor, Duration pause, int limit) {
    return () -> new FeedPoller(sender, cursor, pause, limit);
  }

  /** The same events, by a stream, which the caller closes. Closing it from another thread ends the loop over it. */
  public EventStream followStream(String cursor) {
    return followStream(cursor, Duration.ofSeconds(45));
  }

  /** Connects again where neither an event nor a heartbeat arrives for this time. The service sends one every 15 seconds. */
  public EventStream followStream(String cursor, Duration silence) {
    return new EventStream(sender, cursor, silence);
  }

  /** Posts any number of Receipts in batches, and returns the outcome of each in the order of the input. */
  public Iterable<ReportedReceipt> reportInBatches(Iterable<Shapes.ReceiptToReport> receipts) {
    return reportInBatches(receipts, ReceiptBatches.MAX_RECEIPTS);
  }

  /** With at most this number of Receipts in a batch. */
  public Iterable<ReportedReceipt> reportInBatches(Iterable<Shapes.ReceiptToReport> receipts, int together) {
    if (together < 1) throw new IllegalArgumentException("together is " + together + "; expected a whole number of 1 or more");
    return () -> new ReceiptBatches(sender, receipts.iterator(), together);
  }

  @Override
  protected <A> A call(Route<A> route, Map<String, ?> parameters, JsonObject body) {
    return ask(route, parameters, body, options).body();
  }

  @Override
  protected <P extends JsonObject, I> Listing<P, I> list(
      PagedRoute<P, I> route, Map<String, ?> parameters, JsonObject body) {
    return new Listing<>(this::call, route, parameters, body);
  }
}
