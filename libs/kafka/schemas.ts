/** The Avro schemas of the house, as `schemas/` keeps them, and the subjects they are registered under. */
import { readFileSync } from 'node:fs';
import type { AvroOptions } from './avro.ts';
import { topics } from './topics.ts';

function read(name: string): object {
  return JSON.parse(readFileSync(new URL(`../../schemas/${name}.avsc`, import.meta.url), 'utf8')) as object;
}

/** Internal: both ends are ours and move together, the older one first. */
export const submissionAvro: AvroOptions = {
  subject: `${topics.submissions}-value`,
  schema: read('submission'),
  compatibility: 'BACKWARD',
};

/** Public: any reader of any age reads any record of any age. */
export const bookEventAvro: AvroOptions = {
  subject: `${topics.bookEvents}-value`,
  schema: read('book-event'),
  compatibility: 'FULL_TRANSITIVE',
  exactLongs: true,
};
