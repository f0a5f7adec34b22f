/** The facts of a Tenancy's book: what each changes in it, and the form of the acts that decide them. */

import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import {
  applyPolicyFact,
  type PolicyAdopted,
  type PolicyDrafted,
  type PolicyFact,
  type PolicyPublished,
} from '#libs/credit/policy-lifecycle.ts';
import type { StoredFact, Submission } from '#libs/ledger/book-decider.ts';
import {
  applyConfigurationFact,
  type ConfigurationCreated,
  type ConfigurationFact,
  type ConfigurationVersioned,
} from '#libs/product/configurations.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { Account } from '#libs/schema/objects.ts';
import type { Refusal } from '#libs/schema/refusals.ts';
import type { Schema } from '#libs/schema/schema.ts';
import {
  type LookupKeyFact,
  type LookupKeyPointed,
  type LookupKeyRemoved,
  withLookupKeyFact,
} from '#libs/tenant/lookup-keys.ts';
import type { TenancyBook, TenancyKey } from '#libs/tenant/tenancy-book.ts';

export type OpeningBody = {
  readonly name: string;
  readonly live: boolean;
  readonly jurisdiction: string;
  readonly time_zone: string;
  readonly bounds: JsonObject | null;
};

export type KeyBody = {
  readonly fp: string;
  readonly public_key: string;
  readonly scope: 'read' | 'write';
  readonly holder: 'service' | 'agent';
  readonly label: string;
};

/** Where an administrative act was done: in the console from a network address, or on the command line. */
export type ActOrigin = { readonly channel: 'console' | 'command_line'; readonly address?: string };

/** The person behind an administrative fact. Facts of earlier releases state no origin. */
type WithActor = { readonly actor: string | undefined; readonly origin?: ActOrigin };

export type PersonAction =
  | 'invited'
  | 'link_made'
  | 'role_changed'
  | 'operator_changed'
  | 'access_changed'
  | 'password_set'
  | 'signed_in'
  | 'signed_out'
  | 'sign_in_paused'
  | 'second_factor_refused'
  | 'signed_out_everywhere'
  | 'totp_changed'
  | 'recovery_codes_renewed'
  | 'second_factor_reset'
  | 'secrets_encrypted'
  | 'passkey_added'
  | 'passkey_removed'
  | 'cell_command'
  | 'released';

/** What was done to a person of the console, to a parked book there, or to a whole cell by a command. Recorded for the audit list; it changes nothing in the book. */
export type PersonAct = {
  readonly act_id: string;
  readonly action: PersonAction;
  /** The e-mail of the person, the name of the book, or the command; `authenticator_apps` for those of all persons. */
  readonly subject: string;
  readonly before?: string | null;
  readonly after?: string | null;
};

/** The account of an act on a policy: who, why, and under which reference. */
type WithAccount = { readonly act: Account };

/** By kind, the body of each fact as it is stored and published. */
type TenancyFactBodies = {
  readonly tenancy_opened: OpeningBody & WithActor;
  readonly bounds_set: { readonly bounds: JsonObject | null; readonly before?: JsonObject | null } & WithActor;
  /** It revokes every key. `keys` lists those that were valid. */
  readonly tenancy_closed: { readonly basis: string; readonly keys: readonly string[] } & WithActor;
  readonly tenancy_reopened: WithActor;
  readonly key_minted: KeyBody & WithActor;
  readonly key_revoked: { readonly fp: string } & WithActor;
  readonly person_act: PersonAct & WithActor;
  readonly configuration_created: ConfigurationCreated;
  readonly configuration_version: ConfigurationVersioned;
  readonly lookup_key_pointed: LookupKeyPointed;
  readonly lookup_key_removed: LookupKeyRemoved;
  readonly policy_drafted: PolicyDrafted & WithAccount;
  readonly policy_published: PolicyPublished & WithAccount;
  readonly policy_adopted: PolicyAdopted & WithAccount;
  readonly company_profile_put: { readonly kind: 'company_profile_put'; readonly profile: JsonObject };
};

type TenancyFactKind = keyof TenancyFactBodies;

export type TenancyFact = {
  readonly [Kind in TenancyFactKind]: { readonly kind: Kind; readonly body: TenancyFactBodies[Kind] };
}[TenancyFactKind];

export interface TenancyActContext {
  readonly recordedAt: Moment;
  readonly markets: Markets;
}

