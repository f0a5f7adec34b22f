/** Fills the demo Tenancy when a start finds it new, and continues where a start was interrupted while it did so. */

import { parseSigner } from '#libs/auth/signer.ts';
import { dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { dayInZone } from '#libs/credit/time-zone.ts';
import type { Database } from '#libs/database/database.ts';
import { openDatabasesOf } from '#libs/database/open-partition-databases.ts';
import { openDatabase } from '#libs/database/pool.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import type { CellAddresses } from '#libs/submission/open-submission-client.ts';
import { demoTenancy } from '../demo-tenancies.ts';
import { type LogLine, readJsonFile } from '../dev-files.ts';
import { type DemoRequests, makeDemoRequests } from './demo-requests.ts';
import { recordDemoRequests } from './record-demo-requests.ts';
import { openWriteApi, type Writer } from './write-api.ts';

/** `auto`: where the Tenancy holds nothing yet, unless an earlier start left it empty on request. */
export type DemoChoice = 'auto' | 'fill' | 'leave empty';

/** What was done with the data that this key belongs to: new data have a new key. */
interface DemoState {
  readonly fp: string;
  readonly seed: number;
  /** Days of the demo data are counted from the day of the first start. */
  readonly day: string;
  readonly progress: 'filling' | 'filled' | 'left empty';
}

export interface SeedOptions {
  readonly choice: DemoChoice;
  readonly stateFile: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly log: LogLine;
}

/** The seed and the day of the recorded demo data. */
export type DemoData = Pick<DemoState, 'seed' | 'day'>;

const seed = 1;

/** A failure is reported and does not fail the start: the service works without demo data. */
export async function seedDemo(
  addresses: CellAddresses,
  key: string,
  { choice, stateFile, now, log }: SeedOptions,
): Promise<DemoData | undefined> {
  const fp = parseSigner(key)?.fp;
  if (fp === undefined) throw new Error('the write key of the demo Tenancy cannot be parsed; expected lsk_test_…');
  const today = formatDay(dayInZone((now * 1_000) as Moment, demoTenancy.timeZone));
  const stored = readJsonFile<DemoState>(stateFile);
  const known = stored?.fp === fp ? stored : undefined;
  const next = await nextState({ known, choice, isEmpty: () => isEmptyTenancy(addresses) });
  const state: DemoState = { fp, seed: known?.seed ?? seed, day: known?.day ?? today, progress: next };
  const save = (progress: DemoState['progress']) =>
    writePrivateFile(stateFile, `${JSON.stringify({ ...state, progress })}\n`);
  if (next === 'left empty') {
    if (choice === 'leave empty') save(next);
    return undefined;
  }
  const data = { seed: state.seed, day: state.day };
  if (next === 'filled') return data;
  save('filling');
  try {
    await fill(
      addresses,
      { tenancy: demoTenancy, key },
      { requests: makeDemoRequests({ seed: data.seed, day: dayOf(data.day) }), log },
    );
    save('filled');
    return data;
  } catch (cause) {
    log(
      `${cause instanceof Error ? cause.message : cause}; the next start tries again, npm start -- --no-demo does not`,
    );
    return undefined;
  }
}

async function nextState(found: {
  readonly known: DemoState | undefined;
  readonly choice: DemoChoice;
  isEmpty(): Promise<boolean>;
}): Promise<DemoState['progress']> {
  const { known, choice, isEmpty } = found;
  if (known?.progress === 'filled') return 'filled';
  if (choice === 'leave empty') return 'left empty';
  if (choice === 'fill' || known?.progress === 'filling') return 'filling';
  return known === undefined && (await isEmpty()) ? 'filling' : 'left empty';
}

async function fill(
  addresses: CellAddresses,
  writer: Writer,
  { requests, log }: { readonly requests: DemoRequests; readonly log: LogLine },
): Promise<void> {
  const startedAt = performance.now();
  log('filling the demo Tenancy once; npm start -- --no-demo leaves it empty');
  const api = await openWriteApi(addresses, writer);
  try {
    await recordDemoRequests(api.lending, requests);
  } finally {
    await api.close();
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  log(`recorded ${describe(requests)} in ${seconds} s`);
}

function describe({ clients }: DemoRequests): string {
  const steps = clients.flat();
  const count = (route: string): number => steps.filter((step) => step.route === route).length;
  return `${clients.length} Clients, ${count('issueLoan')} Loans and ${count('reportReceipt')} Receipts`;
}

/** A Tenancy without Clients and products. */
async function isEmptyTenancy({ databaseUrl, partitionDatabaseUrls = new Map() }: CellAddresses): Promise<boolean> {
  const pools: Database[] = [];
  const open = (url: UrlSource): Database => {
    const pool = openDatabase({ url, name: 'demo-data', connections: 1 });
    pools.push(pool);
    return pool;
  };
  try {
    const databases = await openDatabasesOf(open(databaseUrl), { urls: () => partitionDatabaseUrls, open });
    const text = `SELECT 1 FROM books WHERE tenant_id = $1 AND book_id LIKE 'c/%'
       UNION ALL SELECT 1 FROM configurations WHERE tenant_id = $1 LIMIT 1`;
    const found = await databases.readAll((database) => database.query(text, [demoTenancy.id]));
    return found.every(({ rows }) => rows.length === 0);
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
}
