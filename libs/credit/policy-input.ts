import { type Decimal, decimalForm, decimalOf, parseDecimal } from '#libs/credit/decimal.ts';
import type { DetailValue } from '#libs/schema/refusals.ts';

/** What is broken, and where: a JSON pointer, what should stand there, what does. */
export type Break = { readonly field: string; readonly bound: DetailValue; readonly observed?: DetailValue };

const PRINTABLE = /^(?! )(?:[^\p{C}\p{Z}]| )+(?<! )$/u;

/**
 * Reads a document and keeps the first thing that is broken in it. After a break it goes on with placeholders, so that
 * readers need no branch of their own: who reads asks for `first` at the end, before believing any of it.
 */
export class Reading {
  first: Break | undefined;

  note(field: string, bound: DetailValue, observed?: unknown): void {
    this.first ??= { field, bound, ...(observed === undefined ? {} : { observed: shown(observed) }) };
  }

  /** An object's members: unknown ones are broken first, then missing ones, each in the order of the table. */
  members(value: unknown, at: string, required: readonly string[], optional: readonly string[]): Members {
    if (!isObject(value)) {
      this.note(at, 'an object', value);
      return {};
    }
    for (const name of Object.keys(value)) {
      if (!required.includes(name) && !optional.includes(name)) {
        this.note(`${at}/${pointed(name)}`, [...required, ...optional], name);
      }
    }
    for (const name of required) {
      if (!Object.hasOwn(value, name)) this.note(`${at}/${name}`, 'required');
    }
    return value;
  }

  list<Item>(value: unknown, at: string, read: (item: unknown, at: string) => Item): readonly Item[] {
    if (Array.isArray(value)) return value.map((item, index) => read(item, `${at}/${index}`));
    this.note(at, 'an array', value);
    return [];
  }

  /** A name: printable, and no space at either end. */
  name(value: unknown, at: string, most: number): string {
    if (isText(value, most) && PRINTABLE.test(value)) return value;
    this.note(at, `1 to ${most} printable characters`, value);
    return '';
  }

  text(value: unknown, at: string, most: number): string {
    if (isText(value, most)) return value;
    this.note(at, `1 to ${most} characters`, value);
    return '';
  }

  integer(value: unknown, at: string, least: number, most: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    this.note(at, `an integer from ${least} to ${most}`, value);
    return least;
  }

  decimal(value: unknown, at: string): Decimal {
    const parsed = parseDecimal(value);
    if (parsed === undefined) this.note(at, decimalForm, value);
    return parsed ?? decimalOf(0);
  }

  oneOf<const Member extends string>(value: unknown, at: string, members: readonly [Member, ...Member[]]): Member {
    const found = members.find((member) => member === value);
    if (found === undefined) this.note(at, members, value);
    return found ?? members[0];
  }
}

export type Members = { readonly [name: string]: unknown };

function isText(value: unknown, most: number): value is string {
  // Counted in code points; what has more than two code units for each is too long without counting.
  return typeof value === 'string' && value !== '' && value.length <= 2 * most && [...value].length <= most;
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One segment of a JSON pointer. */
export function pointed(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A value short enough to be told back. */
export function shown(value: unknown): DetailValue {
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
