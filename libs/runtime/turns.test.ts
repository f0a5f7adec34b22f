import { expect, test } from '@jest/globals';
import { Turns } from './turns.ts';

test('the next holder works when the turn before it ends, which may be ended twice', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const endFirst = await turns.take();
  const second = turns.take().then((end) => {
    order.push('second begins');
    return end;
  });
  const third = turns.take().then(() => order.push('third begins'));
  await new Promise(setImmediate);
  order.push('first ends');
  endFirst();
  endFirst();
  const endSecond = await second;
  await new Promise(setImmediate);
  order.push('second ends');
  endSecond();
  await third;
  expect(order).toEqual(['first ends', 'second begins', 'second ends', 'third begins']);
});

test('of two holders at a time, the third begins when either ends', async () => {
  const turns = new Turns(2);
  const order: string[] = [];
  await turns.take();
  const endSecond = await turns.take();
  const third = turns.take().then(() => order.push('third begins'));
  await new Promise(setImmediate);
  order.push('second ends');
  endSecond();
  await third;
  expect(order).toEqual(['second ends', 'third begins']);
});
