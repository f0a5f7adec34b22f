/**
 * What an act on a Loan consists of. One `Act` value holds everything the service knows about one kind of act: its
 * route and documentation, what a request states, its rules and its effect. `acts/manifest.ts` lists them all.
 */

import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import type { StateRules } from '#libs/ledger/loan-state.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import { account, type InferFields, money, type ObjectFields, object, required } from '#libs/schema/objects.ts';
import { type Refusal, type RefusalCode, refuse } from '#libs/schema/refusals.ts';
import { civilDay } from '#libs/schema/scalars.ts';
import type { Infer, Schema } from '#libs/schema/schema.ts';

type StatedFields = ObjectFields<Schema<unknown>>;

/** The request body of an act: its day, the fields of its own, and the account. */
export function actRequestBody<const Fields extends StatedFields>(fields: Fields) {
  return object({ on: required(civilDay), ...fields, ...account });
}

/** The request body of an act that states a day and nothing else. */
export const dayOnlyBody = actRequestBody({});
/** What the body of every act states. */
export type DayOnlyBody = Infer<typeof dayOnlyBody>;

/** A recorded act. `body` is what it states beyond its day, in domain types. */
export type ActFact<Body = unknown> = {
  readonly type: 'act';
  readonly kind: string;
  readonly definition: Act<Body>;
  readonly event: string;
  readonly reference: string;
  /** The Loan, by its place in the order of recording. */
  readonly loan: number;
  readonly on: CivilDay;
  readonly body: Body;
};

/** What the rules and the effect of an act may read apart from the Loan: calendars, and the act's own sequence. */
export type ActContext = { readonly calendars: Calendars; readonly seq: number };

/** The day of the last fact in force about the Loan: its acts, and Receipts that settled something on it. */
export type LoanHistory = { readonly lastFactOn: CivilDay };

/** What is known of an act when its body is read. */
export type ActReading = {
  readonly on: CivilDay;
  /** The name of the calendar in force when the act was recorded, for acts with `usesCalendar`. */
  readonly calendar?: string | undefined;
};

export type ActRoute = {
  /** Name of the operation in the route table, the OpenAPI document and the SDK. */
  readonly operation: string;
  /** Last segment of the path, and the name of the act in a simulation. */
  readonly segment: string;
  readonly summary: string;
  readonly description: string;
  /** Codes of the act's own rules, for the documentation. Codes that depend on the state are added to them. */
  readonly refusals: readonly RefusalCode[];
};

/**
 * When within its day an act takes effect. `before_opening`: lateness and penalty of the day already see it.
 * `after_receipts`: it finds the day's money allocated.
 */
export type TimeOfDay = 'first' | 'before_opening' | 'course' | 'after_receipts' | 'end_of_day';

/** The fact that an amending act changes: the issuance of its Loan, or another act of it. */
export type AmendedFact = 'issuance' | { readonly event: string };

/** Members are methods, so that an `Act<Body>` can be listed as an `Act`. `actFact` keeps fact and definition together. */
export type Act<Body = unknown> = {
  /** Fact kind: stored, published and listed under this name. */
  readonly kind: string;
  readonly route: ActRoute;
  readonly requestBody: Schema<DayOnlyBody>;
  /** Names of the fields it states beyond its day, and those of them that are money. */
  readonly statedFields: readonly string[];
  readonly moneyFields: readonly string[];
  readonly states: StateRules;
  readonly timeOfDay: TimeOfDay;
  /** It plans days, so the fact keeps the name of the calendar it was recorded under. */
  readonly usesCalendar: boolean;
  /** The stated fields in domain types. They were checked against `requestBody` when the act was submitted. */
  read(stated: unknown, reading: ActReading): Body;
  /** Checked once, when the act is recorded, against everything recorded whatever its day. */
  admit?(loan: Loan, fact: ActFact<Body>, history: LoanHistory): Refusal | undefined;
  /** Checked on the Loan of the act's day. Where a fact recorded later makes it fail, the act becomes an anomaly. */
  rule?(loan: Loan, fact: ActFact<Body>, context: ActContext): Refusal | undefined;
  /** The Loan after the act. A refusal where no new plan can be made. */
  apply(loan: Loan, fact: ActFact<Body>, context: ActContext): Loan | Refusal;
  /** What still fits of a recorded act whose rule fails. Without it such an act has no effect. */
  applyPart?(loan: Loan, fact: ActFact<Body>, context: ActContext): Loan;
  /** Only of an act that changes an earlier fact: `apply` then takes effect where that fact is folded. */
  amends?(body: Body): AmendedFact;
};

