import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { IssuedPeriod } from '#libs/ledger/charges/plan.ts';
import type { Rate } from '#libs/money/rate.ts';
import type { Charge, LoanTerms } from '#libs/product/terms.ts';

/** What an act on a Loan states beyond its day. */
export type ActBodies = {
  confirmed: unknown;
  voided: unknown;
  cancelled: unknown;
  rescinded: unknown;
  withdrawn: unknown;
  suspended: { readonly to: CivilDay };
  suspension_ended: { readonly suspension: string };
  waived: { readonly period: number; readonly charge: Charge; readonly amount: bigint };
  returned: { readonly amount: bigint };
  /** `calendar` names the calendar whose banking days the new period falls due on. */
  rolled_over: { readonly calendar: string };
  restructured: {
    readonly termPeriods: number;
    readonly rate: Rate;
    readonly schedule?: Schedule;
    readonly penaltyRate?: Rate;
    readonly calendar: string;
  };
  accelerated: { readonly notifiedOn: CivilDay };
  settled_for_less: { readonly agreed: bigint; readonly until: CivilDay };
  written_off: unknown;
  ceded: unknown;
};

export type ActKind = keyof ActBodies;

export type ActOf<Kind extends ActKind> = {
  readonly type: 'act';
  readonly kind: Kind;
  readonly event: string;
  readonly reference: string;
  /** The Loan, by its place in the order of recording. */
  readonly loan: number;
  readonly on: CivilDay;
} & (ActBodies[Kind] extends object ? { readonly body: ActBodies[Kind] } : unknown);

export type Act = { [Kind in ActKind]: ActOf<Kind> }[ActKind];

export type Issuance = {
  readonly type: 'issuance';
  readonly event: string;
  readonly loanId: string;
  readonly reference: string;
  readonly terms: LoanTerms;
  readonly plan: IssuedPlan;
  readonly disclosure: Disclosed;
};

/** The borrower's figure and the convention it was computed by, frozen together. */
export type Disclosed = {
  readonly jurisdiction: string;
  readonly figure: string;
  readonly convention: string;
  readonly version: number;
  readonly provisional: boolean;
};

/** The plan as issued and what the first fold of it starts from; frozen with the fact. */
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
  /** The Loan whose payoff a quote named by the report stated, and the total it stated. */
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

/** What moves the figures. Registrations, quotes, decisions and facilities stand in the book and are not folded. */
export type Fact = Issuance | ReceiptFact | Reversal | Act | Retraction;
