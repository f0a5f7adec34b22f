import { afterEach, expect, jest, test } from '@jest/globals';
import type { Kafka, ProducerBatch, RecordMetadata } from 'kafkajs';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { type OutgoingRecord, TopicWriter } from './topic-writer.ts';

/** A writer over a fake producer whose sends end when the test says so. */
async function openWriter(options: Parameters<typeof TopicWriter.open>[1] = {}) {
  const sends: { readonly values: string[]; readonly answer: (leftOut?: number) => void; readonly fail: () => void }[] =
    [];
  const producer = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    sendBatch: ({ topicMessages = [] }: ProducerBatch) =>
      new Promise<RecordMetadata[]>((resolve, reject) => {
        const values = topicMessages.flatMap(({ messages }) => messages.map(({ value }) => String(value)));
        const answers = topicMessages.flatMap(({ topic, messages }) =>
          messages.map(({ partition = 0 }) => ({ topicName: topic, partition, errorCode: 0, baseOffset: '0' })),
        );
        const answer = (leftOut?: number) => resolve(answers.filter(({ partition }) => partition !== leftOut));
        sends.push({ values, answer, fail: () => reject(new Error('broker unavailable')) });
      }),
  };
  const writer = await TopicWriter.open({ producer: () => producer } as unknown as Kafka, options);
  /** Ends the next send and returns the values it contained. */
  const endNextSend = async (how: 'answer' | 'fail' | { leftOut: number } = 'answer'): Promise<string[]> => {
    while (sends.length === 0) await new Promise(setImmediate);
    const send = sends.shift();
    if (how === 'fail') send?.fail();
    else send?.answer(how === 'answer' ? undefined : how.leftOut);
    return send?.values ?? [];
  };
  /** Resolves when a send is in flight. */
  const sendStarted = async (): Promise<void> => {
    while (sends.length === 0) await new Promise(setImmediate);
  };
  return { writer, endNextSend, sendStarted };
}

/** A deadline that passes when the test says so, so that a slow machine does not change the result. */
function fakeDeadline(): { readonly deadline: number; readonly pass: () => void } {
  const deadline = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(deadline);
  return { deadline, pass: () => clock.mockReturnValue(deadline + 1) };
}
afterEach(() => {
  jest.restoreAllMocks();
});

const record = (value: string): OutgoingRecord => ({ topic: 't', partition: 0, key: 'k', value: Buffer.from(value) });

test('records that arrive together are sent together, in order', async () => {
  const { writer, endNextSend } = await openWriter();
  const appended = Promise.all([writer.append(record('a')), writer.appendAll([record('b'), record('c')])]);
  expect(await endNextSend()).toEqual(['a', 'b', 'c']);
  await appended;
});

test('records of a partition that Kafka left out of its answer are sent again before others', async () => {
  const { writer, endNextSend, sendStarted } = await openWriter();
  const first = writer.appendAll([record('a'), { ...record('b'), partition: 1 }, { ...record('c'), partition: 1 }]);
  await sendStarted();
  const second = writer.append(record('d'));
  expect(await endNextSend({ leftOut: 1 })).toEqual(['a', 'b', 'c']);
  expect(await endNextSend()).toEqual(['b', 'c']);
  expect(await endNextSend()).toEqual(['d']);
  await Promise.all([first, second]);
});

test('an answer that names none of the partitions rejects the records', async () => {
  const { writer, endNextSend } = await openWriter();
  const appended = writer.append(record('a'));
  const settled = Promise.allSettled([appended]);
  await endNextSend({ leftOut: 0 });
  expect(await settled).toMatchObject([{ status: 'rejected', reason: expect.any(DependencyUnavailableError) }]);
});

test('a send contains at most maxRequestsPerSend requests and never splits one', async () => {
  const { writer, endNextSend } = await openWriter({ maxRequestsPerSend: () => 2 });
  const appended = Promise.all([
    writer.appendAll([record('a1'), record('a2'), record('a3')]),
    writer.append(record('b')),
    writer.append(record('c')),
    writer.appendAll([record('d1'), record('d2')]),
    writer.append(record('e')),
  ]);
  expect(await endNextSend()).toEqual(['a1', 'a2', 'a3', 'b']);
  expect(await endNextSend()).toEqual(['c', 'd1', 'd2']);
  expect(await endNextSend()).toEqual(['e']);
  await appended;
});

test('a send contains at most maxSendBytes, or one larger record', async () => {
  const { writer, endNextSend } = await openWriter({ maxSendBytes: 4 });
  const appended = Promise.all(['ab', 'cd', 'e', 'too long', 'f'].map((value) => writer.append(record(value))));
  expect([await endNextSend(), await endNextSend(), await endNextSend(), await endNextSend()]).toEqual([
    ['ab', 'cd'],
    ['e'],
    ['too long'],
    ['f'],
  ]);
  await appended;
});

