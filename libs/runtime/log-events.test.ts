/** docs/operations/log-events.md lists the events of the code; run with UPDATE_DOCS=true to write it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { logEvents } from './log-events.ts';

const path = join(import.meta.dirname, '../../docs/operations/log-events.md');

function table(): string {
  const rows = Object.entries(logEvents).map(([event, meaning]) => `| \`${event}\` | ${meaning} |`);
  return [
    '# Log events',
    '',
    'Every log line is a JSON object with the member `event`. Alerts and searches use it: the name of an event does not',
    'change, messages may. Lines that belong to a request carry its `request_id` and, where it has one, its `trace_id`;',
    'errors are in `err`.',
    '',
    'Generated from `libs/runtime/log-events.ts` by `UPDATE_DOCS=true npm run jest -- libs/runtime/log-events`.',
    '',
    '| Event | Meaning |',
    '| - | - |',
    ...rows,
    '',
  ].join('\n');
}

test('docs/operations/log-events.md lists every log event', () => {
  if (process.env['UPDATE_DOCS'] === 'true') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, table());
  }
  expect(readFileSync(path, 'utf8')).toBe(table());
});

test('event names are an area and what happened', () => {
  for (const event of Object.keys(logEvents)) expect(event).toMatch(/^[a-z]+\.[a-z_]+$/);
});
