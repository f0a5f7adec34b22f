import { type Book, record, wholeFold } from './admit.ts';
import { anomaliesOf } from './anomalies.ts';
import { type Day, toDay } from './days.ts';
import { type Folded, fold } from './fold.ts';
import type { BookInput, BookOutcome, Configuration, IssuanceFact, Question } from './input.ts';
import { issue } from './issue.ts';
import type { Loan } from './loan.ts';
import { delinquencyAnswer, loanAnswer, scheduleAnswer } from './loan-answers.ts';
import { obligationsAnswer, receiptAnswer } from './money-answers.ts';
import { paymentOptionsAnswer } from './options.ts';
import { statementAnswer } from './statement.ts';
import { frameOf } from './terms.ts';

/** Every outcome and every answer of a book, in the JSON of test/vectors/books. */
export function answerBook(input: BookInput): BookOutcome {
  const law = { market: input.market, configurations: input.configurations };
  const book: Book = { law, facts: [], reached: new Map(), figures: new Map(), whole: undefined };
  const facts = input.facts.map((fact) => record(book, fact));
  const dated = new Map<Day, Folded>();
  const foldTo = (on: Day): Folded => {
    const known = dated.get(on) ?? fold(law, book.facts, on);
    dated.set(on, known);
    return known;
  };
  return { facts, answers: input.questions.map((question) => answer(book, question, foldTo)) };
}

function answer(book: Book, question: Question, foldTo: (on: Day) => Folded): unknown {
  switch (question.kind) {
    case 'loan':
      return answerLoan(book, loanOf(wholeFold(book), question.loan));
    case 'schedule':
      return scheduleAnswer(loanOf(foldTo(toDay(question.on)), question.loan), toDay(question.on));
    case 'delinquency':
      return delinquencyAnswer(loanOf(foldTo(toDay(question.on)), question.loan), toDay(question.on));
    case 'payment_options':
      return paymentOptionsAnswer(foldTo(toDay(question.on)), toDay(question.on));
    case 'statement':
      return statementAnswer(book.law, book.facts, toDay(question.from), toDay(question.to));
    case 'receipt':
      return receiptAnswer(question.receipt, wholeFold(book).allocations.get(question.receipt));
    case 'obligations':
      return obligationsAnswer(wholeFold(book), book.facts);
  }
}

function loanOf(folded: Folded, id: string): Loan {
  const loan = folded.loans.find((each) => each.fact.id === id);
  if (loan === undefined) throw new Error(`no Loan ${id} was admitted`);
  return loan;
}

function answerLoan(book: Book, loan: Loan): unknown {
  const fact = book.facts.find((each) => each.type === 'issuance' && each.id === loan.fact.id) as IssuanceFact;
  const frame = frameOf(book.law.configurations[fact.configuration] as Configuration, book.law.market);
  const issued = issue(fact, frame, book.law.market, 0) as Loan;
  const anomalies = anomaliesOf(book.law, book.facts, loan, book.reached);
  return loanAnswer(loan, issued, book.figures.get(fact.id) ?? '', anomalies);
}
