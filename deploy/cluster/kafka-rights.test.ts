import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { topics } from '#libs/kafka/topics.ts';
import { projectDir } from '../dev/dev-files.ts';
import { type KafkaRights, kafkaRights } from './kafka-rights.ts';

const rightsOf = Object.values<KafkaRights>(kafkaRights);

test('only processors may write events, and no processor may write submissions', () => {
  const writers = (topic: string) =>
    rightsOf.filter((rights) => rights.topics[topic]?.includes('WRITE')).map(({ usedBy }) => usedBy);
  expect(writers(topics.bookEvents)).toEqual(['processor']);
  expect(writers(topics.submissions)).not.toContain('processor');
});

test('the table of rights in the documentation is the one of the topology that is tested', () => {
  const names = Object.values(topics);
  const cell = (rights: readonly string[] = []): string => rights.join(', ').toLowerCase().replaceAll('_', ' ');
  const rows = rightsOf.map(({ usedBy, topics: granted, groups }) => [
    usedBy,
    ...names.map((name) => cell(granted[name])),
    cell(groups),
  ]);
  const header = ['Used by', ...names.map((name) => `\`${name}\``), 'consumer groups'];
  const table = [header, header.map(() => '-'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
  expect(readFileSync(join(projectDir, 'docs', 'operations', 'secrets.md'), 'utf8')).toContain(table);
});
