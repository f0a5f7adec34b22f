/**
 * The folder that holds the state of an audit. Several processes may share it where each audits other partitions: each
 * partition has files of its own.
 */
import { closeSync, fdatasyncSync, linkSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import {
  type AuditedPartition,
  newAuditedPartition,
  newTablesProgress,
  type TablesProgress,
} from './audit-progress.ts';
import type { AuditStart } from './audit-start.ts';

export class AuditState {
  readonly folder: string;
  readonly #isTemporary: boolean;
  readonly #digestFiles = new Map<number, number>();
  /** Of the audit that the folder is about. */
  #auditId: string | undefined;

  /** Without a folder, in a temporary one that `close` removes. */
  constructor(folder: string | undefined) {
    this.#isTemporary = folder === undefined;
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'lending-audit-'));
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** The start that an interrupted audit wrote, or that another process writes. */
  readStart(): AuditStart | undefined {
    const start = this.#read<AuditStart>('start.json');
    this.#auditId = start?.id;
    return start;
  }

  /** The start that counts: that of another process where it was first. */
  writeStart(start: AuditStart): AuditStart {
    const own = this.#path(`start-${process.pid}.json`);
    writePrivateFile(own, JSON.stringify(start));
    try {
      // Fails where the file exists, and no reader sees half of it.
      linkSync(own, this.#path('start.json'));
      this.#auditId = start.id;
      return start;
    } catch (cause) {
      if ((cause as { readonly code?: unknown }).code !== 'EEXIST') throw cause;
      return this.readStart() ?? start;
    } finally {
      rmSync(own, { force: true });
    }
  }

  readPartition(partition: number): AuditedPartition {
    return this.#readProgress(partitionFile(partition)) ?? newAuditedPartition();
  }

  writePartition(partition: number, progress: AuditedPartition): void {
    // Before the progress that says they were written.
    const digests = this.#digestFiles.get(partition);
    if (digests !== undefined) fdatasyncSync(digests);
    this.#writeProgress(partitionFile(partition), progress);
  }

  readTables(): TablesProgress {
    return this.#readProgress('tables.json') ?? newTablesProgress();
  }

  writeTables(progress: TablesProgress): void {
    this.#writeProgress('tables.json', progress);
  }

  /** The descriptor of a file that is read and written in place. */
  digestFile(partition: number): number {
    const known = this.#digestFiles.get(partition);
    if (known !== undefined) return known;
    const opened = openSync(this.#path(digestsFile(partition)), 'a', 0o600);
    closeSync(opened);
    const file = openSync(this.#path(digestsFile(partition)), 'r+');
    this.#digestFiles.set(partition, file);
    return file;
  }

  /** After a complete audit: the next one begins again. */
  clear(partitions: Iterable<number>): void {
    const files = [...partitions].flatMap((partition) => [partitionFile(partition), digestsFile(partition)]);
    for (const file of ['start.json', 'tables.json', ...files]) rmSync(this.#path(file), { force: true });
  }

  close(): void {
    for (const file of this.#digestFiles.values()) closeSync(file);
    this.#digestFiles.clear();
    if (this.#isTemporary) rmSync(this.folder, { recursive: true, force: true });
  }

  #read<Content>(file: string): Content | undefined {
    try {
      return JSON.parse(readFileSync(this.#path(file), 'utf8')) as Content;
    } catch (cause) {
      if ((cause as { readonly code?: unknown }).code === 'ENOENT') return undefined;
      throw cause;
    }
  }

  /** A process of an earlier audit may have written it after that audit had ended: it does not count. */
  #readProgress<Progress>(file: string): Progress | undefined {
    const found = this.#read<{ readonly auditId: string; readonly progress: Progress }>(file);
    return found?.auditId === this.#auditId ? found?.progress : undefined;
  }

  /** Progress in a temporary folder is never read. */
  #writeProgress(file: string, progress: object): void {
    if (this.#isTemporary) return;
    writePrivateFile(this.#path(file), JSON.stringify({ auditId: this.#auditId, progress }));
  }

  #path(file: string): string {
    return join(this.folder, file);
  }
}

function partitionFile(partition: number): string {
  return `partition-${partition}.json`;
}

function digestsFile(partition: number): string {
  return `movements-${partition}.digests`;
}
