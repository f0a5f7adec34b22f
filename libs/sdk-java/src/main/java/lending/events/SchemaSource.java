package lending.events;

import java.io.IOException;

/** Where the schemas of records come from: a registry, or a cache of your own. */
@FunctionalInterface
public interface SchemaSource {
  /** The Avro schema with this id. */
  String schemaOf(int id) throws IOException;
}
