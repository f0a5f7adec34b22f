import type { Book, FactName } from '#libs/book/book.ts';
import type { Loan } from '#libs/book/loan.ts';
import { catalogue, isRefusalCode } from '#libs/contract/refusals.ts';

export type Anomaly = { readonly kind: string; readonly facts: readonly FactName[]; readonly detail: string };

/** The contradictions the fold resolved instead of refusing: the fact bounded, and the one whose recording made it so. */
export function anomaliesOf(book: Book, loan: Loan): readonly Anomaly[] {
  const bounded = loan.bounded.map(({ kind, event }): Anomaly => {
    const cause = book.causes.get(event);
    const act: FactName = { type: 'event', id: event };
    return { kind, facts: cause === undefined ? [act] : [act, cause], detail: detailOf(kind) };
  });
  const late = book.lateReversals.filter((each) => each.loan === loan.order && standsAs(loan, each.act));
  const reversals = late.map(
    ({ kind, act, reversal }): Anomaly => ({
      kind,
      facts: [
        { type: 'event', id: act },
        { type: 'reversal', id: reversal },
      ],
      detail: detailOf(kind),
    }),
  );
  return [...bounded, ...reversals];
}

function standsAs(loan: Loan, event: string): boolean {
  return loan.cession?.event === event || loan.writeOff?.event === event;
}

/** The Receipt's own: money meant as a payoff that did not cover it. */
export function payoffShort(reference: string): Anomaly {
  return { kind: 'payoff_short', facts: [{ type: 'receipt', id: reference }], detail: detailOf('payoff_short') };
}

function detailOf(kind: string): string {
  switch (kind) {
    case 'reversal_after_cession':
      return 'A Receipt that had settled part of this Loan was reversed after the Loan was ceded.';
    case 'reversal_after_write_off':
      return 'A Receipt that had settled part of this Loan was reversed after the Loan was written off.';
    case 'payoff_short':
      return 'The Receipt was meant to discharge the Loan but did not cover the payoff; it was placed as ordinary money.';
    default:
      return isRefusalCode(kind) ? `The act stands only as far as it fits: ${catalogue[kind].says}` : kind;
  }
}
