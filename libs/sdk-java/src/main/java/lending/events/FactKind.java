package lending.events;

import java.util.Map;
import java.util.function.Function;

/** A kind of fact and the view of its body: one of {@link lending.contract.FactKinds}. */
public record FactKind<B>(String name, Function<Map<String, Object>, B> view) {}
