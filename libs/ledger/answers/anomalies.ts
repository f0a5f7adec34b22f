import { type Book, causesNow, type FactName } from '#libs/ledger/book.ts';
import { actsInForce, type LoanRecord } from '#libs/ledger/fact-record.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { withinDay } from '#libs/ledger/steps.ts';
import { catalogue, isRefusalCode } from '#libs/schema/refusals.ts';

export type Anomaly = { readonly kind: string; readonly facts: readonly FactName[]; readonly detail: string };

/** The contradictions the fold resolved instead of refusing: the fact bounded, and the one whose recording made it so. */
export function anomaliesOf(book: Book, loan: Loan): readonly Anomaly[] {
  const causes = causesNow(book);
  const bounded = inFoldOrder(book, loan).map(({ kind, event }): Anomaly => {
    const cause = causes.get(event)?.fact;
    const act: FactName = { type: 'event', id: event };
    return { kind, facts: cause === undefined ? [act] : [act, cause], detail: detailOf(kind) };
  });
  const reversals = book.lateReversals.flatMap(({ loan: order, reversal, after }): Anomaly[] => {
    const standing = order === loan.order ? after.find(({ act }) => standsBy(book, loan, act)) : undefined;
    if (standing === undefined) return [];
    const { kind, act } = standing;
    const facts: FactName[] = [
      { type: 'event', id: act },
      { type: 'reversal', id: reversal },
    ];
    return [{ kind, facts, detail: detailOf(kind) }];
  });
  return [...bounded, ...reversals];
}

/** By day and recording; that a suspension is known before its day opens does not bring it forward here. */
function inFoldOrder(book: Book, loan: Loan): Loan['bounded'] {
  if (loan.bounded.length < 2) return loan.bounded;
  const { acts } = book.loans[loan.order] as LoanRecord;
  const byEvent = new Map(loan.bounded.map((each) => [each.event, each]));
  return acts
    .flatMap(({ fact, seq }) => {
      const each = byEvent.get(fact.event);
      return each === undefined ? [] : [{ each, fact, seq }];
    })
    .sort((a, b) => a.fact.on - b.fact.on || withinDay(a.fact) - withinDay(b.fact) || a.seq - b.seq)
    .map(({ each }) => each);
}

/** Whether the act is in force and dated by the day the Loan is open to. */
function standsBy(book: Book, loan: Loan, event: string): boolean {
  const record = book.loans[loan.order] as LoanRecord;
  return actsInForce(record).some(({ fact }) => fact.event === event && fact.on <= loan.day);
}

/** The Receipt's own: money meant as a payoff that did not cover it. */
export function payoffShort(reference: string): Anomaly {
  return { kind: 'payoff_short', facts: [{ type: 'receipt', id: reference }], detail: detailOf('payoff_short') };
}

/** The Client's whole book: what is recorded does not amount to one, and no figure of it is known to anybody. */
export function bookNotDerivable(): Anomaly {
  return { kind: 'book_not_derivable', facts: [], detail: detailOf('book_not_derivable') };
}

function detailOf(kind: string): string {
  switch (kind) {
    case 'book_not_derivable':
      return 'No figure can be derived from what is recorded of this Client; what is not told here is unknown until it is mended.';
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