type ActDefinition<Kind, Route, Fields extends StatedFields, Body> = {
  readonly kind: Kind;
  readonly route: Route;
  readonly fields?: Fields;
  readonly states: StateRules;
  readonly timeOfDay?: TimeOfDay;
  readonly usesCalendar?: boolean;
  read?(stated: InferFields<Fields>, reading: ActReading): Body;
  amends?(body: Body): AmendedFact;
} & Pick<Act<Body>, 'admit' | 'rule' | 'apply' | 'applyPart'>;

/** An act from its definition, with the defaults filled in. Keeps the literal types of its names. */
export function defineAct<
  const Kind extends string,
  const Route extends ActRoute,
  // biome-ignore lint/complexity/noBannedTypes: no fields beyond the day
  const Fields extends StatedFields = {},
  Body = undefined,
>(definition: ActDefinition<Kind, Route, Fields, Body>) {
  const fields: StatedFields = definition.fields ?? {};
  const names = Object.keys(fields);
  return {
    timeOfDay: 'course' as TimeOfDay,
    usesCalendar: false,
    read: () => undefined as Body,
    ...definition,
    requestBody: definition.fields === undefined ? dayOnlyBody : actRequestBody(definition.fields),
    statedFields: names,
    moneyFields: names.filter((name) => fields[name]?.schema === money),
  };
}

/** The recorded act, with its definition. */
export function actFact<Body>(
  act: Act<Body>,
  named: Pick<ActFact, 'event' | 'reference' | 'loan' | 'on'>,
  body: Body,
): ActFact<Body> {
  return { type: 'act', kind: act.kind, definition: act, ...named, body };
}

/** Whether the fact is an act of that kind, and so has its body. */
export function isFactOf<Body>(act: Act<Body>, fact: ActFact): fact is ActFact<Body> {
  return fact.definition === act;
}

/** The body of an act that plans days: the calendar whose banking days they fall on. */
export type PlanningBody = { readonly calendar: string };

export function calendarIn({ calendar }: ActReading): string {
  if (calendar === undefined) throw new Error('an act that plans days names no calendar');
  return calendar;
}

/** For acts after which nothing else happens to the Loan. */
export function refuseUnlessLast({ on }: ActFact, { lastFactOn }: LoanHistory): Refusal | undefined {
  return lastFactOn < on
    ? undefined
    : refuse('invalid_event', { bound: formatDay(lastFactOn), observed: formatDay(on) });
}

/** The acts a ledger knows, found by fact kind or by operation. */
export class ActManifest {
  readonly acts: readonly Act[];
  readonly #byKind: ReadonlyMap<string, Act>;
  readonly #byOperation: ReadonlyMap<string, Act>;

  constructor(acts: readonly Act[]) {
    this.acts = acts;
    this.#byKind = new Map(acts.map((act) => [act.kind, act]));
    this.#byOperation = new Map(acts.map((act) => [act.route.operation, act]));
    if (this.#byKind.size < acts.length || this.#byOperation.size < acts.length) {
      throw new Error('two acts of the manifest have the same kind or the same operation');
    }
  }

  ofKind(kind: string): Act {
    const act = this.#byKind.get(kind);
    if (act === undefined) throw new Error(`unknown fact kind: ${kind}`);
    return act;
  }

  /** Undefined where the operation is not an act on a Loan. */
  ofOperation(operation: string): Act | undefined {
    return this.#byOperation.get(operation);
  }
}
