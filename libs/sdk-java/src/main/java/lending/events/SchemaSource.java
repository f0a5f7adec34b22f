package lending.events;

import java.io.IOException;

/** Where the schemas of records come from: a registry, or a cache of your own. */
@FunctionalInterface
public interface SchemaSource {
  /**
   * The Avro schema with this id. An {@link UndecodableEventException} says that there is none and ends the consumer; any other
   * exception may pass, and the consumer tries again.
   */
  String schemaOf(int id) throws IOException;
}
