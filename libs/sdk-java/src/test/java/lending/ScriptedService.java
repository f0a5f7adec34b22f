package lending;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server that answers with scripted replies and records the requests; the last reply answers all further ones. */
final class ScriptedService implements AutoCloseable {
  static final String KEY = "lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";

  record Request(String method, String target, Map<String, String> headers, String body) {
    Object json() {
      return Json.parse(body);
    }
  }

  interface Reply {
    void answer(HttpExchange exchange) throws IOException;
  }

  /** A clock whose pauses take no time and are recorded in milliseconds. */
  static final class InstantClock implements Clock {
    final List<Long> pauses = Collections.synchronizedList(new ArrayList<>());
    private long now = System.currentTimeMillis();

    @Override
    public synchronized long nowMs() {
      return now;
    }

    @Override
    public double random() {
      return 0.5;
    }

    @Override
    public synchronized void pause(Duration duration) {
      pauses.add(duration.toMillis());
      now += duration.toMillis();
    }
  }

  final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
  final InstantClock clock = new InstantClock();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  ScriptedService(Reply... script) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", exchange -> {
      Map<String, String> headers = new HashMap<>();
      exchange.getRequestHeaders().forEach((name, values) -> headers.put(name.toLowerCase(), values.get(0)));
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      requests.add(new Request(exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, body));
      script[Math.min(requests.size(), script.length) - 1].answer(exchange);
      exchange.close();
    });
    server.start();
  }

  String baseUrl() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  LendingOptions options() {
    return new LendingOptions().baseUrl(baseUrl()).tenant("acme").key(KEY).clock(clock);
  }

  Lending lending() {
    return new Lending(options());
  }

  List<String> targets() {
    return requests.stream().map(Request::target).toList();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  static Reply reply(int status, Object body) {
    return replyText(status, Json.write(body), Map.of());
  }

  static Reply replyText(int status, String text, Map<String, String> headers) {
    return exchange -> {
      exchange.getResponseHeaders().set("Request-Id", "r-1");
      headers.forEach(exchange.getResponseHeaders()::set);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, status == 304 ? -1 : bytes.length == 0 ? -1 : bytes.length);
      if (status != 304) exchange.getResponseBody().write(bytes);
    };
  }

  static Reply refuse(int status, String code, String retry, Map<String, ?> more) {
    Map<String, Object> body = new LinkedHashMap<>(Map.of("error", "It is " + code + ".", "code", code));
    body.put("retry", retry);
    body.put("request_id", "r-1");
    body.putAll(more);
    return reply(status, body);
  }

  static Reply refuse(int status, String code, String retry) {
    return refuse(status, code, retry, Map.of());
  }

  /** Closes the connection without a response. */
  static final Reply CLOSE = HttpExchange::close;
}
