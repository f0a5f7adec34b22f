/** Random questions about a book, mostly for days on which something changes. */
import { type Day, toDay, toText } from '#test/reference-model/days.ts';
import { inForce } from '#test/reference-model/fold.ts';
import type { Question } from '#test/reference-model/input.ts';
import type { BookBuilder } from './book-builder.ts';

/** Days on which something happens or falls due. */
function interestingDays(builder: BookBuilder): Day[] {
  const days = new Set<Day>();
  for (const fact of inForce(builder.book.facts)) {
    if (fact.type === 'issuance') days.add(toDay(fact.anchor));
    if (fact.type === 'receipt') days.add(toDay(fact.value_date));
    if (fact.type === 'act') days.add(toDay(fact.on));
  }
  for (const loan of builder.loans) for (const period of loan.periods) days.add(period.dueOn).add(period.scheduledOn);
  const last = Math.max(builder.today + 40, builder.start);
  return [...days].filter((day) => day <= last);
}

export function randomQuestions(builder: BookBuilder): Question[] {
  const { random } = builder;
  const days = interestingDays(builder);
  const randomDay = () =>
    random.chance(0.1)
      ? builder.start + random.integer(-5, 200)
      : random.pick(days) + random.pick([-1, 0, 0, 0, 1, 1, 3]);
  const questions: Question[] = [];
  for (const loan of builder.loans) questions.push({ kind: 'loan', loan: loan.fact.id });
  questions.push({ kind: 'obligations', client_id: 'c' });
  for (const receipt of random.shuffled(builder.admitted('receipt')).slice(0, 4)) {
    questions.push({ kind: 'receipt', receipt: receipt.reference });
  }
  for (let i = 0; i < 3; i += 1) {
    const on = toText(randomDay());
    questions.push({ kind: 'payment_options', client_id: 'c', on });
  }
  for (let i = 0; i < 2; i += 1) {
    const loan = random.pick(builder.loans).fact.id;
    questions.push({ kind: 'schedule', loan, on: toText(randomDay()) });
    questions.push({ kind: 'delinquency', loan, on: toText(randomDay()) });
  }
  const from = randomDay();
  const to = Math.max(from, randomDay());
  questions.push({ kind: 'statement', client_id: 'c', from: toText(from), to: toText(to) });
  const first = Math.min(...builder.loans.map((loan) => loan.anchor));
  questions.push({
    kind: 'statement',
    client_id: 'c',
    from: toText(first),
    to: toText(builder.today + random.integer(0, 30)),
  });
  return questions;
}
