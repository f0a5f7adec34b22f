import { afterEach, expect, test } from '@jest/globals';
import type { Response } from 'express';
import { DownloadSlots } from './download-slots.ts';
import { en } from './texts/en.ts';

/** Of a person, with what was sent instead of the download. */
function responseFor(personId: string) {
  const sent: { status?: number; text?: string } = {};
  const assets = { url: (name: string) => name };
  const visit = {
    texts: en,
    person: { id: personId, roles: new Map() },
    browserToken: '',
    path: '/',
    target: '/',
    assets,
  };
  const response = {
    locals: { visit },
    status: (status: number) => Object.assign(response, { statusCode: Object.assign(sent, { status }).status }),
    type: () => response,
    send: (text: string) => Object.assign(sent, { text }),
  };
  return { response: response as object as Response, sent };
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function begin(slots: DownloadSlots, personId: string) {
  const { response, sent } = responseFor(personId);
  const { promise, resolve } = Promise.withResolvers<void>();
  ends.push(resolve);
  const ended = slots.use(response, () => promise);
  return { sent, end: resolve, ended };
}

test('one person runs two downloads at once, all together four, and one that ends makes room', async () => {
  const slots = new DownloadSlots();
  const statusOf = (person: string) => begin(slots, person).sent.status;
  const first = begin(slots, 'ana');
  expect(first.sent.status).toBeUndefined();
  expect(['ana', 'ana', 'ben', 'cleo', 'dora'].map(statusOf)).toEqual([undefined, 503, undefined, undefined, 503]);
  first.end();
  await first.ended;
  expect(['dora', 'ben'].map(statusOf)).toEqual([undefined, 503]);
});
