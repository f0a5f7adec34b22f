/** The health of the cell: first what needs attention, then each part of it. */
import { maxCounted, type ParkedBookSummary } from '#libs/database/parked-submissions.ts';
import type { MissingDependency } from '#libs/runtime/health.ts';
import type { Visit } from '../console-context.ts';
import { formatInstant } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { table } from '../table.ts';
import type { Texts } from '../texts/en.ts';
import { type ConnectedInstance, type DatabaseHealth, maxParkedBooks, type PartitionState } from './read-health.ts';
import type { TopicState } from './topic-state.ts';

export interface CellHealth {
  readonly database: DatabaseHealth;
  readonly topics: TopicState | undefined;
  readonly dependencies: readonly string[];
  readonly missing: readonly MissingDependency[];
  readonly version: string;
}

/** Of all partitions: what is committed or sent and not done yet. Undefined where Kafka has not answered. */
interface Progress {
  readonly lag: number | undefined;
  readonly unpublished: number | undefined;
}

/** The partition moves on while the topics are read: less than nothing is nothing. */
function progressOf(
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

export function healthPage(visit: Visit, health: CellHealth): Html {
  const { texts } = visit;
  const { health: words } = texts;
  return html`<div>
    ${summary(texts, health)}
    ${parkedSection(texts, health.database.parkedBooks)}
    ${partitionSection(texts, health)}
    <div class="cards">${dependencyCard(texts, health)} ${backupCard(texts, health.database)}
      <article>
        <h2>${words.auditTitle}</h2>
        <p>${words.auditHint}</p>
        <p>${words.unrecorded(health.database.unrecordedActs)}</p>
      </article>
    </div>
    ${instanceSection(texts, health)}
  </div>`;
}

function summary(texts: Texts, health: CellHealth): Html {
  const { health: words } = texts;
  const problems = problemsOf(texts, health);
  if (problems.length === 0) return html`<p role="status" class="notice">${words.good}</p>`;
  return html`<div role="status" class="error">
    <p>${words.attention}</p>
    <ul>
      ${problems.map((problem) => html`<li>${problem}</li>`)}
    </ul>
  </div>`;
}

/** More than these are no passing matter of a busy moment. */
const noticedLag = 1_000;

function problemsOf(texts: Texts, { database, topics, missing }: CellHealth): readonly string[] {
  const { health: words } = texts;
  const number = new Intl.NumberFormat(texts.locale);
  const { partitions, parkedBooks, archive } = database;
  const progress = partitions.map((partition) => progressOf(partition, topics));
  const lag = progress.reduce((sum, each) => sum + (each.lag ?? 0), 0);
  const unpublished = progress.reduce((sum, each) => sum + (each.unpublished ?? 0), 0);
  const withoutOwner = partitions.filter(({ owner }) => owner === null).map(({ partition }) => partition);
  const isArchiveFailing =
    archive.isOn && archive.lastFailedAt !== null && archive.lastFailedAt > (archive.lastArchivedAt ?? new Date(0));
  const parkedCount = parkedBooks.length > maxParkedBooks ? `> ${maxParkedBooks}` : String(parkedBooks.length);
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
    ...(isArchiveFailing ? [words.archiveFailing] : []),
  ];
}

function parkedSection(texts: Texts, parked: readonly ParkedBookSummary[]): Html {
  const { health: words } = texts;
  const link = ({ tenantId, bookId }: ParkedBookSummary): Html => {
    const href = `/health/parked/${encodeURIComponent(tenantId)}/${encodeURIComponent(bookId)}`;
    return html`<a href=${href}>${tenantId}/${bookId}</a>`;
  };
  const waiting = ({ waiting: count }: ParkedBookSummary) => (count === maxCounted ? `≥ ${count}` : count);
  const rows = table<ParkedBookSummary>(
    words.parkedTitle,
    [
      { title: words.book, cell: link },
      { title: words.waiting, cell: waiting, isNumber: true },
      { title: words.parkedSince, cell: ({ parkedAt }) => instantText(texts, parkedAt) },
      { title: words.cause, cell: ({ fault }) => fault },
    ],
    parked.slice(0, maxParkedBooks),
  );
  return html`<section>
    <h2>${words.parkedTitle}</h2>
    ${parked.length === 0 ? html`<p>${words.noParked}</p>` : rows}
    ${parked.length > maxParkedBooks && html`<p>${words.moreParked}</p>`}
  </section>`;
}

function partitionSection(texts: Texts, { database, topics }: CellHealth): Html {
  const { health: words } = texts;
  const number = new Intl.NumberFormat(texts.locale);
  const count = (value: number | undefined) => (value === undefined ? words.notKnown : number.format(value));
  return html`<section>
    <h2>${words.partitionsTitle}</h2>
    ${table<PartitionState>(
      words.partitionsTitle,
      [
        { title: words.partition, cell: ({ partition }) => partition, isNumber: true },
        { title: words.owner, cell: ({ owner }) => owner ?? words.none },
        { title: words.epoch, cell: ({ epoch }) => number.format(epoch), isNumber: true },
        { title: words.since, cell: ({ takenOverAt }) => instantText(texts, takenOverAt) },
        { title: words.lag, cell: (partition) => count(progressOf(partition, topics).lag), isNumber: true },
        {
          title: words.unpublishedTitle,
          cell: (partition) => count(progressOf(partition, topics).unpublished),
          isNumber: true,
        },
      ],
      database.partitions,
    )}
    <p>
      <small
        >${topics === undefined ? words.topicsNotRead : words.topicsReadAt(instantText(texts, new Date(topics.readAt)))}</small
      >
    </p>
  </section>`;
}

function dependencyCard(texts: Texts, { dependencies, missing }: CellHealth): Html {
  const { health: words } = texts;
  const rows = dependencies.map((name) => {
    const reason = missing.find((each) => each.name === name)?.reason;
    return html`<dt>${name}</dt>
      <dd class=${reason !== undefined && 'error'}>
        ${reason === undefined ? words.reachable : words.notReachable(reason)}
      </dd>`;
  });
  return html`<article>
    <h2>${words.dependenciesTitle}</h2>
    <dl class="fields">${rows}</dl>
    <p><small>${words.dependenciesHint}</small></p>
  </article>`;
}

function backupCard(texts: Texts, { archive, standbys }: DatabaseHealth): Html {
  const { health: words } = texts;
  const archived = archive.lastArchivedAt;
  const archiveText = archived === null ? words.archiveNone : words.archiveOn(instantText(texts, archived));
  return html`<article>
    <h2>${words.backupTitle}</h2>
    <p>${archive.isOn ? archiveText : words.archiveOff}</p>
    <p>${words.standbys(standbys)}</p>
    <p>${words.baseBackup}</p>
  </article>`;
}

function instanceSection(texts: Texts, { database, version }: CellHealth): Html {
  const { health: words } = texts;
  return html`<section>
    <h2>${words.versionsTitle}</h2>
    <p>${words.versionsHint(version, process.version)}</p>
    ${table<ConnectedInstance>(
      words.versionsTitle,
      [
        { title: words.instance, cell: ({ name }) => name },
        { title: words.connections, cell: ({ connections }) => connections, isNumber: true },
      ],
      database.instances,
    )}
  </section>`;
}

export function instantText(texts: Texts, instant: Date | null): string {
  return instant === null ? texts.health.notKnown : formatInstant(texts, instant.getTime() * 1_000);
}
