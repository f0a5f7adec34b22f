package lending.events;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import lending.JsonObject;

/** A schema registry with the Confluent API, and headers such as an {@code Authorization}. */
public final class RegistryAddress implements SchemaSource {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final String url;
  private final Map<String, String> headers;

  public RegistryAddress(String url) {
    this(url, Map.of());
  }

  public RegistryAddress(String url, Map<String, String> headers) {
    this.url = url.replaceAll("/+$", "");
    this.headers = Map.copyOf(headers);
  }

  @Override
  public String schemaOf(int id) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/schemas/ids/" + id)).timeout(TIMEOUT);
    headers.forEach(request::header);
    HttpResponse<String> answer = send(request.build());
    if (answer.statusCode() == 404) throw new UndecodableEventException("the schema registry has no schema " + id);
    if (answer.statusCode() != 200) {
      throw new IOException("the schema registry returned " + answer.statusCode() + " for schema " + id + "; expected 200");
    }
    return (String) JsonObject.parse(answer.body()).members().get("schema");
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException cause) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the schema registry was asked", cause);
    }
  }
}
