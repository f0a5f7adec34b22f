/** What the health of the cell asks an operator to do: problems, and remarks where a cell may be so on purpose. */
import { checkNames } from '#libs/database/check-results.ts';
import { repairOwner } from '#libs/database/partitions.ts';
import type { ArchiveStatus } from '#libs/database/server-status.ts';
import { formatInstant } from '../dates.ts';
import type { Texts } from '../texts/en.ts';
import type { MissingDependencies } from './cell-readings.ts';
import type { Reading, ReadingState } from './latest-reading.ts';
import type { Backlog, PartitionProgress } from './partition-progress.ts';
import {
  type BackupState,
  type DatabaseHealth,
  maxParkedBooks,
  type PartitionState,
  versionsOf,
} from './read-health.ts';
import type { TopicState } from './topic-state.ts';

export interface CellHealth {
  readonly database: DatabaseHealth;
  readonly topics: ReadingState<TopicState>;
  readonly dependencies: {
    readonly names: readonly string[];
    readonly read: ReadingState<MissingDependencies>;
  };
  readonly version: string;
  /** Of each database, as the settings state. */
  readonly expectedStandbys: number;
  readonly readAt: Date;
}

export interface Findings {
  readonly problems: readonly string[];
  readonly remarks: readonly string[];
}

/** More than these are no passing matter of a busy moment. */
const noticedBacklog = 1_000;
/** A partition that moved before was read twice meanwhile. A new owner takes less. */
const noticedStandstillMs = 20_000;
/** Readings are made every thirty seconds. */
const noticedReadingAgeMs = 60_000;
const noticedActDelayMs = 60_000;
/** `archive_timeout` is a minute. */
const noticedArchiveAgeSeconds = 600;
/** They run every night; as the alert. */
const noticedCheckAgeSeconds = 2 * 86_400;
/** A base backup is taken every night. */
const noticedBackupAgeMs = 36 * 3_600_000;

export function findingsOf(texts: Texts, health: CellHealth): Findings {
  const { health: words } = texts;
  const backups = backupFindings(texts, health);
  const checks = checkFindings(texts, health);
  const versions = versionsOf(health.database.instances);
  return {
    problems: [
      ...processingProblems(texts, health),
      ...progressProblems(texts, health),
      ...readingProblems(texts, health),
      ...checks.problems,
      ...backups.problems,
    ],
    remarks: [
      ...backlogRemark(texts, health),
      ...backups.remarks,
      ...checks.remarks,
      ...(versions.length > 1 ? [words.severalVersions(versions.join(', '))] : []),
    ],
  };
}

function processingProblems(texts: Texts, { database, topics, dependencies, readAt }: CellHealth): readonly string[] {
  const { health: words } = texts;
  const number = new Intl.NumberFormat(texts.locale);
  const { partitions, parkedBooks, unrecordedActs, oldestUnrecordedAct, unreachableDatabases, hasProcessor } = database;
  const { missing = [] } = dependencies.read.latest ?? {};
  const { partitionsWithoutReplica = 0 } = topics.latest ?? {};
  const isWithoutOwner = ({ owner }: PartitionState): boolean => owner === null || owner === repairOwner;
  const withoutOwner = partitions.filter(isWithoutOwner).map(({ partition }) => partition);
  const parkedCount = parkedBooks.length > maxParkedBooks ? `> ${maxParkedBooks}` : String(parkedBooks.length);
  const areActsWaiting =
    oldestUnrecordedAct !== null && readAt.getTime() - oldestUnrecordedAct.getTime() > noticedActDelayMs;
  return [
    ...unreachableDatabases.map(words.unreachableDatabase),
    ...(parkedBooks.length > 0 ? [words.parked(parkedCount)] : []),
    ...(hasProcessor ? [] : [words.noProcessor]),
    ...(withoutOwner.length > 0 ? [words.noOwner(withoutOwner.join(', '))] : []),
    ...(partitionsWithoutReplica > 0 ? [words.replicas(number.format(partitionsWithoutReplica))] : []),
    ...(missing.length > 0 ? [words.unreachable(missing.map(({ name }) => name).join(', '))] : []),
    ...(areActsWaiting ? [words.actsWaiting(number.format(unrecordedActs))] : []),
  ];
}

type BacklogKind = keyof PartitionProgress;

function waitingIn({ latest }: CellHealth['topics'], kind: BacklogKind): number {
  const backlogs = [...(latest?.partitions.values() ?? [])];
  return backlogs.reduce((sum, progress) => sum + progress[kind].waiting, 0);
}

