package lending;

import java.net.http.HttpHeaders;

/**
 * A response, refusals included. The target is path and query. The headers {@code Deprecation}, {@code Sunset} and {@code Link}
 * say that the answer depends on what will change.
 */
public record AnsweredRequest(String method, String target, int status, HttpHeaders headers) {
  /** The service's identifier of the request; empty where a proxy answered. */
  public String requestId() {
    return headers.firstValue("Request-Id").orElse("");
  }
}
