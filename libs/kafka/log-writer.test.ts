import { afterEach, expect, jest, test } from '@jest/globals';
import type { Kafka, ProducerBatch } from 'kafkajs';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { type Append, LogWriter } from './log-writer.ts';

/** A log that holds back its answer to each send until it is told to give it. */
async function heldBack(options: Parameters<typeof LogWriter.open>[1] = {}) {
  const sends: { readonly values: string[]; readonly answer: () => void; readonly fail: () => void }[] = [];
  const producer = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    sendBatch: ({ topicMessages = [] }: ProducerBatch) =>
      new Promise<void>((answer, reject) => {
        const values = topicMessages.flatMap(({ messages }) => messages.map(({ value }) => String(value)));
        sends.push({ values, answer, fail: () => reject(new Error('away')) });
      }),
  };
  const writer = await LogWriter.open({ producer: () => producer } as unknown as Kafka, options);
  /** The next send, answered or failed. */
  const next = async (how: 'answer' | 'fail' = 'answer'): Promise<string[]> => {
    while (sends.length === 0) await new Promise(setImmediate);
    const send = sends.shift();
    send?.[how]();
    return send?.values ?? [];
  };
  /** Until a send is under way that nobody has answered. */
  const hanging = async (): Promise<void> => {
    while (sends.length === 0) await new Promise(setImmediate);
  };
  return { writer, next, hanging };
}

/** How long somebody waits, which is over when the test says so: a machine that stands still for a moment says nothing of it. */
function patience(): { readonly until: number; readonly end: () => void } {
  const until = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(until);
  return { until, end: () => clock.mockReturnValue(until + 1) };
}
afterEach(() => {
  jest.restoreAllMocks();
});

const append = (value: string): Append => ({ topic: 't', partition: 0, key: 'k', value: Buffer.from(value) });

test('what gathers goes together, in its order', async () => {
  const { writer, next } = await heldBack();
  const appended = Promise.all([writer.append(append('a')), writer.appendAll([append('b'), append('c')])]);
  expect(await next()).toEqual(['a', 'b', 'c']);
  await appended;
});

test('a send takes as many along as it is told, and what was handed over together is never parted by that', async () => {
  const { writer, next } = await heldBack({ mostTogether: () => 2 });
  const appended = Promise.all([
    writer.appendAll([append('a1'), append('a2'), append('a3')]),
    writer.append(append('b')),
    writer.append(append('c')),
    writer.appendAll([append('d1'), append('d2')]),
    writer.append(append('e')),
  ]);
  expect(await next()).toEqual(['a1', 'a2', 'a3', 'b']);
  expect(await next()).toEqual(['c', 'd1', 'd2']);
  expect(await next()).toEqual(['e']);
  await appended;
});

test('a send takes no more bytes than it is told, but one record whatever its size', async () => {
  const { writer, next } = await heldBack({ largestSend: 4 });
  const appended = Promise.all(['ab', 'cd', 'e', 'too long', 'f'].map((value) => writer.append(append(value))));
  expect([await next(), await next(), await next(), await next()]).toEqual([['ab', 'cd'], ['e'], ['too long'], ['f']]);
  await appended;
});

test('behind a send that failed nobody waits for one failure after the other: the next takes all', async () => {
  const { writer, next } = await heldBack({ mostTogether: () => 2 });
  const appended = Array.from('abcdefg', (value) => writer.append(append(value)));
  const settled = Promise.allSettled(appended);
  expect(await next('fail')).toEqual(['a', 'b']);
  expect(await next('fail')).toEqual(['c', 'd', 'e', 'f', 'g']);
  expect((await settled).map(({ status }) => status)).toEqual(new Array(7).fill('rejected'));
  const after = Promise.all(Array.from('hijkl', (value) => writer.append(append(value))));
  expect(await next()).toEqual(['h', 'i', 'j', 'k', 'l']);
  await after;
  const well = Promise.all(Array.from('mnopq', (value) => writer.append(append(value))));
  expect([await next(), await next(), await next()]).toEqual([['m', 'n'], ['o', 'p'], ['q']]);
  await well;
});

test('what nobody waits for any longer is let go of while a send hangs, and never sent', async () => {
  const { writer, next, hanging } = await heldBack();
  const sent = writer.append(append('a'));
  await hanging();
  const { until, end } = patience();
  const abandoned = [writer.appendAll([append('b1'), append('b2')], until), writer.appendAll([append('c')], until)];
  const later = writer.append(append('d'));
  end();
  for (const each of abandoned) await expect(each).rejects.toThrow(DependencyUnavailableError);
  expect([await next(), await next()]).toEqual([['a'], ['d']]);
  await Promise.all([sent, later]);
});

test('the rest of what was begun is let go of as well: it would be decided too late', async () => {
  const { writer, next, hanging } = await heldBack({ largestSend: 2 });
  const { until, end } = patience();
  const begun = writer.appendAll([append('a1'), append('a2')], until);
  await hanging();
  const later = writer.append(append('b'));
  end();
  await expect(begun).rejects.toThrow(DependencyUnavailableError);
  expect([await next(), await next()]).toEqual([['a1'], ['b']]);
  await later;
});

test('of what was told to have failed nothing more is sent', async () => {
  const { writer, next } = await heldBack({ largestSend: 2 });
  const settled = Promise.allSettled([writer.appendAll([append('a1'), append('a2')]), writer.append(append('b'))]);
  expect([await next('fail'), await next()]).toEqual([['a1'], ['b']]);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('what waits and what is on its way is bounded by its bytes, all of it together', async () => {
  const { writer, next, hanging } = await heldBack({ mostHeld: 4 });
  const first = writer.append(append('abc'));
  await hanging();
  expect([writer.hasRoom(1), writer.hasRoom(2)]).toEqual([true, false]);
  await expect(writer.appendAll([append('d'), append('e')])).rejects.toThrow(DependencyUnavailableError);
  const second = writer.append(append('d'));
  await expect(writer.append(append('e'))).rejects.toThrow(DependencyUnavailableError);
  expect(await next()).toEqual(['abc']);
  await first;
  const third = writer.append(append('efg'));
  expect(await next()).toEqual(['d', 'efg']);
  await Promise.all([second, third]);
});

test('what was let go of makes room, what was handed to the log makes room when its send has ended', async () => {
  const { writer, next, hanging } = await heldBack({ mostHeld: 4 });
  const { until, end } = patience();
  const handedOver = writer.appendAll([append('ab')], until);
  await hanging();
  const letGoOf = writer.appendAll([append('cd')], until);
  end();
  await expect(letGoOf).rejects.toThrow(DependencyUnavailableError);
  expect([writer.hasRoom(2), writer.hasRoom(3)]).toEqual([true, false]);
  expect(await next('fail')).toEqual(['ab']);
  await expect(handedOver).rejects.toThrow(DependencyUnavailableError);
  expect(writer.hasRoom(4)).toBe(true);
});

test('what is larger than all that may be held is taken where nothing else is', async () => {
  const { writer, next } = await heldBack({ mostHeld: 4 });
  const large = writer.append(append('too long'));
  await expect(writer.append(append('a'))).rejects.toThrow(DependencyUnavailableError);
  expect(await next()).toEqual(['too long']);
  await large;
});
