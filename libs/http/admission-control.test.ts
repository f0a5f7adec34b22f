import { expect, test } from '@jest/globals';
import { AdmissionControl } from './admission-control.ts';

const bounds = { mostInRound: 2, mostInside: 100, mostHeld: 100, longestWaitMs: 60_000 };
const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Who was told what, in the order of being told. */
function ask(intake: AdmissionControl, ...names: string[]) {
  const told: string[] = [];
  const asked = Promise.all(
    names.map(async (name) => {
      told.push(`${name} ${await intake.begin()}`);
    }),
  );
  return { told, asked };
}

test('so many are begun in a round, the others in those after it, in their order', async () => {
  const { told, asked } = ask(new AdmissionControl(bounds), 'a', 'b', 'c', 'd', 'e');
  await Promise.resolve();
  expect(told).toEqual(['a true', 'b true']);
  await nextRound();
  expect(told).toEqual(['a true', 'b true', 'c true', 'd true']);
  await asked;
  expect(told.at(-1)).toBe('e true');
});

test('nobody goes past those who wait', async () => {
  const intake = new AdmissionControl(bounds);
  const first = ask(intake, 'a', 'b', 'c');
  await nextRound();
  const later = ask(intake, 'd', 'e');
  await Promise.all([first.asked, later.asked]);
  expect(first.told).toEqual(['a true', 'b true', 'c true']);
  expect(later.told).toEqual(['d true', 'e true']);
});

test('while as many are inside as may be, the next waits until one has left', async () => {
  const intake = new AdmissionControl({ ...bounds, mostInside: 2 });
  const { told, asked } = ask(intake, 'a', 'b', 'c');
  intake.entered();
  intake.entered();
  for (let rounds = 0; rounds < 5; rounds += 1) await nextRound();
  expect(told).toEqual(['a true', 'b true']);
  intake.left();
  await asked;
  expect(told).toEqual(['a true', 'b true', 'c true']);
});

test('who comes while too many are inside or wait is refused at once, who waited too long when it did', async () => {
  const intake = new AdmissionControl({ mostInRound: 2, mostInside: 1, mostHeld: 3, longestWaitMs: 20 });
  const { told, asked } = ask(intake, 'a', 'b', 'c', 'd');
  intake.entered();
  await Promise.resolve();
  expect(told).toEqual(['a true', 'd false']);
  await asked;
  expect(told).toEqual(['a true', 'd false', 'b false', 'c false']);
  intake.left();
  await nextRound();
  expect(intake.begin()).toBe(true);
});

test('those inside count among those held', async () => {
  const intake = new AdmissionControl({ mostInRound: 2, mostInside: 2, mostHeld: 3, longestWaitMs: 60_000 });
  const first = ask(intake, 'a', 'b');
  await first.asked;
  intake.entered();
  intake.entered();
  await nextRound();
  const { told, asked } = ask(intake, 'c', 'd');
  await Promise.resolve();
  expect(told).toEqual(['d false']);
  intake.left();
  await asked;
  expect(told).toEqual(['d false', 'c true']);
});

test('a burst of as many as are held at most is held, however few of them are begun in a round', async () => {
  const names = Array.from({ length: 12 }, (_, nth) => `${nth}`);
  const { told, asked } = ask(new AdmissionControl({ ...bounds, mostHeld: 10 }), ...names);
  await asked;
  expect(told.filter((one) => one.endsWith('true'))).toHaveLength(10);
  expect(told.slice(2, 4)).toEqual(['10 false', '11 false']);
});
