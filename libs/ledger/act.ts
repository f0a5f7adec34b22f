import type { Calendars } from '#libs/ledger/calendars.ts';
import type { ActKind, ActOf } from '#libs/ledger/facts.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import type { ChangingKind, SteppingKind } from '#libs/ledger/steps.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

/** What an act may read beside its Loan: the calendars by name, and its own place in the order of recording. */
export type Surroundings = { readonly calendars: Calendars; readonly seq: number };

type Weigh<Kind extends ActKind, Answer> = (loan: Loan, act: ActOf<Kind>, around: Surroundings) => Answer;

/**
 * One kind of act on a Loan. `rule` is the act's own, asked of the Loan as the fold has it at the act's place in the
 * order of facts: admission refuses with it, the fold bounds with it. `apply` is the effect; an act that plans anew
 * refuses there where no plan can be made. `part` is what still fits of an act that stands although its rule no longer
 * holds; an act without it then has no effect.
 */
export type ActRules<Kind extends SteppingKind> = {
  readonly rule: Weigh<Kind, Refusal | undefined>;
  readonly apply: Weigh<Kind, Loan | Refusal>;
  readonly part?: Weigh<Kind, Loan>;
};

/** An act that changes the fact it names, wherever that stands. Its rule is asked of all that is recorded. */
export type ChangeRules<Kind extends ChangingKind> = {
  readonly rule: (loan: Loan, act: ActOf<Kind>) => Refusal | undefined;
};
