package lending;

import java.time.Duration;

/** No attempt starts later than {@code within} after the first one. Pauses double from the first to the longest. */
public record Patience(Duration within, Duration firstPause, Duration longestPause) {
  /** 30 seconds, with pauses of 0.1 to 5 seconds. */
  public static final Patience DEFAULT = new Patience(Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofSeconds(5));

  public Patience {
    if (within.isNegative() || firstPause.isNegative() || longestPause.isNegative()) {
      throw new IllegalArgumentException("patience has a negative duration; expected zero or more");
    }
  }

  /** The default pauses within another time. */
  public static Patience within(Duration within) {
    return new Patience(within, DEFAULT.firstPause, DEFAULT.longestPause);
  }

  /** At least the Retry-After, with jitter: callers that were refused together must not return together. */
  Duration pauseAfter(int failures, double random, long retryAfterSeconds) {
    // The exponent has a limit because a follower of the feed retries for as long as an outage lasts.
    double doubled = firstPause.toMillis() * Math.pow(2, Math.min(failures - 1, 30));
    double jittered = Math.min(doubled, longestPause.toMillis()) * (0.5 + random / 2);
    return Duration.ofSeconds(retryAfterSeconds).plusMillis((long) jittered);
  }
}