test('after a failed send the next one contains the whole queue, so that no caller waits for several failures', async () => {
  const { writer, endNextSend } = await openWriter({ maxRequestsPerSend: () => 2 });
  const appended = Array.from('abcdefg', (value) => writer.append(record(value)));
  const settled = Promise.allSettled(appended);
  expect(await endNextSend('fail')).toEqual(['a', 'b']);
  expect(await endNextSend('fail')).toEqual(['c', 'd', 'e', 'f', 'g']);
  expect((await settled).map(({ status }) => status)).toEqual(new Array(7).fill('rejected'));
  const after = Promise.all(Array.from('hijkl', (value) => writer.append(record(value))));
  expect(await endNextSend()).toEqual(['h', 'i', 'j', 'k', 'l']);
  await after;
  const recovered = Promise.all(Array.from('mnopq', (value) => writer.append(record(value))));
  expect([await endNextSend(), await endNextSend(), await endNextSend()]).toEqual([['m', 'n'], ['o', 'p'], ['q']]);
  await recovered;
});

test('queued records are rejected at their deadline while a send hangs, and never sent', async () => {
  const { writer, endNextSend, sendStarted } = await openWriter();
  const sent = writer.append(record('a'));
  await sendStarted();
  const { deadline, pass } = fakeDeadline();
  const expired = [writer.appendAll([record('b1'), record('b2')], deadline), writer.appendAll([record('c')], deadline)];
  const other = writer.append(record('d'));
  pass();
  for (const each of expired) await expect(each).rejects.toThrow(DependencyUnavailableError);
  expect([await endNextSend(), await endNextSend()]).toEqual([['a'], ['d']]);
  await Promise.all([sent, other]);
});

test('the unsent records of a request are dropped at its deadline, even if its first record was sent', async () => {
  const { writer, endNextSend, sendStarted } = await openWriter({ maxSendBytes: 2 });
  const { deadline, pass } = fakeDeadline();
  const request = writer.appendAll([record('a1'), record('a2')], deadline);
  await sendStarted();
  const other = writer.append(record('b'));
  pass();
  await expect(request).rejects.toThrow(DependencyUnavailableError);
  expect([await endNextSend(), await endNextSend()]).toEqual([['a1'], ['b']]);
  await other;
});

test('the remaining records of a failed request are not sent', async () => {
  const { writer, endNextSend } = await openWriter({ maxSendBytes: 2 });
  const settled = Promise.allSettled([writer.appendAll([record('a1'), record('a2')]), writer.append(record('b'))]);
  expect([await endNextSend('fail'), await endNextSend()]).toEqual([['a1'], ['b']]);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('records beyond maxPendingBytes, queued and in flight together, are refused', async () => {
  const { writer, endNextSend, sendStarted } = await openWriter({ maxPendingBytes: 4 });
  const first = writer.append(record('abc'));
  await sendStarted();
  expect([writer.hasRoom(1), writer.hasRoom(2)]).toEqual([true, false]);
  await expect(writer.appendAll([record('d'), record('e')])).rejects.toThrow(DependencyUnavailableError);
  const second = writer.append(record('d'));
  await expect(writer.append(record('e'))).rejects.toThrow(DependencyUnavailableError);
  expect(await endNextSend()).toEqual(['abc']);
  await first;
  const third = writer.append(record('efg'));
  expect(await endNextSend()).toEqual(['d', 'efg']);
  await Promise.all([second, third]);
});

test('dropped records free their room immediately, sent records when their send ends', async () => {
  const { writer, endNextSend, sendStarted } = await openWriter({ maxPendingBytes: 4 });
  const { deadline, pass } = fakeDeadline();
  const inFlight = writer.appendAll([record('ab')], deadline);
  await sendStarted();
  const queued = writer.appendAll([record('cd')], deadline);
  pass();
  await expect(queued).rejects.toThrow(DependencyUnavailableError);
  expect([writer.hasRoom(2), writer.hasRoom(3)]).toEqual([true, false]);
  expect(await endNextSend('fail')).toEqual(['ab']);
  await expect(inFlight).rejects.toThrow(DependencyUnavailableError);
  expect(writer.hasRoom(4)).toBe(true);
});

test('an empty queue accepts a record larger than maxPendingBytes', async () => {
  const { writer, endNextSend } = await openWriter({ maxPendingBytes: 4 });
  const large = writer.append(record('too long'));
  await expect(writer.append(record('a'))).rejects.toThrow(DependencyUnavailableError);
  expect(await endNextSend()).toEqual(['too long']);
  await large;
});