function progressProblems(texts: Texts, { topics }: CellHealth): readonly string[] {
  const { health: words } = texts;
  const number = new Intl.NumberFormat(texts.locale);
  const many = (kind: BacklogKind, problem: (count: string) => string): readonly string[] => {
    const waiting = waitingIn(topics, kind);
    return waiting > noticedBacklog ? [problem(number.format(waiting))] : [];
  };
  const standing = (kind: BacklogKind, problem: (partitions: string, since: string) => string): readonly string[] => {
    const { latest } = topics;
    if (latest === undefined) return [];
    const isStanding = ({ waiting, unchangedSince }: Backlog): boolean =>
      waiting > 0 && latest.readAt - unchangedSince >= noticedStandstillMs;
    const found = [...latest.partitions].filter(([, progress]) => isStanding(progress[kind]));
    if (found.length === 0) return [];
    const since = Math.min(...found.map(([, progress]) => progress[kind].unchangedSince));
    return [problem(found.map(([partition]) => partition).join(', '), formatInstant(texts, since * 1_000))];
  };
  return [
    ...many('undecided', words.behind),
    ...standing('undecided', words.decidesNothing),
    ...many('unpublished', words.unpublished),
    ...standing('unpublished', words.publishesNothing),
  ];
}

/** What is shown of a reading that is old says little of now. */
function readingProblems(texts: Texts, { topics, dependencies, readAt }: CellHealth): readonly string[] {
  const { health: words } = texts;
  const problemsOf = ({ latest, failingSince }: ReadingState<Reading>, what: string): readonly string[] => {
    if (failingSince !== undefined) return [words.readingFails(what, formatInstant(texts, failingSince * 1_000))];
    const isOld = latest !== undefined && readAt.getTime() - latest.readAt > noticedReadingAgeMs;
    return isOld ? [words.readingOld(what, formatInstant(texts, latest.readAt * 1_000))] : [];
  };
  return [
    ...(topics.latest === undefined ? [words.topicsNotRead] : []),
    ...problemsOf(topics, words.partitionsAndTopics),
    ...(dependencies.read.latest === undefined ? [words.dependenciesNotSeen] : []),
    ...problemsOf(dependencies.read, words.dependenciesTitle),
  ];
}

/** A cell without live Tenancies may be without checks, as without a backup. */
function checkFindings(texts: Texts, { database: { checks, hasLiveTenancy } }: CellHealth): Findings {
  const { health: words } = texts;
  const number = new Intl.NumberFormat(texts.locale);
  const missing = checkNames
    .filter((name) => !checks.some((check) => check.name === name))
    .map((name) => words.checkMissing(words.checks[name]));
  const found = checks.flatMap(({ name, ageSeconds, findings }) => [
    ...(findings > 0 ? [words.checkFound(words.checks[name], number.format(findings))] : []),
    ...(ageSeconds > noticedCheckAgeSeconds ? [words.checkOld(words.checks[name])] : []),
  ]);
  return { problems: [...found, ...(hasLiveTenancy ? missing : [])], remarks: hasLiveTenancy ? [] : missing };
}

/** A busy cell always has one; it is said so that a small one which stays is seen. */
function backlogRemark(texts: Texts, { topics }: CellHealth): readonly string[] {
  const number = new Intl.NumberFormat(texts.locale);
  const undecided = waitingIn(topics, 'undecided');
  const unpublished = waitingIn(topics, 'unpublished');
  if (undecided + unpublished === 0) return [];
  return [texts.health.backlog(number.format(undecided), number.format(unpublished))];
}

/** A cell without live Tenancies may have no backup: it is a machine of developers, or a trial. */
function backupFindings(texts: Texts, { database, expectedStandbys, readAt }: CellHealth): Findings {
  const { health: words } = texts;
  const found = database.backups.map((backup) => {
    const { name, standbys } = backup;
    const { problems, missing } = backupProblems(texts, backup, readAt);
    const hasNoStandby = standbys === 0 && expectedStandbys === 0;
    const ofDatabase = (text: string): string => (name === undefined ? text : words.ofDatabase(name, text));
    return {
      problems: [
        ...problems,
        ...(database.hasLiveTenancy ? missing : []),
        ...(standbys < expectedStandbys ? [words.standbyMissing(standbys, expectedStandbys)] : []),
      ].map(ofDatabase),
      remarks: [...(database.hasLiveTenancy ? [] : missing), ...(hasNoStandby ? [words.noStandby] : [])].map(
        ofDatabase,
      ),
    };
  });
  return { problems: found.flatMap(({ problems }) => problems), remarks: found.flatMap(({ remarks }) => remarks) };
}

/** `missing`: what only a cell with live Tenancies must have. */
function backupProblems(texts: Texts, { archive, baseBackupAt }: BackupState, readAt: Date) {
  const { health: words } = texts;
  const age = baseBackupAt === null ? undefined : readAt.getTime() - baseBackupAt.getTime();
  return {
    problems: archiveProblems(texts, archive),
    missing: [
      ...(archive === undefined ? [words.archiveOff] : []),
      ...(baseBackupAt === null ? [words.noBaseBackup] : []),
      ...(baseBackupAt !== null && age !== undefined && age > noticedBackupAgeMs
        ? [words.oldBaseBackup(formatInstant(texts, baseBackupAt.getTime() * 1_000))]
        : []),
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
