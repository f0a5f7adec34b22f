package lending;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import lending.contract.Shapes;

/** Sends requests, signs each attempt, and turns responses into answers or exceptions. */
final class RequestSender {
  private static final byte[] NO_BODY = new byte[0];

  /** A refusal is read whole, within the time of an attempt. */
  private static final BodyHandler<InputStream> STREAM_OR_REFUSAL = response -> isSuccess(response.statusCode())
      ? BodySubscribers.ofInputStream()
      : BodySubscribers.mapping(BodySubscribers.ofByteArray(), ByteArrayInputStream::new);

  /** The target is path and query. Body and idempotencyKey are null where there is none. */
  record OutgoingRequest(String method, String target, byte[] body, String idempotencyKey, Map<String, String> headers) {
    static OutgoingRequest read(String target) {
      return new OutgoingRequest("GET", target, null, null, Map.of());
    }

    boolean isRead() {
      return method.equals("GET");
    }
  }

  final String tenant;
  final Clock clock;
  final Patience patience;
  private final String baseUrl;
  private final Signer signer;
  private final LendingOptions options;
  private final HttpClient http;

  RequestSender(LendingOptions options) {
    this.options = options;
    baseUrl = options.checkedBaseUrl();
    tenant = options.checkedTenant();
    signer = options.checkedSigner();
    clock = options.clock;
    patience = options.patience;
    // Without a version the JDK asks a service without TLS to change to HTTP/2.
    http = options.http != null ? options.http : HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  /** Retries until an answer, a refusal that a retry cannot change, or the end of the time for retries. */
  <A> Answer<A> send(OutgoingRequest outgoing, Function<String, A> reader) {
    long deadline = clock.nowMs() + patience.within().toMillis();
    boolean outcomeUnknown = false;
    for (int failures = 1; ; failures += 1) {
      try {
        return attempt(outgoing, reader, outcomeUnknown);
      } catch (LendingException failure) {
        if (!failure.isRetryable()) throw failure;
        outcomeUnknown = failure.outcomeUnknown();
        Duration pause = pauseAfter(failures, failure);
        if (clock.nowMs() + pause.toMillis() > deadline) throw failure;
        options.onRetry.accept(failure, pause);
        pause(outgoing, pause, outcomeUnknown);
      }
    }
  }

  /** One attempt of a read whose body is a stream. The caller closes it. */
  InputStream open(OutgoingRequest outgoing) {
    HttpResponse<InputStream> response = exchange(outgoing, STREAM_OR_REFUSAL);
    if (isSuccess(response.statusCode())) return response.body();
    try (InputStream body = response.body()) {
      throw failure(outgoing, response, new String(body.readAllBytes(), StandardCharsets.UTF_8), false);
    } catch (IOException cause) {
      throw unreachable(outgoing, reason(cause), cause, false);
    }
  }

  Duration pauseAfter(int failures, LendingException failure) {
    return patience.pauseAfter(failures, clock.random(), failure.retryAfter().orElse(0L));
  }

  /** Of a follower, which retries without a limit of time. Throws what a retry cannot change. */
  void pauseBeforeRetry(OutgoingRequest outgoing, LendingException failure, int failures) {
    if (!failure.isRetryable()) throw failure;
    Duration pause = pauseAfter(failures, failure);
    options.onRetry.accept(failure, pause);
    pause(outgoing, pause, false);
  }

  void pause(OutgoingRequest outgoing, Duration pause, boolean outcomeUnknown) {
    try {
      clock.pause(pause);
    } catch (InterruptedException cause) {
      throw new RequestInterruptedException(describe(outgoing), cause, outcomeUnknown);
    }
  }

  UnreachableException unreachable(OutgoingRequest outgoing, String reason, Throwable cause, boolean outcomeUnknown) {
    return new UnreachableException(describe(outgoing), reason, cause, outcomeUnknown);
  }

  /** Names the full URL, because a wrong address is as likely as a failed service. */
  String describe(OutgoingRequest outgoing) {
    return outgoing.method() + " " + baseUrl + outgoing.target();
  }

  private <A> Answer<A> attempt(OutgoingRequest outgoing, Function<String, A> reader, boolean mayBeRecorded) {
    HttpResponse<byte[]> response = exchange(outgoing, BodyHandlers.ofByteArray());
    int status = response.statusCode();
    String text = new String(response.body(), StandardCharsets.UTF_8);
    if (status == 304) return new Answer<>(status, null, response.headers());
    if (!isSuccess(status)) throw failure(outgoing, response, text, mayBeRecorded);
    try {
      return new Answer<>(status, reader.apply(text), response.headers());
    } catch (IllegalArgumentException | ClassCastException cause) {
      // Cut off, or of a proxy.
      throw failure(outgoing, response, text, mayBeRecorded);
    }
  }

  /** The timeout of the JDK ends with the headers; a body may stop as well, so the whole exchange is limited. */
  private <B> HttpResponse<B> exchange(OutgoingRequest outgoing, BodyHandler<B> handler) {
    boolean isWrite = !outgoing.isRead();
    CompletableFuture<HttpResponse<B>> exchange = http.sendAsync(signed(outgoing), handler);
    HttpResponse<B> response;
    try {
      response = exchange.get(options.answerTimeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      throw unreachable(outgoing, reason(failed.getCause()), failed.getCause(), isWrite);
    } catch (TimeoutException cause) {
      exchange.cancel(true);
      throw unreachable(outgoing, "nothing within " + options.answerTimeout.toMillis() + " ms (answerTimeout)", cause, isWrite);
    } catch (InterruptedException cause) {
      exchange.cancel(true);
      throw new RequestInterruptedException(describe(outgoing), cause, isWrite);
    }
    options.onAnswer.accept(
        new AnsweredRequest(outgoing.method(), outgoing.target(), response.statusCode(), response.headers()));
    return response;
  }

  private HttpRequest signed(OutgoingRequest outgoing) {
    byte[] body = outgoing.body() == null ? NO_BODY : outgoing.body();
    long seconds = clock.nowMs() / 1_000;
    String key = outgoing.idempotencyKey();
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + outgoing.target()))
        .method(outgoing.method(), outgoing.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
        .header("Authorization", Signing.authorization(signer, outgoing.method(), outgoing.target(), seconds, body, key))
        .header("Contract-Version", options.contractVersion);
    if (outgoing.body() != null) request.header("Content-Type", "application/json");
    if (key != null) request.header("Idempotency-Key", key);
    outgoing.headers().forEach(request::header);
    return request.build();
  }

  private LendingException failure(OutgoingRequest outgoing, HttpResponse<?> response, String text, boolean mayBeRecorded) {
    int status = response.statusCode();
    Object body = isSuccess(status) ? null : parsed(text);
    if (!RefusalException.isRefusal(body)) {
      String reason = status + ", not an answer of the lending service: check baseUrl and what is between";
      // A success that cannot be read was cut off on the way.
      boolean isTemporary = isSuccess(status) || status == 429 || status >= 500;
      return new UnreachableException(describe(outgoing), reason, null, !outgoing.isRead(), retryAfter(response), isTemporary);
    }
    Shapes.Refusal refusal = Readers.object(Shapes.Refusal::new).apply(body);
    // Where the service had looked up the reference, no earlier attempt was recorded.
    boolean isFinal = (status == 404 || status == 409 || status == 422) && !refusal.retry().equals("as_is");
    boolean outcomeUnknown = !outgoing.isRead() && (status >= 500 || (mayBeRecorded && !isFinal));
    return new RefusalException(outgoing.method() + " " + outgoing.target(), status, refusal, outcomeUnknown);
  }

  /** Null for a header that is absent, or a date. */
  private static Long retryAfter(HttpResponse<?> response) {
    String header = response.headers().firstValue("Retry-After").orElse("");
    return header.matches("[0-9]{1,9}") ? Long.valueOf(header) : null;
  }

  private static boolean isSuccess(int status) {
    return status >= 200 && status < 300;
  }

  /** Null where it is not JSON. */
  private static Object parsed(String text) {
    try {
      return Json.parse(text);
    } catch (IllegalArgumentException cause) {
      return null;
    }
  }

  /** Some failures of a connection have no text of their own, and some only in their cause. */
  static String reason(Throwable cause) {
    Throwable withText = cause;
    while (withText.getMessage() == null && withText.getCause() != null) withText = withText.getCause();
    return cause.getClass().getSimpleName() + (withText.getMessage() == null ? "" : ": " + withText.getMessage());
  }
}
