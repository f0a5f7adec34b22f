/** What the health of the cell asks an operator to do: problems, and remarks where a cell may be so on purpose. */
import type { ArchiveStatus } from '#libs/database/server-status.ts';
import { formatInstant } from '../dates.ts';
import type { Texts } from '../texts/en.ts';
import type { MissingDependencies } from './cell-readings.ts';
import { type DatabaseHealth, maxParkedBooks, type PartitionState, versionsOf } from './read-health.ts';
import type { TopicState } from './topic-state.ts';

export interface CellHealth {
  readonly database: DatabaseHealth;
  readonly topics: TopicState | undefined;
  readonly dependencies: {
    readonly names: readonly string[];
    /** Undefined before they were asked. */
    readonly read: MissingDependencies | undefined;
  };
  readonly version: string;
  /** Of Postgres, as the settings state. */
  readonly expectedStandbys: number;
  readonly readAt: Date;
}

/** Of all partitions: what is committed or sent and not done yet. Undefined where Kafka has not answered. */
interface Progress {
  readonly lag: number | undefined;
  readonly unpublished: number | undefined;
}

/** The partition moves on while the topics are read: less than nothing is nothing. */
export function progressOf(
  { partition, nextOffset, logStart, nextEvent }: PartitionState,
  topics: TopicState | undefined,
): Progress {
  const end = topics?.submissionEnds.get(partition);
  const lastEvent = topics?.lastEvents.get(partition);
  return {
    lag: end === undefined ? undefined : Math.max(logStart + end - nextOffset, 0),
    unpublished: lastEvent === undefined ? undefined : Math.max(nextEvent - 1 - lastEvent, 0),
  };
}

export interface Findings {
  readonly problems: readonly string[];
  readonly remarks: readonly string[];
}

/** More than these are no passing matter of a busy moment. */
const noticedLag = 1_000;
const noticedActDelayMs = 60_000;
/** `archive_timeout` is a minute. */
const noticedArchiveAgeSeconds = 600;
/** A base backup is taken every night. */
const noticedBackupAgeMs = 36 * 3_600_000;

export function findingsOf(texts: Texts, health: CellHealth): Findings {
  const { problems, remarks } = backupFindings(texts, health);
  const { health: words } = texts;
  const versions = versionsOf(health.database.instances);
  return {
    problems: [...processingProblems(texts, health), ...problems],
    remarks: [...remarks, ...(versions.length > 1 ? [words.severalVersions(versions.join(', '))] : [])],
  };
}

function processingProblems(texts: Texts, { database, topics, dependencies, readAt }: CellHealth): readonly string[] {
  const { health: words } = texts;
  const number = new Intl.NumberFormat(texts.locale);
  const { partitions, parkedBooks, unrecordedActs, oldestUnrecordedAct } = database;
  const { missing = [] } = dependencies.read ?? {};
  const progress = partitions.map((partition) => progressOf(partition, topics));
  const lag = progress.reduce((sum, each) => sum + (each.lag ?? 0), 0);
  const unpublished = progress.reduce((sum, each) => sum + (each.unpublished ?? 0), 0);
  const withoutOwner = partitions.filter(({ owner }) => owner === null).map(({ partition }) => partition);
  const parkedCount = parkedBooks.length > maxParkedBooks ? `> ${maxParkedBooks}` : String(parkedBooks.length);
  const areActsWaiting =
    oldestUnrecordedAct !== null && readAt.getTime() - oldestUnrecordedAct.getTime() > noticedActDelayMs;
  return [
    ...(parkedBooks.length > 0 ? [words.parked(parkedCount)] : []),
    ...(withoutOwner.length > 0 ? [words.noOwner(withoutOwner.join(', '))] : []),
    ...(lag > noticedLag ? [words.behind(number.format(lag))] : []),
    ...(unpublished > noticedLag ? [words.unpublished(number.format(unpublished))] : []),
    ...(topics === undefined ? [words.topicsNotRead] : []),
    ...(topics !== undefined && topics.partitionsWithoutReplica > 0
      ? [words.replicas(number.format(topics.partitionsWithoutReplica))]
      : []),
    ...(missing.length > 0 ? [words.unreachable(missing.map(({ name }) => name).join(', '))] : []),
    ...(areActsWaiting ? [words.actsWaiting(number.format(unrecordedActs))] : []),
  ];
}

/** A cell without live Tenancies may have no backup: it is a machine of developers, or a trial. */
function backupFindings(texts: Texts, { database, expectedStandbys, readAt }: CellHealth): Findings {
  const { health: words } = texts;
  const { archive, baseBackupAt, standbys, hasLiveTenancy } = database;
  const age = baseBackupAt === null ? undefined : readAt.getTime() - baseBackupAt.getTime();
  const missing = [
    ...(archive === undefined ? [words.archiveOff] : []),
    ...(baseBackupAt === null ? [words.noBaseBackup] : []),
    ...(baseBackupAt !== null && age !== undefined && age > noticedBackupAgeMs
      ? [words.oldBaseBackup(formatInstant(texts, baseBackupAt.getTime() * 1_000))]
      : []),
  ];
  return {
    problems: [
      ...archiveProblems(texts, archive),
      ...(hasLiveTenancy ? missing : []),
      ...(standbys < expectedStandbys ? [words.standbyMissing(standbys, expectedStandbys)] : []),
    ],
    remarks: [
      ...(hasLiveTenancy ? [] : missing),
      ...(standbys === 0 && expectedStandbys === 0 ? [words.noStandby] : []),
    ],
  };
}

function archiveProblems({ health: words }: Texts, archive: ArchiveStatus | undefined): readonly string[] {
  if (archive === undefined) return [];
  const { isFailing, ageSeconds, waitingFiles } = archive;
  if (isFailing) return [words.archiveFailing];
  // The file that is written now is archived when it is full or its time is over. Null: none was archived yet.
  const isWaiting = waitingFiles === null || waitingFiles > 1;
  return isWaiting && ageSeconds > noticedArchiveAgeSeconds ? [words.archiveStopped] : [];
}
