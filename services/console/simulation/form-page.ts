/** The form of a simulation: a day, and a row for each supposed fact, with the answer of its route beside it. */
import type { LoanRow, RecordedLoanRow, Simulation } from '#libs/sdk/src/contract/shapes.ts';
import { formatAsSent } from '../as-sent.ts';
import type { Visit } from '../console-context.ts';
import { choice, csrfInput, errorList, field } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import { wordFor } from '../terms.ts';
import { type ActName, type FieldName, fieldsOf, fieldTypes, optionalFields, simulatedActs } from './acts.ts';
import { inputName, maxRows, type Row } from './rows.ts';

export interface SimulationForm {
  readonly on: string;
  /** The `known_at` of the page that led here: a simulation has none, and says so. */
  readonly knownAt?: string;
  readonly rows: readonly Row[];
  readonly loans: readonly OfferedLoan[];
  readonly problems: readonly string[];
  /** Of the rows, once they were simulated. */
  readonly outcomes?: Simulation['outcomes'];
}

export interface OfferedLoan {
  readonly id: string;
  readonly reference: string;
  readonly currency: string;
}

/** A Loan whose book cannot be computed states no amount when its issuance cannot be read either. */
export function offeredLoan({ id, reference, principal }: LoanRow | RecordedLoanRow): readonly OfferedLoan[] {
  return principal === undefined ? [] : [{ id, reference, currency: principal.currency }];
}

export function simulationForm({ texts, browserToken, path }: Visit, form: SimulationForm): Html {
  const { simulation: words } = texts;
  const { knownAt = '' } = form;
  const query = knownAt === '' ? '' : `?known_at=${encodeURIComponent(knownAt)}`;
  const acts = (Object.keys(simulatedActs) as ActName[]).map((value) => ({ value, text: words.acts[value] }));
  return html`<form method="post" action=${`${path}${query}#result`} class="simulation">
    ${csrfInput(browserToken)} ${errorList(form.problems)}
    <p class="notice">${words.nothingRecorded}${knownAt !== '' && html`<br />${words.knowledgeIgnored}`}</p>
    <div class="narrow-field">${field({ name: 'on', label: words.on, type: 'date', value: form.on, hint: words.onHint })}</div>
    ${form.rows.map((row, at) => rowFields({ texts }, form, row, at))}
    <div class="buttons">
      <button name="do" value="simulate">${words.simulate}</button>
      ${
        form.rows.length < maxRows &&
        html`<span class="add">
          ${choice('added', words.another, acts)}
          <button class="secondary" name="do" value="add" formnovalidate>${words.add}</button>
        </span>`
      }
    </div>
  </form>`;
}

function rowFields({ texts }: Pick<Visit, 'texts'>, form: SimulationForm, row: Row, at: number): Html {
  const { simulation: words } = texts;
  const title = words.rowTitle(at + 1, words.acts[row.act]);
  return html`<fieldset>
    <legend>${title}</legend>
    ${outcomeOf(texts, form.outcomes?.[at])}
    <input type="hidden" name=${inputName(at, 'act')} value=${row.act} />
    <div class="row-fields">
      ${loanChoice(texts, form.loans, row, at)} ${currencyInput(texts, form.loans, row, at)}
      ${fieldsOf(row.act).map((name) => valueInput(texts, row, at, name))}
    </div>
    ${
      form.rows.length > 1 &&
      html`<button class="plain-button" name="remove" value=${at} formnovalidate aria-label=${`${words.remove}: ${title}`}>
        ${words.remove}
      </button>`
    }
  </fieldset>`;
}

function loanChoice(
  { simulation: words }: Visit['texts'],
  loans: readonly OfferedLoan[],
  row: Row,
  at: number,
): Content {
  const { loan } = simulatedActs[row.act];
  if (loan === 'none') return null;
  const all = loan === 'optional' ? [{ value: '', text: words.allLoans }] : [];
  const choices = loans.map(({ id, reference }) => ({ value: id, text: reference }));
  return choice(
    inputName(at, 'loan'),
    loan === 'optional' ? words.designatedLoan : words.loan,
    [...all, ...choices],
    row.loan,
  );
}

/** Of an amount that may be for Loans in several currencies; else that of the Loan. */
function currencyInput(
  { simulation: words }: Visit['texts'],
  loans: readonly OfferedLoan[],
  row: Row,
  at: number,
): Content {
  const currencies = [...new Set(loans.map(({ currency }) => currency))];
  if (row.act !== 'receipt' || currencies.length === 0) return null;
  const name = inputName(at, 'currency');
  if (currencies.length === 1) return html`<input type="hidden" name=${name} value=${currencies[0]} />`;
  return choice(
    name,
    words.currency,
    currencies.map((value) => ({ value, text: value })),
    row.currency,
  );
}

function valueInput(texts: Visit['texts'], { values }: Row, at: number, name: FieldName): Html {
  const { simulation: words } = texts;
  const isOptional = optionalFields.has(name);
  const label = isOptional ? words.optional(words.fields[name]) : words.fields[name];
  const input = { name: inputName(at, name), label, value: values[name], required: !isOptional };
  switch (fieldTypes[name]) {
    case 'day':
      return field({ ...input, type: 'date' });
    case 'money':
      return field({ ...input, hint: words.amountHint });
    case 'count':
      return field({ ...input, type: 'number' });
    case 'charge':
      return choice(input.name, label, chargesOf(texts), values[name]);
    case 'reason':
      return choice(
        input.name,
        label,
        Object.entries(words.reasons).map(([value, text]) => ({ value, text })),
        values[name],
      );
    case 'flag':
      return html`<label class="flag">
        <input type="checkbox" name=${input.name} value="yes" checked=${values[name] === 'yes'} /> ${words.fields[name]}
      </label>`;
    default:
      return field(input);
  }
}

function chargesOf({ explanation }: Visit['texts']): readonly { readonly value: string; readonly text: string }[] {
  const waivable = ['interest', 'fee', 'penalty', 'late_fee'];
  return waivable.map((value) => ({ value, text: wordFor(explanation.charges, value) }));
}

/** As the real route would have answered. */
function outcomeOf(texts: Visit['texts'], outcome: Simulation['outcomes'][number] | undefined): Content {
  const { simulation: words } = texts;
  if (outcome === undefined) return null;
  const { status, code, error, details } = outcome;
  if (code === undefined) return html`<p class="good">${words.accepted(status)}</p>`;
  const sentence = texts.refusals[code] ?? html`<span lang="en">${error}</span>`;
  return html`<div class="error" role="alert">
    <p>${words.refused(status)} ${sentence} <code>${code}</code></p>
    ${details && html`<p><small>${detailText(texts, details)}</small></p>`}
  </div>`;
}

function detailText(texts: Visit['texts'], details: object): string {
  const entries = Object.entries(details) as [string, unknown][];
  const { details: names } = texts.simulation;
  return entries.map(([name, value]) => `${wordFor(names, name)}: ${formatAsSent(texts, value)}`).join(' · ');
}
