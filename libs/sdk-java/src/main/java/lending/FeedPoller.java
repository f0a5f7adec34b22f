package lending;

import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import lending.RequestSender.OutgoingRequest;
import lending.contract.Routes;
import lending.contract.Shapes;

/** Follows the feed of Loan events without an end. A follower retries without a limit of time. */
final class FeedPoller implements Iterator<FeedEvents> {
  static final int EVENTS_OF_A_PAGE = 200;

  private final RequestSender sender;
  private final Duration pause;
  private final int limit;
  private String cursor;

  FeedPoller(RequestSender sender, String cursor, Duration pause, int limit) {
    this.sender = sender;
    this.cursor = cursor;
    this.pause = pause;
    this.limit = limit;
  }

  @Override
  public boolean hasNext() {
    return true;
  }

  @Override
  public FeedEvents next() {
    for (int failures = 0; ; ) {
      OutgoingRequest outgoing = OutgoingRequest.read(target());
      try {
        Shapes.Feed page = sender.send(outgoing, text -> Routes.READ_FEED.reader().apply(Json.parse(text))).body();
        failures = 0;
        cursor = page.cursor();
        if (!page.events().isEmpty()) return new FeedEvents(page.events(), cursor);
        sender.pause(outgoing, pause, false);
      } catch (LendingException failure) {
        failures += 1;
        sender.pauseBeforeRetry(outgoing, failure, failures);
      }
    }
  }

  private String target() {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("tenant_id", sender.tenant);
    parameters.put("limit", limit);
    parameters.put("cursor", cursor);
    return RequestTarget.of(Routes.READ_FEED.path(), Routes.READ_FEED.query(), parameters);
  }
}
