import { afterEach, expect, jest, test } from '@jest/globals';
import { type LogFields, silentLogger } from './logging.ts';
import { OutageLog } from './outage-log.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

function observed() {
  const lines: LogFields[] = [];
  const logger = { ...silentLogger, warn: (fields: LogFields) => void lines.push(fields) };
  return { lines, outage: new OutageLog({ dependency: 'redis' }, logger) };
}

test('an outage is logged when it begins, once a minute, and when it ends', () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const { lines, outage } = observed();
  for (now = 0; now < 150_000; now += 500) outage.failed(new Error('refused'));
  outage.answered();
  const seen = lines.map(({ event, failures }) => [event, failures]);
  expect(seen).toEqual([
    ['dependency.unavailable', 1],
    ['dependency.unavailable', 121],
    ['dependency.unavailable', 241],
    ['dependency.available', 300],
  ]);
});

test('the next outage is logged again at once', () => {
  const { lines, outage } = observed();
  for (let round = 0; round < 2; round += 1) {
    outage.failed(new Error('refused'));
    outage.answered();
  }
  outage.answered();
  expect(lines).toHaveLength(4);
});
