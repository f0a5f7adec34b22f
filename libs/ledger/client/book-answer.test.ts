import { expect, test } from '@jest/globals';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { decider, money, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { calendarsOf } from '#libs/product/markets/registry.ts';
import { clientBookAnswer } from './book-answer.ts';
import type { ClientBook } from './client-book.ts';

test('the read of a long book yields after each Receipt it parses and after each it answers', () => {
  const client = new TestClientBook();
  client.register();
  client.issue('loan-1');
  for (let nth = 0; nth < 100; nth += 1) {
    client.submit('reportReceipt', {
      reference: `r-${nth}`,
      client_id: 'c-1',
      amount: money(1),
      value_date: '2025-03-01',
    });
  }
  const book = runToEnd(decider.decode(runToEnd(decider.encode(client.book)))) as ClientBook;
  const question = { on: dayOf('2025-06-01'), homeCurrency: 'MXN', calendars: calendarsOf() };
  const work = clientBookAnswer(book, question);
  let yields = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) yields += 1;
  expect(yields).toBeGreaterThan(200);
  expect(step.value).toEqual(runToEnd(clientBookAnswer(client.book, question)));
});