/** What an act decided. The book after the facts is computed by the decider. */
export interface TenancyDecision {
  readonly facts: readonly TenancyFact[];
  readonly status: 200 | 201;
  /** The body of the answer as JSON text. */
  answer(after: TenancyBook): string;
  /** What the submission's reference names from now on. */
  readonly subject?: string;
}

export interface TenancyAct<Body = unknown> {
  /** Without it a closed Tenancy refuses the act. */
  readonly isAdmittedWhenClosed?: true;
  /** A method, so that acts with different bodies can be listed together. */
  decide(book: TenancyBook, submission: Submission<Body>, context: TenancyActContext): TenancyDecision | Refusal;
}

/** An act of a route with a body. The edge checks it against the schema; its members are not checked again. */
export interface RoutedTenancyAct<Body> extends TenancyAct<Body> {
  readonly body: Schema<Body>;
}

type Effects = {
  readonly [Kind in TenancyFactKind]: (
    book: TenancyBook,
    body: TenancyFactBodies[Kind],
    recordedAt: Moment,
  ) => TenancyBook;
};

const effects: Effects = {
  tenancy_opened(book, { name, live, jurisdiction, time_zone, bounds }, createdAt) {
    return { ...book, tenancy: { name, live, jurisdiction, timeZone: time_zone, bounds, createdAt } };
  },
  bounds_set(book, { bounds }) {
    return book.tenancy === undefined ? book : { ...book, tenancy: { ...book.tenancy, bounds } };
  },
  tenancy_closed(book, _body, closedAt) {
    const keys = [...book.keys.values()].map((key) => ({ ...key, revokedAt: key.revokedAt ?? closedAt }));
    return { ...book, closedAt, keys: new Map(keys.map((key) => [key.fp, key])) };
  },
  tenancy_reopened({ closedAt: _, ...book }) {
    return book;
  },
  key_minted(book, { fp, public_key, scope, holder, label }, createdAt) {
    return withKey(book, { fp, publicKey: public_key, scope, holder, label, createdAt, revokedAt: null });
  },
  key_revoked(book, { fp }, revokedAt) {
    const key = book.keys.get(fp);
    return key === undefined ? book : withKey(book, { ...key, revokedAt });
  },
  person_act: (book) => book,
  configuration_created: withConfiguration,
  configuration_version: withConfiguration,
  lookup_key_pointed: withLookupKey,
  lookup_key_removed: withLookupKey,
  policy_drafted: withPolicy,
  policy_published: withPolicy,
  policy_adopted: withPolicy,
  company_profile_put: (book, { profile }) => ({ ...book, companyProfile: profile }),
};

export const tenancyFactKinds: readonly string[] = Object.keys(effects);

/** The book after a stored fact. Facts that were just decided take the same path, so that a replay gives the same book. */
export function withTenancyFact(
  book: TenancyBook,
  { kind, body, recordedAt }: Omit<StoredFact, 'sequence'>,
): TenancyBook {
  if (!isTenancyFactKind(kind)) {
    throw new Error(`unknown fact kind ${kind} in the book of Tenancy ${book.tenantId}`);
  }
  return applyFact(book, kind, JSON.parse(body), recordedAt);
}

function isTenancyFactKind(kind: string): kind is TenancyFactKind {
  return Object.hasOwn(effects, kind);
}

function applyFact<Kind extends TenancyFactKind>(
  book: TenancyBook,
  kind: Kind,
  body: TenancyFactBodies[Kind],
  recordedAt: Moment,
): TenancyBook {
  return effects[kind](book, body, recordedAt);
}

function withKey(book: TenancyBook, key: TenancyKey): TenancyBook {
  return { ...book, keys: new Map(book.keys).set(key.fp, key) };
}

function withConfiguration(book: TenancyBook, fact: ConfigurationFact, recordedAt: Moment): TenancyBook {
  return { ...book, configurations: applyConfigurationFact(book.configurations, fact, recordedAt) };
}

function withLookupKey(book: TenancyBook, fact: LookupKeyFact, recordedAt: Moment): TenancyBook {
  return { ...book, lookupKeys: withLookupKeyFact(book.lookupKeys, fact, recordedAt) };
}

function withPolicy(book: TenancyBook, { act: _, ...fact }: PolicyFact & WithAccount, recordedAt: Moment): TenancyBook {
  return { ...book, policies: applyPolicyFact(book.policies, fact, formatMoment(recordedAt)) };
}
