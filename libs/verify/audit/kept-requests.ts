/** The requests that are kept with facts, each looked at once though many facts came of it. */
import { inflateRawSync } from 'node:zlib';
import { type Queryable as On, query } from '#libs/database/database.ts';
import type { EventEvidence } from '#libs/kafka/book-event.ts';
import { signatureFault } from './signature.ts';
import type { StandingKeys } from './standing-keys.ts';

export interface KeptEvidence {
  readonly tenantId: string;
  readonly method: string;
  readonly target: string;
  readonly body: Buffer;
  readonly isSigned: boolean;
  readonly actor: string | null;
  /** What does not hold of it. */
  readonly fault: string | undefined;
}

interface Named {
  readonly request_id: string;
  readonly partition: number;
}

interface Row extends Named, Omit<EventEvidence<number>, 'caller_request_id'> {
  readonly tenant_id: string;
}

export function requestName({ request_id, partition }: Named): string {
  return `${request_id}/${partition}`;
}

const text = `
  SELECT request_id, partition, tenant_id, method, target, ts, fp, signature, idempotency_key, body, body_encoding, actor,
    taken_in_at
  FROM unnest($1::uuid[], $2::smallint[]) AS w (request_id, partition) JOIN evidence USING (request_id, partition)`;

/** The facts of one batch lie in many books: its request is kept at hand until others have taken the room. */
const mostBytes = 64 * 1024 * 1024;

export class KeptRequests {
  readonly #on: On;
  readonly #keys: StandingKeys;
  readonly #known = new Map<string, KeptEvidence>();
  #bytes = 0;
  /** How many signatures were checked. */
  signatures = 0;

  constructor(on: On, keys: StandingKeys) {
    this.#on = on;
    this.#keys = keys;
  }

  /** By `requestName`; one that is not kept is absent. */
  async of(named: readonly Named[]): Promise<Map<string, KeptEvidence>> {
    const found = new Map<string, KeptEvidence>();
    const missing = new Map<string, Named>();
    for (const each of named) {
      const name = requestName(each);
      const known = this.#known.get(name);
      if (known === undefined) missing.set(name, each);
      else found.set(name, known);
    }
    if (missing.size === 0) return found;
    const wanted = [...missing.values()];
    const columns = [wanted.map((each) => each.request_id), wanted.map((each) => each.partition)];
    for (const row of await query<Row>(this.#on, 'audited_evidence', text, columns)) {
      const kept = this.#look(row);
      found.set(requestName(row), kept);
      this.#remember(requestName(row), kept);
    }
    return found;
  }

  #remember(name: string, kept: KeptEvidence): void {
    this.#known.set(name, kept);
    this.#bytes += kept.body.length;
    for (const [oldest, { body }] of this.#known) {
      if (this.#bytes <= mostBytes) return;
      this.#known.delete(oldest);
      this.#bytes -= body.length;
    }
  }

  #look(row: Row): KeptEvidence {
    const { tenant_id: tenantId, method, target, actor, body_encoding } = row;
    const isSigned = row.fp !== null || row.signature !== null || row.ts !== null;
    const common = { tenantId, method, target, actor, isSigned };
    let body: Buffer;
    try {
      body = body_encoding === 'deflate' ? inflateRawSync(row.body) : row.body;
    } catch {
      return { ...common, body: Buffer.alloc(0), fault: 'what was sent cannot be read' };
    }
    return { ...common, body, fault: isSigned ? this.#signedFault(row, body) : personFault(row) };
  }

  #signedFault(row: Row, body: Buffer): string | undefined {
    const { tenant_id, method, target, ts, fp, signature, idempotency_key, taken_in_at: takenInAt } = row;
    if (ts === null || fp === null || signature === null) return 'its signature is not whole';
    const key = this.#keys.of(tenant_id, fp);
    if (key === undefined) return `its Tenancy never minted the key ${fp}`;
    if (key.scope !== 'write') return `its key ${fp} may only read`;
    this.signatures += 1;
    const idempotencyKey = idempotency_key ?? undefined;
    const request = { method, target, ts: String(ts), fp, signature, idempotencyKey, body, takenInAt };
    return signatureFault(request, key);
  }
}

/** Nobody signed it: then a person did it, by name, and only what persons do. */
function personFault({ actor, target }: Row): string | undefined {
  if (actor === null) return 'it is neither signed nor any person’s';
  return target.startsWith('/administration/') ? undefined : 'a person’s act stands under the path of a caller';
}
