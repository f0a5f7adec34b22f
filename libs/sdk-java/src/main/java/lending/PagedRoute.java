package lending;

import java.util.function.Function;

/** A route with pages: where the list of a page is, and how its items are read. */
public record PagedRoute<P extends JsonObject, I>(Route<P> route, String list, Function<Object, I> item) {}
