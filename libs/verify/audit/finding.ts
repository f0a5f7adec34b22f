/** What does not hold, where, and what was due there. */
import type { Json } from '#libs/schema/json.ts';

export interface Finding {
  readonly what: string;
  /** Tenancy and book, or the partition of the topic, or the table. */
  readonly where: string;
  /** Place in the book, or in the partition. */
  readonly sequence?: number;
  readonly expected?: Json;
  readonly found?: Json;
}

/** Keeps the first of them and counts the rest: whoever mends a book wants the first difference, not a million. */
export class Findings {
  readonly listed: Finding[] = [];
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  add(finding: Finding): void {
    this.#count += 1;
    if (this.listed.length < this.#most) this.listed.push(finding);
  }
}

const longestShown = 300;

/** One line for a person. */
export function told({ what, where, sequence, expected, found }: Finding): string {
  const place = sequence === undefined ? where : `${where} ${sequence}`;
  const due = expected === undefined ? '' : `: expected ${shown(expected)}`;
  const is = found === undefined ? '' : `${due === '' ? ':' : ','} found ${shown(found)}`;
  return `${place}: ${what}${due}${is}`;
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
