/**
 * How many requests are begun in one round of the loop. Else all that can be read of every line would be, before anything
 * is heard of those that are under way: each hop of theirs took a round, the rounds grew with what was asked, and under
 * twice the load nearly everybody's patience ended on the way. Who would wait for long is refused at once, before the
 * signature is looked at: that costs less than half of a request that is taken.
 */
export interface IntakeBounds {
  readonly mostInRound: number;
  /** Let in and not answered. */
  readonly mostInside: number;
  /** Those inside, and those who wait to be. */
  readonly mostHeld: number;
  readonly longestWaitMs: number;
}

const usual: IntakeBounds = { mostInRound: 128, mostInside: 512, mostHeld: 768, longestWaitMs: 1_000 };

/** How late somebody who waits is told that it was too long. */
const expiryMs = 50;

const ofLateMs = 1_000;

interface Waiting {
  readonly since: number;
  readonly begin: (isBegun: boolean) => void;
}

export class AdmissionControl {
  readonly #bounds: IntakeBounds;
  #waiting: Waiting[] = [];
  #begun = 0;
  #lastFull = Number.NEGATIVE_INFINITY;
  #inside = 0;
  #round: NodeJS.Immediate | undefined;
  #expiry: NodeJS.Timeout | undefined;

  constructor(bounds: IntakeBounds = usual) {
    this.#bounds = bounds;
  }

  /** At once where there is room and where too many wait already; else told when there is, or that there was none in time. */
  begin(): boolean | Promise<boolean> {
    this.#round ??= setImmediate(() => this.#goRound());
    if (this.#hasRoomAtOnce) {
      this.#begun += 1;
      return true;
    }
    if (this.isFull) {
      this.#lastFull = performance.now();
      return false;
    }
    return new Promise((begin) => this.#waiting.push({ since: performance.now(), begin }));
  }

  /** Whoever comes now is turned away. */
  get isFull(): boolean {
    return !this.#hasRoomAtOnce && this.#inside + this.#begun + this.#waiting.length >= this.#bounds.mostHeld;
  }

  /** Whether somebody was turned away of late. */
  get wasFull(): boolean {
    return performance.now() - this.#lastFull < ofLateMs;
  }

  get #hasRoomAtOnce(): boolean {
    return this.#waiting.length === 0 && this.#hasRoom();
  }

  entered(): void {
    this.#inside += 1;
  }

  left(): void {
    this.#inside -= 1;
    if (this.#waiting.length > 0) this.#round ??= setImmediate(() => this.#goRound());
  }

  /**
   * Who was begun in this round may be inside already: counted twice for its rest, where the bound is near. Whose body or
   * signature takes longer than that is counted when it has entered.
   */
  #hasRoom(): boolean {
    return this.#begun < this.#bounds.mostInRound && this.#inside + this.#begun < this.#bounds.mostInside;
  }

  #goRound(): void {
    this.#round = undefined;
    this.#begun = 0;
    const late = performance.now() - this.#bounds.longestWaitMs;
    let at = 0;
    for (; at < this.#waiting.length; at += 1) {
      const { since, begin } = this.#waiting[at] as Waiting;
      if (since < late) begin(false);
      else if (this.#hasRoom()) {
        this.#begun += 1;
        begin(true);
      } else break;
    }
    this.#waiting.splice(0, at);
    clearTimeout(this.#expiry);
    if (this.#waiting.length === 0) return;
    // Another round makes room in itself, but none inside: for that somebody has to leave.
    if (this.#begun === this.#bounds.mostInRound) this.#round = setImmediate(() => this.#goRound());
    else this.#expiry = setTimeout(() => this.#goRound(), expiryMs);
  }
}
