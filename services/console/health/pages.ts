/** The health of the cell: first what needs attention, then each part of it. */
import { type CheckName, checkNames } from '#libs/database/check-results.ts';
import { maxCounted, type ParkedBookSummary } from '#libs/database/parked-submissions.ts';
import type { Visit } from '../console-context.ts';
import { formatAge, formatInstant } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { table } from '../table.ts';
import type { Texts } from '../texts/en.ts';
import { type CellHealth, findingsOf } from './findings.ts';
import type { Reading, ReadingState } from './latest-reading.ts';
import { type PartitionOwner, partitionOwners, rangesText } from './partition-owners.ts';
import {
  type BackupState,
  type ConnectedInstance,
  maxParkedBooks,
  type PartitionState,
  versionsOf,
} from './read-health.ts';

export function healthPage(visit: Visit, health: CellHealth): Html {
  const { texts } = visit;
  return html`<div>
    ${summary(texts, health)}
    ${parkedSection(texts, health.database.parkedBooks)}
    ${partitionSection(texts, health)}
    <div class="card-grid">${dependencyCard(texts, health)} ${backupCards(texts, health)}
      ${checkCard(texts, health)}
    </div>
    ${instanceSection(texts, health)}
  </div>`;
}

function summary(texts: Texts, health: CellHealth): Html {
  const { health: words } = texts;
  const { problems, remarks } = findingsOf(texts, health);
  const list = (findings: readonly string[]): Html => html`<ul>
    ${findings.map((finding) => html`<li>${finding}</li>`)}
  </ul>`;
  return html`<div>
    ${
      problems.length === 0
        ? html`<p role="status" class="notice">${words.good}</p>`
        : html`<div role="status" class="error"><p>${words.attention}</p>${list(problems)}</div>`
    }
    ${remarks.length > 0 && html`<div class="notice" role="note"><p>${words.remarks}</p>${list(remarks)}</div>`}
  </div>`;
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
      { title: words.cause, cell: ({ fault }) => html`<span lang="en">${fault}</span>` },
    ],
    parked.slice(0, maxParkedBooks),
  );
  return html`<section>
    <h2>${words.parkedTitle}</h2>
    ${parked.length === 0 ? html`<p>${words.noParked}</p>` : rows}
    ${parked.length > maxParkedBooks && html`<p>${words.moreParked}</p>`}
  </section>`;
}

/** A line for each owner; each partition is below, where it can be opened. */
function partitionSection(texts: Texts, { database, topics }: CellHealth): Html {
  const { health: words } = texts;
  const number = new Intl.NumberFormat(texts.locale);
  const count = (value: number | undefined) => (value === undefined ? words.notKnown : number.format(value));
  const owner = (name: string | null) => name ?? html`<mark>${words.none}</mark>`;
  const progress = ({ partition }: PartitionState) => topics.latest?.partitions.get(partition);
  return html`<section>
    <h2>${words.partitionsTitle}</h2>
    ${table<PartitionOwner>(
      words.ownersTitle,
      [
        { title: words.owner, cell: (row) => owner(row.owner) },
        { title: words.partitionsTitle, cell: ({ partitions }) => rangesText(partitions) },
        { title: words.lag, cell: ({ undecided }) => count(undecided), isNumber: true },
        { title: words.unpublishedTitle, cell: ({ unpublished }) => count(unpublished), isNumber: true },
      ],
      partitionOwners(database.partitions, topics.latest?.partitions),
    )}
    <details>
      <summary>${words.eachPartition(number.format(database.partitions.length))}</summary>
      ${table<PartitionState>(
        words.partitionsTitle,
        [
          { title: words.partition, cell: ({ partition }) => partition },
          { title: words.owner, cell: (partition) => owner(partition.owner) },
          { title: words.epoch, cell: ({ epoch }) => number.format(epoch), isNumber: true },
          { title: words.since, cell: ({ takenOverAt }) => instantText(texts, takenOverAt) },
          { title: words.lag, cell: (partition) => count(progress(partition)?.undecided.waiting), isNumber: true },
          {
            title: words.unpublishedTitle,
            cell: (partition) => count(progress(partition)?.unpublished.waiting),
            isNumber: true,
          },
        ],
        database.partitions,
      )}
    </details>
    <p>
      <small>
        ${topics.latest === undefined ? words.topicsNotRead : words.topicsReadAt(instantText(texts, new Date(topics.latest.readAt)))}
        ${failure(texts, topics)}
      </small>
    </p>
  </section>`;
}

