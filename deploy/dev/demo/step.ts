/** One request of the demo data. What only the service knows, such as an id, is taken from the answer to an earlier step. */

import type { RefusalCode } from '#libs/schema/refusals.ts';
import type { RouteName } from '#libs/sdk/src/route-arguments.ts';

/** A value in the answer to the step of this name. `plus` is added to the minor units of an amount. */
export interface FromAnswer {
  readonly answerOf: string;
  readonly at: readonly (string | number)[];
  readonly plus?: number;
}

/** The id of the event that the act of this reference recorded. */
export interface EventOf {
  readonly eventOf: string;
}

export type StepValue =
  | string
  | number
  | boolean
  | FromAnswer
  | EventOf
  | readonly StepValue[]
  | { readonly [member: string]: StepValue };

export interface Step {
  /** Unique in the demo data; the reference where the route has one. */
  readonly name: string;
  readonly route: RouteName;
  readonly at: { readonly [parameter: string]: StepValue };
  readonly body: { readonly [member: string]: StepValue };
  /** Of a request that the lender's rules do not admit. */
  readonly refusedWith?: RefusalCode;
}

export function fromAnswer(answerOf: string, ...at: readonly (string | number)[]): FromAnswer {
  return { answerOf, at };
}

export type Money = { readonly minor_units: number; readonly currency: string };

export function pesos(whole: number): Money {
  return { minor_units: whole * 100, currency: 'MXN' };
}

type Answers = ReadonlyMap<string, unknown>;

/** The value with everything filled in that it takes from answers. */
export function fillIn(value: StepValue, answers: Answers): unknown {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: StepValue) => fillIn(item, answers));
  if (isFromAnswer(value)) return valueIn(value, answers);
  if (isEventOf(value)) return eventIn(value, answers);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillIn(member, answers)]));
}

function isFromAnswer(value: object): value is FromAnswer {
  return 'answerOf' in value;
}

function isEventOf(value: object): value is EventOf {
  return 'eventOf' in value;
}

function valueIn({ answerOf, at, plus }: FromAnswer, answers: Answers): unknown {
  let found = answers.get(answerOf);
  for (const member of at) found = (found as Record<string | number, unknown> | undefined)?.[member];
  if (found === undefined) throw new Error(`the answer to ${answerOf} has no ${at.join('/')}`);
  if (plus === undefined) return found;
  const amount = found as Money;
  return { ...amount, minor_units: amount.minor_units + plus };
}

interface LoanAnswer {
  readonly events: readonly { readonly id?: string; readonly act?: { readonly reference: string } }[];
}

function eventIn({ eventOf }: EventOf, answers: Answers): string {
  const loan = answers.get(eventOf) as LoanAnswer | undefined;
  const id = loan?.events.find(({ act }) => act?.reference === eventOf)?.id;
  if (id === undefined) throw new Error(`the answer to ${eventOf} holds no event of that act`);
  return id;
}
