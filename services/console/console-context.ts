/** What every router uses, and what is known of each request. */
import type { Request, Response } from 'express';
import type { Database } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import type { Person } from '#libs/people/persons.ts';
import type { SignInOrigin } from '#libs/people/sessions.ts';
import type { TotpSecrets } from '#libs/people/totp-secrets.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { Administration } from '#libs/submission/administration.ts';
import type { ActOrigin } from '#libs/tenant/tenancy-facts.ts';
import type { Assets } from './assets.ts';
import type { CellReadings } from './health/cell-readings.ts';
import type { ReadApi } from './read-api.ts';
import type { QueryValues } from './tenancy-path.ts';
import type { Texts } from './texts/en.ts';

export interface ConsoleContext {
  /** The home database. */
  readonly database: Database;
  readonly databases: PartitionDatabases;
  readonly administration: Administration;
  readonly readApi: ReadApi;
  readonly readings: Pick<CellReadings, 'topics' | 'dependencies'>;
  /** Of Postgres. */
  readonly expectedStandbys: number;
  readonly logger: Logger;
  readonly assets: Assets;
  /** What signs the challenges of passkeys; the same in every instance. */
  readonly challengeKey: Buffer;
  readonly totpSecrets: TotpSecrets;
  /** People reach the console by HTTPS. */
  readonly isSecure: boolean;
  /** The address at which people open the console, where it is set. */
  readonly url: string | undefined;
  /** Trusted proxies before the console. */
  readonly proxies: number;
}

/** Of one request, in `response.locals`. */
export interface Visit {
  readonly assets: Assets;
  readonly texts: Texts;
  /** The token in the browser's cookie, from which the CSRF token of its forms is derived. */
  readonly browserToken: string;
  /** Absent before sign-in. */
  readonly person?: Person;
  /** How long the session of the person lasts without another request. */
  readonly sessionEndsInMs?: number;
  readonly path: string;
  /** The path and query of the page, of an answer to a form those of the page with the form. */
  readonly target: string;
  /** The clocks that the address states: links between pages of the book keep them. */
  readonly clocks: QueryValues;
  /** The Tenancy that the page is about, once the person's role in it was checked. */
  readonly tenantId?: string;
  /** Of that Tenancy: real lending, not a test. */
  readonly isLive?: boolean;
  readonly address: string;
}

export function visitOf(response: Response): Visit {
  return response.locals['visit'] as Visit;
}

/** For routers behind `requirePerson`. */
export function personOf(response: Response): Person {
  const { person } = visitOf(response);
  if (person === undefined) throw new Error('a router for signed-in persons is mounted before requirePerson');
  return person;
}

/** Stored with a session. */
export function browserOf(request: Request<object>, response: Response): SignInOrigin {
  return { address: visitOf(response).address, userAgent: request.get('User-Agent') ?? '' };
}

/** For what the signed-in person does: recorded with the person and the network address. */
export function administrationOf({ administration }: ConsoleContext, response: Response): PersonalAdministration {
  return { actor: personOf(response).email, acts: administration.from(originOf(response)) };
}

/** Where what the person does is done. */
export function originOf(response: Response): ActOrigin {
  return { channel: 'console', address: visitOf(response).address };
}

interface PersonalAdministration {
  readonly actor: string;
  readonly acts: Administration;
}
