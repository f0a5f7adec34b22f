/** Every figure that the reads of a Client's book say on a day, each by where it stands. */
import { bookOnDay } from '#libs/ledger/answers/moment.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { loanOptions } from '#libs/ledger/answers/payment-options.ts';
import { schedule } from '#libs/ledger/answers/schedule.ts';
import type { Book } from '#libs/ledger/book.ts';
import type { BookQuestion } from '#libs/ledger/client/book-answer.ts';
import { stateOf } from '#libs/ledger/state.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

/** By JSON pointers in which members of a list go by their name. */
export type Figures = ReadonlyMap<string, Json>;

/** The figures of a Loan cost about as much as folding so many steps. */
export const figuresInSteps = 15;

export function figuresOf(book: Book, clientId: string, { on, homeCurrency, calendars }: BookQuestion): Figures {
  const moment = bookOnDay(book, on, calendars);
  const loans = moment.loans.map((loan) => {
    const { loan_id, any_other_amount: _said, ...options } = loanOptions(moment, loan);
    const { loan_id: _id, on: _on, anomalies: _anomalies, ...plan } = schedule(moment, loan);
    return { loan_id, state: stateOf(loan), payment_options: options, schedule: plan };
  });
  const { client_id: _client, ...owedBack } = obligations(book, clientId, homeCurrency);
  const figures = new Map<string, Json>();
  gather({ loans, obligations: owedBack } as unknown as Json, ['', ''], figures);
  return figures;
}

/** What no two members of a list share, by the list: other fields, a charge or a Loan, may well be the same in several. */
const ownNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['loans', ['loan_id']],
  ['waivers', ['reference']],
  ['periods', ['index']],
  ['charges', ['charge']],
  ['returned', ['act']],
  ['undone', ['loan_id', 'receipt']],
  ['currencies', ['currency']],
]);

/** `within` is the field whose value stands there. */
function gather(value: Json, [at, within]: readonly [string, string], figures: Map<string, Json>): void {
  if (Array.isArray(value)) {
    for (const [nth, item] of value.entries()) gather(item, [`${at}/${nameOf(item, nth, within)}`, ''], figures);
  } else if (typeof value === 'object' && value !== null && !isMoney(value as JsonObject)) {
    for (const [name, member] of Object.entries(value)) gather(member as Json, [`${at}/${name}`, name], figures);
  } else {
    // One would hide the other, and differ from it where nothing changed.
    if (figures.has(at)) throw new Error(`two figures stand at ${at}`);
    figures.set(at, value);
  }
}

/** A reference goes by itself, and a member with no name of its own by its number. */
function nameOf(item: Json, nth: number, list: string): string {
  if (typeof item === 'string') return escaped(item);
  const own = ownNames.get(list);
  return own === undefined ? String(nth) : own.map((name) => escaped(String((item as JsonObject)[name]))).join('/');
}

/** As JSON pointers write what callers may have named (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Money is one figure. */
function isMoney(value: JsonObject): boolean {
  return Object.hasOwn(value, 'minor_units');
}
