package lending;

import java.util.List;
import lending.contract.Shapes;

/**
 * Store the cursor with the effects of the events: a follower that continues from it misses and repeats nothing. Feed and
 * stream accept each other's cursors.
 */
public record FeedEvents(List<Shapes.FeedEvent> events, String cursor) {}
