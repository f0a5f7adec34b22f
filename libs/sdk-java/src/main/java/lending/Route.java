package lending;

import java.util.List;
import java.util.function.Function;

/**
 * A route of the contract. The path has its parameters in braces; {@code query} names the query parameters in their order. A
 * keyed route has no reference, so an Idempotency-Key makes a repeat safe. The answer of a text route is no JSON.
 */
public record Route<A>(
    String name,
    String method,
    String path,
    List<String> query,
    boolean isKeyed,
    boolean isText,
    Function<Object, A> reader) {}
