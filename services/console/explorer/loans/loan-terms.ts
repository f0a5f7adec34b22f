/** What a Loan was issued under: its terms, the regime of its market, its disclosure. */
import type { Loan } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../../amounts.ts';
import type { Visit } from '../../console-context.ts';
import { formatTimestamp } from '../../dates.ts';
import { type FieldRow, fieldList, productLink, rawJson } from '../../figures.ts';
import { type Html, html } from '../../html.ts';
import { accelerationText } from '../../products/value-text.ts';
import { wordFor } from '../../terms.ts';

export function loanTermCards(visit: Visit, loan: Loan): Html {
  const words = visit.texts.explorer.loan;
  return html`<div class="cards">
    <article>
      <h2>${words.terms}</h2>
      ${fieldList(termRows(visit, loan))} ${rawJson(visit.texts, loan.terms.context)}
    </article>
    <article>
      <h2>${words.regime}</h2>
      ${fieldList(regimeRows(visit, loan))}
    </article>
    <article>
      <h2>${words.disclosure}</h2>
      ${fieldList(disclosureRows(visit, loan))}
    </article>
  </div>`;
}

function termRows(visit: Visit, { terms, configuration, created_at }: Loan): readonly FieldRow[] {
  const { texts } = visit;
  const { loan: words, charges, loans } = texts.explorer;
  const { facility_id, down_payment, hold_until, tax, merchant_ref, schedule } = terms;
  return [
    [loans.principal, formatMoney(texts, terms.principal)],
    [loans.periods, terms.term_periods],
    [loans.rate, `${terms.rate} %`],
    [words.penaltyRate, `${terms.penalty_rate} %`],
    [loans.anchor, formatDay(texts, terms.anchor)],
    [loans.product, productLink(visit, configuration)],
    [words.jurisdiction, terms.jurisdiction],
    [words.tax, `${tax.rate} % ${tax.on.map((charge) => wordFor(charges, charge)).join(', ')}`],
    [words.downPayment, down_payment && formatMoney(texts, down_payment)],
    [words.schedule, schedule && rawJson(texts, schedule)],
    [words.merchant, merchant_ref],
    [words.facility, facility_id && html`<code>${facility_id}</code>`],
    [words.holdUntil, hold_until && formatDay(texts, hold_until)],
    [words.createdAt, formatTimestamp(texts, created_at)],
  ];
}

function regimeRows({ texts }: Visit, { regime }: Loan): readonly FieldRow[] {
  const { loan: words, yes, no } = texts.explorer;
  const { acceleration, tolerance, penalty_ceiling_days, penalty_ceiling_bps } = regime;
  return [
    [words.penaltyRate, `${regime.penalty_rate} %`],
    [words.penaltyBase, wordFor(words.penaltyBases, regime.penalty_base)],
    [words.lateFee, formatMoney(texts, regime.late_fee)],
    [words.toleranceDays, regime.tolerance_days],
    [words.tolerance, tolerance && formatMoney(texts, tolerance)],
    [words.penaltyCeilingDays, penalty_ceiling_days],
    [words.penaltyCeiling, penalty_ceiling_bps !== undefined && `${penalty_ceiling_bps / 100} %`],
    [words.capitalises, regime.capitalises ? yes : no],
    [words.acceleration, accelerationText(texts, acceleration)],
  ];
}

function disclosureRows({ texts }: Visit, { disclosure }: Loan): readonly FieldRow[] {
  const { loan: words, yes } = texts.explorer;
  return [
    [words.figure, html`<strong>${disclosure.figure} %</strong>`],
    [words.convention, `${disclosure.convention} · v${disclosure.convention_version}`],
    [words.jurisdiction, disclosure.jurisdiction],
    [words.provisional, disclosure.provisional && yes],
  ];
}
