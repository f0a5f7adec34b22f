/** The acts that can be simulated, and the fields of each: forms and requests are made from this table. */

export type FieldType = 'day' | 'money' | 'count' | 'text' | 'charge' | 'reason' | 'flag';

/** By the name of the field in the body of its route. */
export const fieldTypes = {
  amount: 'money',
  agreed: 'money',
  value_date: 'day',
  on: 'day',
  to: 'day',
  until: 'day',
  notified_on: 'day',
  term_periods: 'count',
  period: 'count',
  rate: 'text',
  penalty_rate: 'text',
  event_id: 'text',
  suspension_id: 'text',
  receipt: 'text',
  charge: 'charge',
  reason: 'reason',
  payoff_intent: 'flag',
} as const satisfies Readonly<Record<string, FieldType>>;

export type FieldName = keyof typeof fieldTypes;

export const optionalFields: ReadonlySet<FieldName> = new Set(['until', 'penalty_rate', 'payoff_intent']);

interface SimulatedAct {
  /** A Receipt may be for all Loans of the Client; a reversal names its Receipt. */
  readonly loan: 'required' | 'optional' | 'none';
  readonly fields: readonly FieldName[];
}

/** By the last segment of the path that records the act. */
export const simulatedActs = {
  receipt: { loan: 'optional', fields: ['amount', 'value_date', 'payoff_intent'] },
  settlement: { loan: 'required', fields: ['on', 'agreed', 'until'] },
  restructure: { loan: 'required', fields: ['on', 'term_periods', 'rate', 'penalty_rate'] },
  waiver: { loan: 'required', fields: ['on', 'period', 'charge', 'amount'] },
  suspension: { loan: 'required', fields: ['on', 'to'] },
  'suspension-end': { loan: 'required', fields: ['on', 'suspension_id'] },
  return: { loan: 'required', fields: ['on', 'amount'] },
  rollover: { loan: 'required', fields: ['on'] },
  acceleration: { loan: 'required', fields: ['on', 'notified_on'] },
  'write-off': { loan: 'required', fields: ['on'] },
  cession: { loan: 'required', fields: ['on'] },
  cancel: { loan: 'required', fields: ['on'] },
  rescind: { loan: 'required', fields: ['on'] },
  withdraw: { loan: 'required', fields: ['on'] },
  confirm: { loan: 'required', fields: ['on'] },
  void: { loan: 'required', fields: ['on'] },
  retraction: { loan: 'required', fields: ['on', 'event_id'] },
  reversal: { loan: 'none', fields: ['receipt', 'reason'] },
} as const satisfies Readonly<Record<string, SimulatedAct>>;

export type ActName = keyof typeof simulatedActs;

export function fieldsOf(act: ActName): readonly FieldName[] {
  return simulatedActs[act].fields;
}

export function isActName(text: string): text is ActName {
  return Object.hasOwn(simulatedActs, text);
}
