package lending;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import lending.EventStreamParser.Event;
import lending.RequestSender.OutgoingRequest;
import lending.contract.Routes;
import lending.contract.Shapes;

/**
 * Follows the Loan events by a stream without an end, for one thread. It connects again where the connection ends, where it
 * fails, and where nothing arrives for some time. {@link #close()} ends it, also from another thread: a waiting
 * {@link #hasNext()} then returns false, and a loop ends. An interrupt does not end a read of Java 17.
 */
public final class EventStream implements Iterable<FeedEvents>, Iterator<FeedEvents>, AutoCloseable {
  private static final int BUFFER_BYTES = 16 * 1024;

  private final RequestSender sender;
  private final String target;
  private final Duration silence;
  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(EventStream::daemon);
  private final Deque<Event> events = new ArrayDeque<>();
  private EventStreamParser parser = new EventStreamParser();
  private volatile InputStream stream;
  private volatile boolean isClosed;
  private String cursor;
  private int failures;

  EventStream(RequestSender sender, String cursor, Duration silence) {
    this.sender = sender;
    this.cursor = cursor;
    this.silence = silence;
    target = RequestTarget.of(Routes.STREAM_PATH, List.of(), Map.of("tenant_id", sender.tenant));
  }

  @Override
  public Iterator<FeedEvents> iterator() {
    return this;
  }

  /** Waits for the next events. False once the stream is closed. */
  @Override
  public boolean hasNext() {
    while (events.isEmpty() && !isClosed) {
      OutgoingRequest outgoing = request();
      try {
        read(outgoing);
      } catch (LendingException failure) {
        disconnect();
        if (isClosed) return false;
        failures += 1;
        sender.pauseBeforeRetry(outgoing, failure, failures);
      }
    }
    return !isClosed;
  }

  @Override
  public FeedEvents next() {
    if (!hasNext()) throw new NoSuchElementException("the stream was closed");
    Event event = events.poll();
    if (event.id().isEmpty()) throw sender.unreachable(request(), "an event without a cursor", null, false);
    failures = 0;
    cursor = event.id();
    return new FeedEvents(List.of(Readers.object(Shapes.FeedEvent::new).apply(Json.parse(event.data()))), cursor);
  }

  @Override
  public void close() {
    isClosed = true;
    disconnect();
    watch.shutdownNow();
  }

  private void read(OutgoingRequest outgoing) {
    if (stream == null) {
      parser = new EventStreamParser();
      stream = sender.open(outgoing);
    }
    byte[] bytes = new byte[BUFFER_BYTES];
    int length = readWatched(outgoing, bytes);
    if (isClosed) return;
    if (length >= 0) {
      events.addAll(parser.feed(bytes, length));
      return;
    }
    // Closed by the service, which may be stopping: connect again.
    disconnect();
    Duration pause = sender.patience.pauseAfter(1, sender.clock.random(), 0);
    Duration requested = parser.reconnectDelay();
    sender.pause(outgoing, requested.compareTo(pause) > 0 ? requested : pause, false);
  }

  /** A peer that vanished does not close its connection: it is closed here where nothing arrives. */
  private int readWatched(OutgoingRequest outgoing, byte[] bytes) {
    InputStream watched = stream;
    // close() may have run while the connection was opened, and has not seen it then.
    if (isClosed) {
      if (watched != null) closeQuietly(watched);
      return -1;
    }
    boolean[] isSilent = {false};
    ScheduledFuture<?> timeout;
    try {
      timeout = watch.schedule(() -> {
        isSilent[0] = true;
        closeQuietly(watched);
      }, silence.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException cause) {
      // Closed meanwhile.
      return -1;
    }
    try {
      int length = watched.read(bytes);
      if (timeout.cancel(false)) return length;
      throw sender.unreachable(outgoing, silenceReason(), null, false);
    } catch (IOException cause) {
      timeout.cancel(false);
      String reason = isSilent[0] ? silenceReason() : RequestSender.reason(cause);
      throw sender.unreachable(outgoing, reason, cause, false);
    }
  }

  private String silenceReason() {
    return "nothing was received for " + silence.toMillis() + " ms";
  }

  private void disconnect() {
    InputStream opened = stream;
    stream = null;
    if (opened != null) closeQuietly(opened);
  }

  private OutgoingRequest request() {
    Map<String, String> accept = Map.of("Accept", "text/event-stream");
    Map<String, String> after = cursor == null ? accept : Map.of("Accept", "text/event-stream", "Last-Event-ID", cursor);
    return new OutgoingRequest("GET", target, null, null, after);
  }

  private static void closeQuietly(InputStream stream) {
    try {
      stream.close();
    } catch (IOException cause) {
      // It is not read any more.
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "lending-event-stream");
    thread.setDaemon(true);
    return thread;
  }
}
