package lending;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Time and randomness, replaced in tests that must not wait. */
interface Clock {
  /** Milliseconds since 1970-01-01. */
  long nowMs();

  /** From 0 inclusive to 1 exclusive. */
  double random();

  void pause(Duration duration) throws InterruptedException;

  Clock SYSTEM = new Clock() {
    @Override
    public long nowMs() {
      return System.currentTimeMillis();
    }

    @Override
    public double random() {
      return ThreadLocalRandom.current().nextDouble();
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
      Thread.sleep(duration.toMillis());
    }
  };
}
