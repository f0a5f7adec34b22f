/**
 * A new database from the topic alone. Where one serves it goes on serving: the new tables are made beside it, follow the
 * topic, are compared with those that serve and take their place. Where none does, the topic is all there is.
 */

import type { Queryable } from '#libs/database/database.ts';
import { inOneMoment, openAsOwner } from '#libs/database/maintenance-pool.ts';
import { migrate } from '#libs/database/migrate.ts';
import { AvroCodec } from '#libs/kafka/avro.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { bookEventAvro } from '#libs/kafka/schemas.ts';
import { compareTables, type RowDifference } from './compare.ts';
import { swap } from './cutover.ts';
import type { EventIn } from './event-rows.ts';
import { foldNamed } from './folded-rows.ts';
import { Folders } from './folders.ts';
import { Intake } from './ingest.ts';
import { NotRebuilt, type Rebuilding, type RebuildOptions } from './rebuilding.ts';
import { fromTopicAlone, type Lost } from './restore-from-topic.ts';
import {
  beside,
  deferIndexes,
  gatherStatistics,
  holdsFacts,
  isOfOneAge,
  makeTables,
  tablesTakenOver,
} from './shadow-schema.ts';

export interface Rebuilt {
  readonly events: number;
  /** Reading, writing and folding all that the topic held at the beginning. */
  readonly seconds: number;
  readonly differences: readonly RowDifference[];
  /** What the tables that served are called now; undefined where they serve on. */
  readonly before: string | undefined;
  readonly lost?: Lost;
}

export async function rebuild(options: RebuildOptions): Promise<Rebuilt> {
  const { kafka, ownerUrl, say, schemaRegistryUrl } = options;
  const owner = openAsOwner({ url: ownerUrl, name: 'rebuild' }, beside);
  let intake: Intake | undefined;
  let folders: Folders | undefined;
  try {
    const isServing = (await holdsFacts(owner)) === true;
    if (isServing && options.isLost === true) throw new NotRebuilt('this database holds facts: it is not lost');
    if (!isServing && options.isLost !== true) {
      throw new NotRebuilt('this database holds no facts; say --lost where the one before it is lost');
    }
    if (!isServing) await migrate(ownerUrl);
    const began = performance.now();
    folders = new Folders(ownerUrl);
    await makeTables(owner, ownerUrl);
    const buildIndexes = await deferIndexes(owner);
    // As numbers, which is what rows are written from: exact until 2^52 microseconds, in the year 2112.
    const read = { ...bookEventAvro, exactLongs: false };
    const codec = await AvroCodec.register<EventIn>(new SchemaRegistry(schemaRegistryUrl), read);
    intake = await Intake.open({ kafka, codec, say, database: owner });
    await intake.toEnd();
    const { events } = intake;
    options.progress?.(`${events} events taken in after ${secondsSince(began)} s`);
    intake.touched();
    await buildIndexes();
    options.progress?.(`indexed after ${secondsSince(began)} s`);
    await folders.fold();
    const seconds = (performance.now() - began) / 1_000;
    await gatherStatistics(owner);
    options.progress?.(`every book folded after ${secondsSince(began)} s`);
    const rebuilding = { ...options, owner, intake };
    const taken = isServing
      ? await besideServing(rebuilding)
      : { differences: [], ...(await fromTopicAlone(rebuilding)) };
    return { events, seconds, ...taken };
  } finally {
    await folders?.stop();
    await intake?.stop();
    await owner.end();
  }
}

/** How long commits may be held up while the topic is told their last. */
const heldUpMs = 2_000;
const tries = 20;
const pauseMs = 250;

async function besideServing(rebuilding: Rebuilding): Promise<Pick<Rebuilt, 'differences' | 'before'>> {
  const { owner, intake, acceptsDifferences = false, progress } = rebuilding;
  if (!(await isOfOneAge(owner))) throw new NotRebuilt('the tables that serve are older: run lending prepare first');
  await catchUp(rebuilding);
  const whole = await intake.still(async () => {
    // Rows that follow a book are held to those of the same facts: none may be taken in that is not folded.
    await foldNamed(owner, intake.touched());
    return inOneMoment(owner, async (on) => {
      // Whole tables are joined as wholes, whatever the tables that serve are thought to hold.
      await on.query("SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '128MB'");
      return compareTables(on);
    });
  });
  progress?.(`compared: ${whole.differences.length} differences, ${whole.unequal.length} books still moving`);
  if (whole.differences.length > 0 && !acceptsDifferences) return { differences: whole.differences, before: undefined };
  const takenOver = await tablesTakenOver(owner);
  let moved = [...whole.unequal];
  for (let attempt = 0; attempt < tries; attempt += 1) {
    moved = [...moved, ...(await catchUp(rebuilding))];
    let differences = whole.differences;
    const before = await swap({
      owner,
      takenOver,
      async isCaughtUp(lasts: ReadonlyMap<number, number>, on: Queryable) {
        if (!(await intake.reaches(lasts, heldUpMs))) return false;
        const last = intake.touched();
        await foldNamed(owner, last);
        moved = [...moved, ...last];
        const again = await compareTables(on, moved);
        const unequal = again.unequal.map(({ tenantId, bookId }) => unequalBook(`${tenantId} ${bookId}`));
        differences = [...whole.differences, ...again.differences, ...unequal];
        return differences.length === 0 || acceptsDifferences;
      },
    });
    if (before !== undefined || (differences.length > 0 && !acceptsDifferences)) return { differences, before };
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new NotRebuilt('the topic did not come to its end while commits were held up; nothing was changed, try again');
}

function unequalBook(row: string): RowDifference {
  return { table: 'books', row, serving: 'another number of facts', rebuilt: null };
}

/** Folds what was taken in meanwhile until little comes between two rounds. */
async function catchUp({ intake, owner }: Rebuilding) {
  const folded = [];
  for (;;) {
    await intake.toEnd();
    const touched = intake.touched();
    await foldNamed(owner, touched);
    folded.push(...touched);
    if (touched.length < fewBooks) return folded;
  }
}

const fewBooks = 200;

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1_000).toFixed(1);
}
