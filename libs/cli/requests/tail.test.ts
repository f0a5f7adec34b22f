import { expect, test } from '@jest/globals';
import type { LoggedRequest } from '#libs/sdk/src/contract/shapes.ts';
import { LogReader } from './tail.ts';

const logged = (id: number, route: string): LoggedRequest => ({
  request_id: `request-${id}`,
  received_at: '2026-03-20T10:00:00.000000Z',
  duration_us: 900,
  fp: '0f',
  method: 'GET',
  route,
  status: 200,
});

/** Answers pages of this log, the newest request first, as the service does. */
function callerOf(log: readonly LoggedRequest[]) {
  const pages: string[] = [];
  return {
    pages,
    async request<Answer>(_method: string, path: string): Promise<Answer> {
      pages.push(path);
      const query = new URLSearchParams(path.slice(path.indexOf('?')));
      const start = Number(query.get('cursor') ?? 0);
      const end = start + Number(query.get('limit'));
      return { requests: log.slice(start, end), ...(end < log.length ? { cursor: String(end) } : {}) } as Answer;
    },
  };
}

const logReads = (count: number): LoggedRequest[] =>
  Array.from({ length: count }, (_, at) => logged(1_000 + at, 'listRequests'));

test('the last requests are found behind hundreds of reads of the log', async () => {
  const caller = callerOf([...logReads(450), logged(3, 'readLoan'), logged(2, 'readClient'), ...logReads(900)]);
  const requests = await new LogReader(caller, {}).readLast(2);
  expect(requests.map(({ route }) => route)).toEqual(['readClient', 'readLoan']);
  expect(caller.pages).toHaveLength(3);
});

test('where the log holds fewer requests than are asked for, it is read to its end, and not without a limit', async () => {
  const short = callerOf([...logReads(250), logged(1, 'readLoan')]);
  expect(await new LogReader(short, {}).readLast(10)).toHaveLength(1);
  expect(short.pages).toHaveLength(2);
  const long = callerOf(logReads(50_000));
  expect(await new LogReader(long, {}).readLast(10)).toEqual([]);
  expect(long.pages).toHaveLength(50);
});

test('a later read returns only what is new, and reads of the log where their route is asked for', async () => {
  const log = logReads(2);
  const reader = new LogReader(callerOf(log), { route: 'listRequests' });
  expect(await reader.readLast(0)).toHaveLength(2);
  log.unshift(logged(5, 'listRequests'));
  expect((await reader.readNew()).map(({ request_id }) => request_id)).toEqual(['request-5']);
});
