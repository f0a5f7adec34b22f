/** Entry point of the reference model: answers a whole book. */
import { type Book, foldAll, recordFact } from './admit.ts';
import { anomaliesOf } from './anomalies.ts';
import { type Day, toDay } from './days.ts';
import { type FoldResult, fold } from './fold.ts';
import type { BookInput, BookOutcome, Configuration, IssuanceFact, Question } from './input.ts';
import { issueLoan } from './issue-loan.ts';
import type { Loan } from './loan.ts';
import { delinquencyAnswer, loanAnswer, scheduleAnswer } from './loan-answers.ts';
import { paymentOptionsAnswer } from './payment-options.ts';
import { productTermsOf } from './product-terms.ts';
import { obligationsAnswer, receiptAnswer } from './receipt-and-obligation-answers.ts';
import { statementAnswer } from './statement.ts';

/** The outcomes and answers of a book in the JSON format of test/vectors/books. */
export function answerBook(input: BookInput): BookOutcome {
  const context = { market: input.market, configurations: input.configurations };
  const book: Book = { context, facts: [], settledLoans: new Map(), figures: new Map(), latest: undefined };
  const facts = input.facts.map((fact) => recordFact(book, fact));
  const dated = new Map<Day, FoldResult>();
  const foldTo = (on: Day): FoldResult => {
    const known = dated.get(on) ?? fold(context, book.facts, on);
    dated.set(on, known);
    return known;
  };
  return { facts, answers: input.questions.map((question) => answer(book, question, foldTo)) };
}

function answer(book: Book, question: Question, foldTo: (on: Day) => FoldResult): unknown {
  switch (question.kind) {
    case 'loan':
      return answerLoan(book, loanOf(foldAll(book), question.loan));
    case 'schedule':
      return scheduleAnswer(loanOf(foldTo(toDay(question.on)), question.loan), toDay(question.on));
    case 'delinquency':
      return delinquencyAnswer(loanOf(foldTo(toDay(question.on)), question.loan), toDay(question.on));
    case 'payment_options':
      return paymentOptionsAnswer(foldTo(toDay(question.on)), toDay(question.on));
    case 'statement':
      return statementAnswer(book.context, book.facts, toDay(question.from), toDay(question.to));
    case 'receipt':
      return receiptAnswer(question.receipt, foldAll(book).allocations.get(question.receipt));
    case 'obligations':
      return obligationsAnswer(foldAll(book), book.facts);
  }
}

function loanOf(folded: FoldResult, id: string): Loan {
  const loan = folded.loans.find((each) => each.fact.id === id);
  if (loan === undefined) throw new Error(`no Loan ${id} was admitted`);
  return loan;
}

function answerLoan(book: Book, loan: Loan): unknown {
  const fact = book.facts.find((each) => each.type === 'issuance' && each.id === loan.fact.id) as IssuanceFact;
  const product = productTermsOf(book.context.configurations[fact.configuration] as Configuration, book.context.market);
  const issued = issueLoan(fact, product, book.context.market, 0) as Loan;
  const anomalies = anomaliesOf(book.context, book.facts, loan, book.settledLoans);
  return loanAnswer(loan, issued, book.figures.get(fact.id) ?? '', anomalies);
}
