/** Anomalies: recorded facts whose rule no longer holds because of a fact recorded later. */

import { currentCauses, type FactName } from '#libs/ledger/anomaly-causes.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import { actsInForce, type LoanRecord } from '#libs/ledger/book-record.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { rankAmongActs } from '#libs/ledger/steps.ts';
import { catalogue, isRefusalCode } from '#libs/schema/refusals.ts';

export type Anomaly = { readonly kind: string; readonly facts: readonly FactName[]; readonly detail: string };

/** Each anomaly names the act whose rule fails and the fact whose recording made it fail. */
export function anomaliesOf(book: FoldedFacts, loan: Loan): readonly Anomaly[] {
  const causes = currentCauses(book);
  const bounded = boundedInFoldOrder(book, loan).map(({ kind, event }): Anomaly => {
    const cause = causes.get(event)?.fact;
    const act: FactName = { type: 'event', id: event };
    return { kind, facts: cause === undefined ? [act] : [act, cause], detail: detailOf(kind) };
  });
  const reversals = book.lateReversals.flatMap(({ loan: order, reversal, after }): Anomaly[] => {
    const later = order === loan.order ? after.find(({ act }) => isInForceOn(book, loan, act)) : undefined;
    if (later === undefined) return [];
    const { kind, act } = later;
    const facts: FactName[] = [
      { type: 'event', id: act },
      { type: 'reversal', id: reversal },
    ];
    return [{ kind, facts, detail: detailOf(kind) }];
  });
  return [...bounded, ...reversals];
}

/** By day and recording. A suspension takes effect before its day opens, but is not listed earlier for that. */
function boundedInFoldOrder(book: FoldedFacts, loan: Loan): Loan['bounded'] {
  if (loan.bounded.length < 2) return loan.bounded;
  const { acts } = book.loans[loan.order] as LoanRecord;
  const byEvent = new Map(loan.bounded.map((anomaly) => [anomaly.event, anomaly]));
  return acts
    .flatMap(({ fact, seq }) => {
      const anomaly = byEvent.get(fact.event);
      return anomaly === undefined ? [] : [{ anomaly, fact, seq }];
    })
    .sort((a, b) => a.fact.on - b.fact.on || rankAmongActs(a.fact) - rankAmongActs(b.fact) || a.seq - b.seq)
    .map(({ anomaly }) => anomaly);
}

/** Whether the act is in force and dated no later than the day to which the Loan is accrued. */
function isInForceOn(book: FoldedFacts, loan: Loan, event: string): boolean {
  const record = book.loans[loan.order] as LoanRecord;
  return actsInForce(record).some(({ fact }) => fact.event === event && fact.on <= loan.day);
}

/** The anomaly of a Receipt that was meant as a payoff and did not cover it. */
export function payoffShort(reference: string): Anomaly {
  return { kind: 'payoff_short', facts: [{ type: 'receipt', id: reference }], detail: detailOf('payoff_short') };
}

/** The anomaly of a whole book: no figure can be computed from what is recorded. */
export function bookNotDerivable(): Anomaly {
  return { kind: 'book_not_derivable', facts: [], detail: detailOf('book_not_derivable') };
}

/** In a rehearsal: the book costs more than a request may. */
export function bookTooLarge(): Anomaly {
  return { kind: 'book_too_large', facts: [], detail: detailOf('book_too_large') };
}

function detailOf(kind: string): string {
  switch (kind) {
    case 'book_too_large':
      return 'The book of this Client is too large to be computed with other values in one request.';
    case 'book_not_derivable':
      return 'No figure can be derived from what is recorded of this Client. Figures that are absent here are unknown until the book is repaired.';
    case 'reversal_after_cession':
      return 'A Receipt that had settled part of this Loan was reversed after the Loan was ceded.';
    case 'reversal_after_write_off':
      return 'A Receipt that had settled part of this Loan was reversed after the Loan was written off.';
    case 'payoff_short':
      return 'The Receipt was meant to discharge the Loan but did not cover the payoff; it was allocated as ordinary money.';
    default:
      return isRefusalCode(kind)
        ? `The act takes effect only as far as it still fits: ${catalogue[kind].message}`
        : kind;
  }
}
