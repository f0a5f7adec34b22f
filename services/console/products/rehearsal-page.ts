/** Rehearsal of other values: the form, and the Loans that would change. */
import { type FieldName, isFieldName } from '#libs/product/frame-table.ts';
import { canonicalJson, type JsonObject } from '#libs/schema/json.ts';
import type { Money, ProductConfiguration, Rehearsal } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../amounts.ts';
import type { Visit } from '../console-context.ts';
import { clientLink } from '../figures.ts';
import { choice, errorList, field } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import { refusalText } from '../refusal-text.ts';
import { table } from '../table.ts';
import { tenancyPath } from '../tenancy-path.ts';
import { choicesOf, fieldKinds, statableFields } from './field-kinds.ts';
import { type FormInputs, inputNames, scheduleMembers } from './rehearsal-form-values.ts';
import { choiceText, valueText } from './value-text.ts';

export interface RehearsalPage {
  readonly version: ProductConfiguration;
  readonly inputs: FormInputs;
  readonly on: string;
  readonly problems: readonly string[];
  /** Of these values; absent before the form is sent. */
  readonly result?: { readonly values: JsonObject; readonly rehearsal: Rehearsal; readonly query: URLSearchParams };
}

export function rehearsalPage(visit: Visit, page: RehearsalPage): Html {
  const words = visit.texts.products;
  const { version, result, problems } = page;
  return html`<div>
    <p>${words.rehearsalIntro(version.id, version.version)}</p>
    ${errorList(problems)} ${result && rehearsalResult(visit, version, result)} ${rehearsalForm(visit, page)}
  </div>`;
}

function rehearsalForm(visit: Visit, { version, inputs, on }: RehearsalPage): Html {
  const words = visit.texts.products;
  return html`<form method="get" action=${visit.path}>
    <input type="hidden" name="version" value=${version.version} />
    <div class="day-field">${field({ name: 'on', label: words.onDay, type: 'date', value: on })}</div>
    <div class="value-fields">${statableFields(version.archetype).map((name) => fieldInputs(visit, { name, inputs, version }))}</div>
    <button>${words.rehearse}</button>
  </form>`;
}

interface FieldInputs {
  readonly name: FieldName;
  readonly inputs: FormInputs;
  readonly version: ProductConfiguration;
}

function fieldInputs(visit: Visit, { name, inputs, version }: FieldInputs): Html {
  const names = inputNames(name);
  const legend = visit.texts.products.fields[name];
  const { value, source } = version.effective[name];
  const byDefault = source === 'stated' || value === undefined ? undefined : valueText(visit.texts, name, value);
  if (names.length === 1) {
    const currency = fieldKinds[name] === 'money' ? currencyOf(version) : undefined;
    return valueInput(visit, { name, label: legend, kindOf: name, inputs, byDefault, currency });
  }
  return html`<fieldset>
    <legend>${legend} ${byDefault && html`<small>${visit.texts.products.defaultIs(byDefault)}</small>`}</legend>
    ${names.map((each) => valueInput(visit, { name: each, label: memberLabel(visit, each), kindOf: name, inputs }))}
  </fieldset>`;
}

/** All amounts of a product are in one currency. */
function currencyOf({ values }: ProductConfiguration): string {
  return (values['principal_max'] as Money).currency;
}

function memberLabel({ texts }: Visit, inputName: string): string {
  const member = inputName.slice(inputName.indexOf('.') + 1);
  return (texts.products.members as Readonly<Record<string, string>>)[member] ?? member;
}

interface ValueInput {
  readonly name: string;
  readonly label: string;
  readonly kindOf: FieldName;
  readonly inputs: FormInputs;
  /** What the field has where it is not stated. */
  readonly byDefault?: string | undefined;
  /** Of an amount. */
  readonly currency?: string | undefined;
}

function valueInput({ texts }: Visit, { name, label, kindOf, inputs, byDefault, currency }: ValueInput): Html {
  const words = texts.products;
  const value = inputs[name] ?? '';
  const optionsOf = (members: readonly string[]) => [
    { value: '', text: byDefault === undefined ? words.notStated : words.notStatedDefault(byDefault) },
    ...members.map((member) => ({ value: member, text: choiceText(texts, member) })),
  ];
  if (fieldKinds[kindOf] === 'choice') return choice(name, label, optionsOf(choicesOf(kindOf)), value);
  if (name.endsWith(`.${scheduleMembers[0]}`)) {
    return choice(name, label, optionsOf(['anchored_monthly', 'anchored_every_n_days']), value);
  }
  if (fieldKinds[kindOf] === 'boolean' || name.endsWith('.forbidden')) {
    return choice(name, label, optionsOf(['true', 'false']), value);
  }
  const form = currency ?? (words.hints as Readonly<Record<string, string>>)[fieldKinds[kindOf]];
  const hints = [form, byDefault && words.defaultIs(byDefault)].filter((hint) => hint !== undefined);
  return field({ name, label, value, required: false, ...(hints.length === 0 ? {} : { hint: hints.join(' ') }) });
}

