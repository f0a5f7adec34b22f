/** What a rebuild is asked, and what it works with. */

import type { Database } from '#libs/database/database.ts';
import type { KafkaClient, WarnLog } from '#libs/kafka/kafka.ts';
import type { Intake } from './ingest.ts';

export interface RebuildOptions {
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: string;
  /** Logs in as the owner of the tables. */
  readonly ownerUrl: string;
  readonly say: WarnLog;
  /** The database holds nothing: what stands in the log behind the topic's end is to be submitted again. */
  readonly isLost?: boolean;
  /** Of a lost database: another that still says what no fact says. */
  readonly secretsUrl?: string;
  /** The new tables are to serve although they differ: those that serve are known to be wrong. */
  readonly acceptsDifferences?: boolean;
  readonly progress?: (line: string) => void;
}

export interface Rebuilding extends RebuildOptions {
  /** Finds the new tables. */
  readonly owner: Database;
  readonly intake: Intake;
}

export class NotRebuilt extends Error {
  override readonly name = 'NotRebuilt';
}
