/** The facts that move figures. Registrations, quotes, Decisions and facilities are in the book but are not folded. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { ActFact } from '#libs/ledger/act.ts';
import type { IssuedPeriod } from '#libs/ledger/charges/plan.ts';
import type { LoanTerms } from '#libs/product/terms.ts';

export type Issuance = {
  readonly type: 'issuance';
  readonly event: string;
  readonly loanId: string;
  readonly reference: string;
  readonly terms: LoanTerms;
  readonly plan: IssuedPlan;
  readonly disclosure: FrozenDisclosure;
};

/** The cost figure disclosed to the borrower and the convention it was computed by, frozen together. */
export type FrozenDisclosure = {
  readonly jurisdiction: string;
  readonly figure: string;
  readonly convention: string;
  readonly version: number;
  readonly provisional: boolean;
};

/** The plan as issued, frozen with the fact. `level` is the amount its level payments were made for. */
export type IssuedPlan = { readonly level: bigint; readonly periods: readonly IssuedPeriod[] };

export type ReceiptFact = {
  readonly type: 'receipt';
  readonly id: string;
  readonly reference: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly valueDate: CivilDay;
  readonly designated?: number;
  readonly payoffIntent: boolean;
  /** If the Receipt names a payoff quote: the Loan and the total of that quote. */
  readonly quote?: { readonly id: string; readonly loan: number; readonly total: bigint };
};

export type Reversal = { readonly type: 'reversal'; readonly reference: string; readonly receipt: string };

export type Retraction = {
  readonly type: 'retraction';
  readonly event: string;
  readonly reference: string;
  readonly loan: number;
  readonly on: CivilDay;
  readonly target: string;
};

export type Fact = Issuance | ReceiptFact | Reversal | ActFact | Retraction;
