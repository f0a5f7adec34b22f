/** What people did, from the facts of a Tenancy's own book, or of the book of the installation. */
import {
  type AdministrationFact,
  type AdministrationFactFilter,
  type FactPosition,
  readAdministrationFacts,
} from '#libs/database/administration-facts.ts';
import type { Database } from '#libs/database/database.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { releasedKind } from '#libs/ledger/release.ts';
import type { JsonObject } from '#libs/schema/json.ts';

export interface RecordedAct {
  readonly sequence: number;
  /** Microseconds since 1970. */
  readonly recordedAt: number;
  readonly actor: string;
  /** The action on a person, or the kind of the fact. */
  readonly action: string;
  /** The channel, and the network address where there is one. */
  readonly from: string;
  readonly subject: string;
  /** As text; empty where nothing was before. */
  readonly before: string;
  readonly after: string;
}

export interface ActPage {
  readonly acts: readonly RecordedAct[];
  /** The next page is before this fact; absent at the end. */
  readonly next?: number;
}

export async function readActs(
  database: Database,
  bookOf: string,
  filter: AdministrationFactFilter,
  position: FactPosition,
): Promise<ActPage> {
  const { facts, ...rest } = await readAdministrationFacts(database, bookOf, filter, position);
  return { acts: facts.map((fact) => actOf(bookOf, fact)), ...rest };
}

function actOf(bookOf: string, { sequence, kind, body, recorded_at }: AdministrationFact): RecordedAct {
  const origin = (body['origin'] ?? {}) as { channel?: string; address?: string };
  return {
    sequence,
    recordedAt: recorded_at,
    actor: textOf(body['actor']),
    action: textOf(body['action'] ?? kind),
    from: [origin.channel, origin.address].filter((part) => part !== undefined).join(' '),
    subject: textOf(
      body['subject'] ?? body['fp'] ?? (kind === releasedKind ? `${bookOf}/${tenancyBookId}` : undefined),
    ),
    before: textOf(body['before']),
    after: textOf(body['after'] ?? stateAfter(kind, body)),
  };
}

/** What facts state that have no member `after`. */
function stateAfter(kind: string, body: JsonObject): unknown {
  switch (kind) {
    case 'tenancy_opened':
      return { name: body['name'], live: body['live'], jurisdiction: body['jurisdiction'] };
    case 'tenancy_closed':
      return { state: 'closed', basis: body['basis'], keys_revoked: body['keys'] };
    case 'tenancy_reopened':
      return { state: 'open' };
    case 'bounds_set':
      return body['bounds'] ?? 'default';
    case 'key_minted':
      return { scope: body['scope'], holder: body['holder'], label: body['label'] };
    case 'key_revoked':
      return 'revoked';
    case releasedKind:
      return { state: 'released', basis: body['basis'], dropped: body['drop'] };
    default:
      return undefined;
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
