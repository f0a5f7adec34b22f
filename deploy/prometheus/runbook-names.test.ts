/** What the documents for operators tell to look for is what the services log and export. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { logEvents } from '#libs/runtime/log-events.ts';
import { projectDir } from '../dev/dev-files.ts';
import { metricCatalogue, seriesNames } from './metric-catalogue.ts';

const operations = join(projectDir, 'docs', 'operations');
const text = readdirSync(operations, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => readFileSync(join(operations, file), 'utf8'))
  .join('\n');

test('every log event that they name exists', () => {
  const areas = [...new Set(Object.keys(logEvents).map((event) => event.slice(0, event.indexOf('.'))))];
  const named = [...text.matchAll(new RegExp(`\`((?:${areas.join('|')})\\.[a-z_]+)\``, 'g'))].map(([, event]) => event);
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((event) => !Object.hasOwn(logEvents, event ?? ''))).toEqual([]);
});

test('every metric that they name exists', () => {
  const known = new Set(metricCatalogue().flatMap((metric) => [metric.name, ...seriesNames(metric)]));
  // `lending_service` is a role of Postgres, `lending_services` a login with its successors.
  const named = [...text.matchAll(/\blending_(?!services?\b|services_\d)\w+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
});
