import { expect, test } from '@jest/globals';
import type { Kafka, ProducerBatch } from 'kafkajs';
import { type Append, LogWriter } from './log-writer.ts';

/** A log that holds back its answer to each send until it is told to give it. */
async function heldBack(options: Parameters<typeof LogWriter.open>[1] = {}) {
  const sends: { readonly values: string[]; readonly answer: () => void }[] = [];
  const producer = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    sendBatch: ({ topicMessages = [] }: ProducerBatch) =>
      new Promise<void>((answer) => {
        const values = topicMessages.flatMap(({ messages }) => messages.map(({ value }) => String(value)));
        sends.push({ values, answer });
      }),
  };
  const writer = await LogWriter.open({ producer: () => producer } as unknown as Kafka, options);
  /** The next send, answered. */
  const next = async (): Promise<string[]> => {
    while (sends.length === 0) await new Promise(setImmediate);
    const send = sends.shift();
    send?.answer();
    return send?.values ?? [];
  };
  return { writer, next };
}

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
