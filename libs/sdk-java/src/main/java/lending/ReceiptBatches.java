package lending;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import lending.RequestSender.OutgoingRequest;
import lending.contract.Routes;
import lending.contract.Shapes;

/** Posts Receipts in batches, one batch after the other, so that each book records them in their order. */
final class ReceiptBatches implements Iterator<ReportedReceipt> {
  static final int MAX_RECEIPTS = 1_000;
  // The service accepts 8 MiB.
  private static final int MAX_BATCH_BYTES = 7 * 1024 * 1024;

  private record Pending(long index, Shapes.ReceiptToReport receipt, byte[] json) {}

  private final RequestSender sender;
  private final Iterator<Shapes.ReceiptToReport> receipts;
  private final int maxReceipts;
  private final Deque<ReportedReceipt> reported = new ArrayDeque<>();
  private Pending next;
  private long count;

  ReceiptBatches(RequestSender sender, Iterator<Shapes.ReceiptToReport> receipts, int together) {
    this.sender = sender;
    this.receipts = receipts;
    maxReceipts = Math.min(together, MAX_RECEIPTS);
    advance();
  }

  @Override
  public boolean hasNext() {
    return !reported.isEmpty() || next != null;
  }

  @Override
  public ReportedReceipt next() {
    if (!hasNext()) throw new NoSuchElementException("all Receipts are reported");
    if (reported.isEmpty()) reported.addAll(postUntilFinal(takeBatch()));
    return reported.poll();
  }

  private void advance() {
    if (!receipts.hasNext()) {
      next = null;
      return;
    }
    Shapes.ReceiptToReport receipt = receipts.next();
    next = new Pending(count, receipt, receipt.toJson().getBytes(StandardCharsets.UTF_8));
    count += 1;
  }

  private List<Pending> takeBatch() {
    List<Pending> batch = new ArrayList<>();
    int bytes = 0;
    while (next != null && (batch.isEmpty() || (batch.size() < maxReceipts && bytes + next.json().length <= MAX_BATCH_BYTES))) {
      batch.add(next);
      bytes += next.json().length + 1;
      advance();
    }
    return batch;
  }

  /** Repeats the Receipts that may be sent again, in their order, until the time for retries has passed. */
  private Collection<ReportedReceipt> postUntilFinal(List<Pending> batch) {
    long deadline = sender.clock.nowMs() + sender.patience.within().toMillis();
    Map<Long, ReportedReceipt> results = new TreeMap<>();
    List<Pending> remaining = batch;
    for (int failures = 1; !remaining.isEmpty(); failures += 1) {
      OutgoingRequest outgoing = request(remaining);
      List<Shapes.ReceiptBatchOutcome> outcomes = post(outgoing, remaining.size());
      long retryAfter = 0;
      for (Shapes.ReceiptBatchOutcome each : outcomes) {
        if (mayBeRepeated(each)) retryAfter = Math.max(retryAfter, each.retryAfter().orElse(0L));
      }
      Duration pause = sender.patience.pauseAfter(failures, sender.clock.random(), retryAfter);
      boolean isExpired = sender.clock.nowMs() + pause.toMillis() > deadline;
      List<Pending> again = new ArrayList<>();
      for (int at = 0; at < remaining.size(); at += 1) {
        Pending pending = remaining.get(at);
        Shapes.ReceiptBatchOutcome outcome = outcomes.get(at);
        if (mayBeRepeated(outcome) && !isExpired) again.add(pending);
        else results.put(pending.index(), new ReportedReceipt(pending.index(), pending.receipt(), outcome));
      }
      remaining = again;
      if (!remaining.isEmpty()) sender.pause(outgoing, pause, true);
    }
    return results.values();
  }

  private static boolean mayBeRepeated(Shapes.ReceiptBatchOutcome outcome) {
    return outcome.retry().filter("as_is"::equals).isPresent();
  }

  private OutgoingRequest request(List<Pending> batch) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes("{\"receipts\":[".getBytes(StandardCharsets.UTF_8));
    for (int at = 0; at < batch.size(); at += 1) {
      if (at > 0) body.write(',');
      body.writeBytes(batch.get(at).json());
    }
    body.writeBytes("]}".getBytes(StandardCharsets.UTF_8));
    String target = RequestTarget.of(Routes.REPORT_RECEIPTS.path(), List.of(), Map.of("tenant_id", sender.tenant));
    return new OutgoingRequest("POST", target, body.toByteArray(), null, Map.of());
  }

  private List<Shapes.ReceiptBatchOutcome> post(OutgoingRequest outgoing, int expected) {
    var answer = sender.send(outgoing, text -> Routes.REPORT_RECEIPTS.reader().apply(Json.parse(text)));
    List<Shapes.ReceiptBatchOutcome> outcomes = answer.body().outcomes();
    if (outcomes.size() == expected) return outcomes;
    throw sender.unreachable(outgoing, "the number of outcomes differs from the number of Receipts", null, true);
  }
}