/** Beside the moment of the reading that is shown instead. */
function failure(texts: Texts, { failingSince }: ReadingState<Reading>): string {
  return failingSince === undefined ? '' : ` ${texts.health.failingSince(instantText(texts, new Date(failingSince)))}`;
}

function dependencyCard(texts: Texts, { dependencies: { names, read } }: CellHealth): Html {
  const { health: words } = texts;
  const rows = names.map((name) => {
    const reason = read.latest?.missing.find((each) => each.name === name)?.reason;
    const found = read.latest === undefined ? words.notKnown : words.reachable;
    return html`<dt>${name}</dt>
      <dd class=${reason !== undefined && 'error'}>
        ${reason === undefined ? found : html`${words.notReachable} <span lang="en">${reason}</span>`}
      </dd>`;
  });
  const seen =
    read.latest === undefined
      ? words.dependenciesNotSeen
      : words.dependenciesSeen(instantText(texts, new Date(read.latest.readAt)));
  return html`<article>
    <h2>${words.dependenciesTitle}</h2>
    <dl class="fields">${rows}</dl>
    <p><small>${seen}${failure(texts, read)}</small></p>
  </article>`;
}

/** One for each database of the cell. */
function backupCards(texts: Texts, { database: { backups }, readAt }: CellHealth): readonly Html[] {
  return backups.map((backup) => {
    const { backupTitle, backupOf, homeDatabase } = texts.health;
    const title = backups.length === 1 ? backupTitle : backupOf(backup.name ?? homeDatabase);
    return backupCard(texts, { title, backup, readAt });
  });
}

interface BackupCard {
  readonly title: string;
  readonly backup: BackupState;
  readonly readAt: Date;
}

function backupCard(texts: Texts, { title, backup, readAt }: BackupCard): Html {
  const { health: words } = texts;
  const { archive, standbys, baseBackupAt } = backup;
  const archiveText = (): string => {
    if (archive === undefined) return words.archiveIsOff;
    if (archive.waitingFiles === null) return words.archiveNone;
    return moment(new Date(readAt.getTime() - archive.ageSeconds * 1_000));
  };
  const moment = (instant: Date): string => `${instantText(texts, instant)} (${formatAge(texts, instant, readAt)})`;
  return html`<article>
    <h2>${title}</h2>
    <dl class="fields">
      <dt>${words.baseBackup}</dt>
      <dd>${baseBackupAt === null ? words.notRecorded : moment(baseBackupAt)}</dd>
      <dt>${words.archive}</dt>
      <dd>${archiveText()}</dd>
      <dt>${words.standbys}</dt>
      <dd>${standbys}</dd>
    </dl>
    <p><small>${words.backupHint}</small></p>
  </article>`;
}

function checkCard(texts: Texts, { database: { checks, unrecordedActs }, readAt }: CellHealth): Html {
  const { health: words } = texts;
  const number = new Intl.NumberFormat(texts.locale);
  const resultOf = (name: CheckName): string => {
    const result = checks.find((check) => check.name === name);
    if (result === undefined) return words.notRecorded;
    const finishedAt = new Date(readAt.getTime() - result.ageSeconds * 1_000);
    return words.checkResult(number.format(result.findings), formatAge(texts, finishedAt, readAt));
  };
  return html`<article>
    <h2>${words.checksTitle}</h2>
    <dl class="fields">
      ${checkNames.map((name) => [html`<dt>${words.checks[name]}</dt>`, html`<dd>${resultOf(name)}</dd>`])}
    </dl>
    <p><small>${words.checksHint}</small></p>
    <p>${words.unrecorded(unrecordedActs)}</p>
  </article>`;
}

function instanceSection(texts: Texts, { database, version }: CellHealth): Html {
  const { health: words } = texts;
  const { instances } = database;
  const number = new Intl.NumberFormat(texts.locale);
  return html`<section>
    <h2>${words.versionsTitle}</h2>
    <p>${words.versionsHint(version, process.version)}</p>
    <details open=${versionsOf(instances).length > 1}>
      <summary>${words.programs(number.format(instances.length))}</summary>
      ${table<ConnectedInstance>(
        words.versionsTitle,
        [
          { title: words.instance, cell: ({ name }) => name },
          { title: words.version, cell: (instance) => instance.version ?? words.notKnown },
          { title: words.connections, cell: ({ connections }) => connections, isNumber: true },
        ],
        instances,
      )}
    </details>
  </section>`;
}

export function instantText(texts: Texts, instant: Date | null): string {
  return instant === null ? texts.health.notKnown : formatInstant(texts, instant.getTime() * 1_000);
}
