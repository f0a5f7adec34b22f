/** What an audit found: each difference with its place, and the expected and found values. */
import type { Json } from '#libs/schema/json.ts';

export interface Finding {
  readonly what: string;
  /** Tenancy and book, a partition of the topic, or a table. */
  readonly where: string;
  /** The sequence number in the book or partition. */
  readonly sequence?: number;
  readonly expected?: Json;
  readonly found?: Json;
}

/** As a file holds them. */
export interface FindingList {
  readonly listed: readonly Finding[];
  readonly count: number;
}

/** Lists the first findings and counts the rest: the first difference of a book shows its cause. */
export class Findings implements FindingList {
  readonly listed: Finding[] = [];
  readonly #maxListed: number;
  #count = 0;

  constructor(maxListed: number) {
    this.#maxListed = maxListed;
  }

  get count(): number {
    return this.#count;
  }

  add(finding: Finding): void {
    this.#count += 1;
    if (this.listed.length < this.#maxListed) this.listed.push(finding);
  }

  addAll({ listed, count }: FindingList): void {
    this.#count += count;
    this.listed.push(...listed.slice(0, Math.max(0, this.#maxListed - this.listed.length)));
  }

  toJSON(): FindingList {
    return { listed: this.listed, count: this.#count };
  }
}

export function mergeFindings(lists: readonly FindingList[], maxListed: number): Findings {
  const merged = new Findings(maxListed);
  for (const list of lists) merged.addAll(list);
  return merged;
}

const maxValueLength = 300;

/** One line of text. */
export function formatFinding({ what, where, sequence, expected, found }: Finding): string {
  const place = sequence === undefined ? where : `${where} ${sequence}`;
  const values = [
    ...(expected === undefined ? [] : [`expected ${formatValue(expected)}`]),
    ...(found === undefined ? [] : [`found ${formatValue(found)}`]),
  ];
  return `${place}: ${what}${values.length === 0 ? '' : `: ${values.join(', ')}`}`;
}

function formatValue(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
