/**
 * Finds stored requests of a partition without a fact. No index leads from a request to its facts, but request ids rise with
 * time, as events do: both are read side by side, and only the ids of which one side was seen are kept.
 */
import { type Queryable, query } from '#libs/database/database.ts';
import { highestUuid, type RequestsProgress } from './audit-progress.ts';
import type { Findings } from './findings.ts';

/** In an undivided table of all partitions: an index scan that skips others costs as much as one that reads them. */
const maxRowsPerPart = 100_000;
const maxPartition = 32_767;
const maxUuidTimeMs = 2 ** 48 - 1;

const rowsText = (isDivided: boolean): string => `
  WITH read AS MATERIALIZED (
    SELECT request_id, partition FROM request_evidence
    WHERE (request_id, partition) > ($1::uuid, $2::smallint) AND request_id <= $3::uuid${isDivided ? ' AND partition = $5' : ''}
    ORDER BY request_id, partition LIMIT $4)
  SELECT (SELECT count(*)::int FROM read) AS count,
    coalesce((SELECT array_agg(request_id::text) FROM read WHERE partition = $5), '{}') AS request_ids,
    (SELECT json_build_array(request_id, partition) FROM read ORDER BY request_id DESC, partition DESC LIMIT 1) AS last`;

interface ReadRows {
  readonly count: number;
  readonly request_ids: string[];
  readonly last: [requestId: string, partition: number] | null;
}

/** The requests of facts that follow each other. */
export interface RequestsOfFacts {
  readonly requestIds: readonly string[];
  /** That of the last fact; null without facts. */
  readonly lastRequest: string | null;
  /** When the fact in the middle was recorded, in milliseconds: a wrong moment of one fact does not move it. */
  readonly recordedAtMs: number;
}

export class RequestsOfPartition {
  readonly #partition: number;
  readonly #isDivided: boolean;
  readonly #withoutFact: Set<string>;
  readonly #withoutRow: Set<string>;
  #readUpTo: readonly [requestId: string, partition: number];
  #target: string;
  #lastRequest: string | null;

  constructor(
    partition: number,
    { readUpTo, target, lastRequest, withoutFact, withoutRow }: RequestsProgress,
    { isDivided = false } = {},
  ) {
    this.#partition = partition;
    this.#isDivided = isDivided;
    this.#lastRequest = lastRequest;
    this.#readUpTo = readUpTo;
    this.#target = target;
    this.#withoutFact = new Set(withoutFact);
    this.#withoutRow = new Set(withoutRow);
  }

  /** Whether the rows up to the facts that were added are read. */
  get isLevel(): boolean {
    return this.#readUpTo[0] >= this.#target;
  }

  get progress(): RequestsProgress {
    return {
      readUpTo: this.#readUpTo,
      target: this.#target,
      lastRequest: this.#lastRequest,
      withoutFact: [...this.#withoutFact],
      withoutRow: [...this.#withoutRow],
    };
  }

  addFacts({ requestIds, lastRequest, recordedAtMs }: RequestsOfFacts): void {
    for (const id of requestIds) {
      // The facts of one request follow each other: this one was added with the facts before.
      if (id === this.#lastRequest) continue;
      if (!this.#withoutFact.delete(id)) this.#withoutRow.add(id);
    }
    this.#lastRequest = lastRequest;
    const target = lastUuidOf(recordedAtMs);
    if (target > this.#target) this.#target = target;
  }

  /** Reads rows towards the facts that were added. */
  async readRows(database: Queryable, maxRows = maxRowsPerPart): Promise<void> {
    if (await this.#read(database, this.#target, maxRows)) this.#readUpTo = [this.#target, maxPartition];
  }

  /** Reads the rows behind all facts, which were added up to this snapshot. False where there are more. */
  async readLastRows(database: Queryable, findings: Findings, maxRows = maxRowsPerPart): Promise<boolean> {
    if (!(await this.#read(database, highestUuid, maxRows))) return false;
    for (const id of this.#withoutFact) {
      findings.add({ what: 'a stored request has no fact', where: `request ${id} in partition ${this.#partition}` });
    }
    this.#withoutFact.clear();
    // Their requests are missing, which the audit of their books reports.
    this.#withoutRow.clear();
    return true;
  }

  /** False where more rows follow up to `target`. */
  async #read(database: Queryable, target: string, maxRows: number): Promise<boolean> {
    const values = [...this.#readUpTo, target, maxRows, this.#partition];
    // A rebuild during the audit divides the tables: the text of a named statement must not change.
    const name = this.#isDivided ? 'audited_request_ids_divided' : 'audited_request_ids';
    const [rows] = await query<ReadRows>(database, name, rowsText(this.#isDivided), values);
    if (rows === undefined) throw new Error('a query of request ids returned no row; expected one');
    for (const id of rows.request_ids) if (!this.#withoutRow.delete(id)) this.#withoutFact.add(id);
    if (rows.count < maxRows || rows.last === null) return true;
    this.#readUpTo = rows.last;
    return false;
  }
}

/** The highest id of that millisecond. */
function lastUuidOf(timeMs: number): string {
  const time = Math.min(Math.max(timeMs, 0), maxUuidTimeMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-ffff-ffff-ffffffffffff`;
}
