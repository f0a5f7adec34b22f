/** The rows of the form: each is a supposed fact as it was entered, and becomes one of the request. */
import { randomUUID } from 'node:crypto';
import type { SimulationToRun } from '#libs/sdk/src/contract/shapes.ts';
import { parseAmount } from '../amounts.ts';
import { formText } from '../form.ts';
import type { Texts } from '../texts/en.ts';
import { type ActName, type FieldName, fieldsOf, fieldTypes, isActName, simulatedActs } from './acts.ts';

/** Each row has at most seven inputs, and a form of the console a hundred. */
export const maxRows = 8;

export interface Row {
  readonly act: ActName;
  readonly loan: string;
  readonly currency: string;
  readonly values: Readonly<Partial<Record<FieldName, string>>>;
}

export type SupposedFact = SimulationToRun['facts'][number];

export function inputName(row: number, field: string): string {
  return `fact-${row}-${field}`;
}

/** The rows of a posted form, without the one that its button removes. */
export function readRows(body: unknown): readonly Row[] {
  const removed = formText(body, 'remove');
  const rows: Row[] = [];
  for (let at = 0; at < maxRows; at += 1) {
    const act = formText(body, inputName(at, 'act'));
    if (!isActName(act) || String(at) === removed) continue;
    const values = Object.fromEntries(fieldsOf(act).map((name) => [name, formText(body, inputName(at, name)).trim()]));
    const loan = formText(body, inputName(at, 'loan')).trim();
    rows.push({ act, loan, currency: formText(body, inputName(at, 'currency')), values });
  }
  return rows;
}

export interface FactContext {
  /** In whose language amounts were entered. */
  readonly texts: Texts;
  readonly clientId: string;
  readonly currencyOfLoan: ReadonlyMap<string, string>;
}

/** The fact, or the fields whose amounts cannot be read. Everything else is for the API to accept or refuse. */
export function toFact(
  { act, loan, currency, values }: Row,
  { texts, clientId, currencyOfLoan }: FactContext,
): SupposedFact | { readonly invalid: readonly FieldName[] } {
  const stated: Record<string, unknown> = {};
  const invalid: FieldName[] = [];
  for (const name of fieldsOf(act)) {
    const text = values[name] ?? '';
    if (text === '' || name === 'receipt') continue;
    const value = statedValue(texts, name, text, currencyOfLoan.get(loan) ?? currency);
    if (value === undefined) invalid.push(name);
    else stated[name] = value;
  }
  if (invalid.length > 0) return { invalid };
  const reference = `simulated-${randomUUID()}`;
  const needsLoan = simulatedActs[act].loan === 'required';
  if (act === 'receipt') {
    const designated = loan === '' ? {} : { designated_loan_id: loan };
    return { act, body: { reference, client_id: clientId, ...designated, ...stated } };
  }
  const body = { reference, actor: 'console', basis: 'simulation', ...stated };
  const receipt = values.receipt ?? '';
  return {
    act,
    ...(needsLoan && loan !== '' ? { loan_id: loan } : {}),
    ...(act === 'reversal' && receipt !== '' ? { reference: receipt } : {}),
    body,
  };
}

/** Undefined for an amount that is not one. A count that is not a number is refused by the API. */
function statedValue(texts: Texts, name: FieldName, text: string, currency: string): unknown {
  switch (fieldTypes[name]) {
    case 'money': {
      const units = parseAmount(texts, text, currency);
      return units === undefined ? undefined : { minor_units: units, currency };
    }
    case 'count':
      return /^\d{1,15}$/.test(text) ? Number(text) : text;
    case 'flag':
      return text === 'yes';
    default:
      return text;
  }
}
