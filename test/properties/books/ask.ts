import { type Day, toDay, toText } from '#test/reference-model/days.ts';
import { inForce } from '#test/reference-model/fold.ts';
import type { Question } from '#test/reference-model/input.ts';
import type { Story } from './story.ts';

/** Days on which something happens, the day before and the day after. */
function interestingDays(story: Story): Day[] {
  const days = new Set<Day>();
  for (const fact of inForce(story.book.facts)) {
    if (fact.type === 'issuance') days.add(toDay(fact.anchor));
    if (fact.type === 'receipt') days.add(toDay(fact.value_date));
    if (fact.type === 'act') days.add(toDay(fact.on));
  }
  for (const loan of story.loans) for (const period of loan.periods) days.add(period.dueOn).add(period.scheduledOn);
  const last = Math.max(story.today + 40, story.start);
  return [...days].filter((day) => day <= last);
}

export function questionsOf(story: Story): Question[] {
  const { dice } = story;
  const days = interestingDays(story);
  const aDay = () =>
    dice.chance(0.1) ? story.start + dice.whole(-5, 200) : dice.pick(days) + dice.pick([-1, 0, 0, 0, 1, 1, 3]);
  const questions: Question[] = [];
  for (const loan of story.loans) questions.push({ kind: 'loan', loan: loan.fact.id });
  questions.push({ kind: 'obligations', client_id: 'c' });
  for (const receipt of dice.shuffled(story.admitted('receipt')).slice(0, 4)) {
    questions.push({ kind: 'receipt', receipt: receipt.reference });
  }
  for (let i = 0; i < 3; i += 1) {
    const on = toText(aDay());
    questions.push({ kind: 'payment_options', client_id: 'c', on });
  }
  for (let i = 0; i < 2; i += 1) {
    const loan = dice.pick(story.loans).fact.id;
    questions.push({ kind: 'schedule', loan, on: toText(aDay()) });
    questions.push({ kind: 'delinquency', loan, on: toText(aDay()) });
  }
  const from = aDay();
  const to = Math.max(from, aDay());
  questions.push({ kind: 'statement', client_id: 'c', from: toText(from), to: toText(to) });
  const first = Math.min(...story.loans.map((loan) => loan.anchor));
  questions.push({
    kind: 'statement',
    client_id: 'c',
    from: toText(first),
    to: toText(story.today + dice.whole(0, 30)),
  });
  return questions;
}