type LoanRow = Rehearsal['loans'][number];

interface ChangeRow {
  readonly loan: LoanRow;
  readonly isFirst: boolean;
  readonly change: LoanRow['changes'][number] | undefined;
}

function rehearsalResult(
  visit: Visit,
  version: ProductConfiguration,
  result: NonNullable<RehearsalPage['result']>,
): Html {
  const { texts, path } = visit;
  const words = texts.products;
  const { values, rehearsal, query } = result;
  const changed = changedFields(version.values as JsonObject, values).map((name) => words.fields[name]);
  const { examined, cursor } = rehearsal;
  const loans = rehearsal.loans.filter((loan) => !isTooLarge(loan));
  const rows = loans.flatMap((loan): readonly ChangeRow[] =>
    loan.changes.length === 0
      ? [{ loan, isFirst: true, change: undefined }]
      : loan.changes.map((change, index) => ({ loan, isFirst: index === 0, change })),
  );
  const next =
    cursor && new URLSearchParams([...query].filter(([name]) => name !== 'cursor').concat([['cursor', cursor]]));
  return html`<section>
    <h2>${words.result}</h2>
    <p>${changed.length === 0 ? words.sameValues : words.changedValues(changed.join(', '))}</p>
    <p role="status">${words.examined(examined, loans.length, formatDay(texts, rehearsal.on))}</p>
    ${tooLargeNotice(visit, rehearsal.loans.filter(isTooLarge))} ${rows.length > 0 && changeTable(visit, rows, rehearsal.on)}
    ${next && html`<p><a href=${`${path}?${next}`}>${words.moreLoans}</a></p>`}
  </section>`;
}

function isTooLarge({ anomalies = [] }: LoanRow): boolean {
  return anomalies.some(({ kind }) => kind === 'book_too_large');
}

function tooLargeNotice(visit: Visit, loans: readonly LoanRow[]): Content {
  if (loans.length === 0) return null;
  const clients = [...new Set(loans.map(({ client_id }) => client_id))];
  return html`<p class="notice" role="note">
    ${visit.texts.products.tooLarge(loans.length)} ${clients.map((id) => html`${clientLink(visit, id)} `)}
  </p>`;
}

function changeTable({ texts, tenantId = '' }: Visit, rows: readonly ChangeRow[], on: string): Html {
  const words = texts.products;
  const figures: Readonly<Record<string, string>> = words.figures;
  const figureText = (value: string | number | Money | undefined): Content =>
    typeof value === 'object'
      ? formatMoney(texts, value)
      : typeof value === 'string'
        ? choiceText(texts, value)
        : value;
  return table<ChangeRow>(
    words.result,
    [
      {
        title: words.loan,
        cell: ({ loan, isFirst }) =>
          isFirst && html`<a href=${tenancyPath(tenantId, ['loans', loan.loan_id], { on })}>${loan.reference}</a>`,
      },
      {
        title: words.client,
        cell: ({ loan, isFirst }) =>
          isFirst && html`<a href=${tenancyPath(tenantId, ['clients', loan.client_id], { on })}>${loan.client_id}</a>`,
      },
      {
        title: words.figure,
        cell: ({ loan, change }) => (change ? (figures[change.figure] ?? change.figure) : note(texts, loan)),
      },
      { title: words.is, cell: ({ change }) => figureText(change?.is), isNumber: true },
      { title: words.wouldBe, cell: ({ change }) => figureText(change?.would_be), isNumber: true },
      { title: words.difference, cell: ({ change }) => figureText(change?.difference), isNumber: true },
    ],
    rows,
  );
}

/** Why a Loan is listed without changes. */
function note(texts: Visit['texts'], { refused }: LoanRow): string {
  const { products: words } = texts;
  return refused === undefined ? words.unknownFigures : words.notOffered(refusalText(texts, refused));
}

/** The fields that are stated differently. */
function changedFields(before: JsonObject, after: JsonObject): readonly FieldName[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isFieldName);
  return names.filter((name) => textOf(before, name) !== textOf(after, name));
}

function textOf(values: JsonObject, name: FieldName): string | undefined {
  const value = values[name];
  return value === undefined ? undefined : canonicalJson(value);
}
