import type { Calendars } from '#libs/book/calendars.ts';
import type { ActKind, ActOf } from '#libs/book/facts.ts';
import type { Loan } from '#libs/book/loan.ts';
import type { Refusal } from '#libs/contract/refusals.ts';

/** What an act may read beside its Loan: the calendars by name, and its own place in the order of recording. */
export type Surroundings = { readonly calendars: Calendars; readonly seq: number };

/**
 * One kind of act on a Loan. `rule` is the act's own, asked of the Loan as the fold has it at the act's place in the
 * order of facts: admission refuses with it, the fold bounds with it. `part` is what still fits of an act that stands
 * although its rule no longer holds; an act without it then has no effect.
 */
export type ActRules<Kind extends ActKind> = {
  readonly kind: Kind;
  readonly rule: (loan: Loan, act: ActOf<Kind>, around: Surroundings) => Refusal | undefined;
  readonly apply: (loan: Loan, act: ActOf<Kind>, around: Surroundings) => Loan;
  readonly part?: (loan: Loan, act: ActOf<Kind>, around: Surroundings) => Loan;
};
