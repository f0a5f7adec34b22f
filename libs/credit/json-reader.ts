/** Reads JSON of unknown shape, such as a policy's content, and keeps the faults found in it. */

import { type Decimal, decimalForm, decimalOf, parseDecimal } from '#libs/credit/numbers.ts';
import { escapeName } from '#libs/schema/json.ts';
import type { DetailValue } from '#libs/schema/refusals.ts';
import { maxListedFaults } from '#libs/schema/schema.ts';

/** Where a value is wrong (a JSON pointer), what was expected there, and what was found. */
export type InputFault = { readonly field: string; readonly bound: DetailValue; readonly observed?: DetailValue };

const printablePattern = /^(?! )(?:[^\p{C}\p{Z}]| )+(?<! )$/u;

/**
 * After a fault, reading continues with placeholder values, so that callers need no branches of their own. Check
 * `firstFault` at the end, before using anything that was read.
 */
export class JsonReader {
  readonly faults: InputFault[] = [];

  get firstFault(): InputFault | undefined {
    return this.faults[0];
  }

  addFault(field: string, bound: DetailValue, observed?: unknown): void {
    // What is read in place of a faulty value may be a fault too.
    if (this.faults.some((known) => `${field}/`.startsWith(`${known.field}/`))) return;
    if (this.faults.length >= maxListedFaults) return;
    this.faults.push({ field, bound, ...(observed === undefined ? {} : { observed: describeValue(observed) }) });
  }

  /** The members of an object. Unknown members are reported before missing ones. */
  members(value: unknown, at: string, required: readonly string[], optional: readonly string[]): UnknownObject {
    if (!isObject(value)) {
      this.addFault(at, 'an object', value);
      return {};
    }
    for (const name of Object.keys(value)) {
      if (!required.includes(name) && !optional.includes(name)) {
        this.addFault(`${at}/${escapeName(name)}`, [...required, ...optional], name);
      }
    }
    for (const name of required) {
      if (!Object.hasOwn(value, name)) this.addFault(`${at}/${name}`, 'required');
    }
    return value;
  }

  list<Item>(value: unknown, at: string, read: (item: unknown, at: string) => Item): readonly Item[] {
    if (Array.isArray(value)) return value.map((item, index) => read(item, `${at}/${index}`));
    this.addFault(at, 'an array', value);
    return [];
  }

  /** Printable text without a space at either end. */
  name(value: unknown, at: string, maxLength: number): string {
    if (isText(value, maxLength) && printablePattern.test(value)) return value;
    this.addFault(at, `1 to ${maxLength} printable characters`, value);
    return '';
  }

  text(value: unknown, at: string, maxLength: number): string {
    if (isText(value, maxLength)) return value;
    this.addFault(at, `1 to ${maxLength} characters`, value);
    return '';
  }

  integer(value: unknown, at: string, min: number, max: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    this.addFault(at, `an integer from ${min} to ${max}`, value);
    return min;
  }

  decimal(value: unknown, at: string): Decimal {
    const parsed = parseDecimal(value);
    if (parsed === undefined) this.addFault(at, decimalForm, value);
    return parsed ?? decimalOf(0);
  }

  oneOf<const Member extends string>(value: unknown, at: string, members: readonly [Member, ...Member[]]): Member {
    const found = members.find((member) => member === value);
    if (found === undefined) this.addFault(at, members, value);
    return found ?? members[0];
  }
}

export type UnknownObject = { readonly [name: string]: unknown };

function isText(value: unknown, maxLength: number): value is string {
  // The limit counts code points. A text of more than twice as many code units is too long without counting.
  return typeof value === 'string' && value !== '' && value.length <= 2 * maxLength && [...value].length <= maxLength;
}

export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value in a form short enough for a refusal's details. */
export function describeValue(value: unknown): DetailValue {
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
