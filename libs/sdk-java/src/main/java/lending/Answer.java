package lending;

import java.net.http.HttpHeaders;

/** An answer with its status and headers. The body of a 304 is null. */
public record Answer<A>(int status, A body, HttpHeaders headers) {
  /** The service's identifier of the request. */
  public String requestId() {
    return headers.firstValue("Request-Id").orElse("");
  }
}
