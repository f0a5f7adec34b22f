package lending;

/** Options of requests, for {@link Lending#with(RequestOptions)} and {@link Lending#ask}. Each may be null. */
public record RequestOptions(String callerRequestId, String idempotencyKey, String ifNoneMatch) {
  public static final RequestOptions NONE = new RequestOptions(null, null, null);

  /** Recorded with the service's own identifier of the request. */
  public RequestOptions withCallerRequestId(String value) {
    return new RequestOptions(value, idempotencyKey, ifNoneMatch);
  }

  /** Makes a repeat safe on routes without a reference; generated for each call where it is left out. */
  public RequestOptions withIdempotencyKey(String value) {
    return new RequestOptions(callerRequestId, value, ifNoneMatch);
  }

  /** For {@link Lending#ask} alone: an answer that still has this entity tag is a 304 without a body. */
  public RequestOptions withIfNoneMatch(String value) {
    return new RequestOptions(callerRequestId, idempotencyKey, value);
  }
}
