/** Compares the outcomes and answers of two implementations for one book. */
import type { BookInput, BookOutcome } from '#test/reference-model/input.ts';

export type AnswerBook = (input: BookInput) => BookOutcome;

/** The first difference of two implementations in a fact or an answer. `group` is the same for similar differences in other books. */
export interface Difference {
  group: string;
  where: string;
  fact?: number;
  question?: number;
  reference: unknown;
  other: unknown;
}

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** The differences of a book: at most the first one of each fact and each question. */
export function differencesOf(input: BookInput, reference: AnswerBook, other: AnswerBook): Difference[] {
  const expected = reference(input);
  const answered = attempt(input, other);
  if (answered instanceof Error) {
    const group = `throws: ${answered.message.split('\n')[0]?.replaceAll(/\d+/g, 'N')}`;
    return [{ group, where: 'the book', reference: '', other: answered.stack }];
  }
  const found: Difference[] = [];
  input.facts.forEach((fact, place) => {
    const difference = compareOutcome(expected.facts[place], answered.facts[place]);
    if (difference === undefined) return;
    const kind = fact.type === 'act' ? fact.kind : fact.type;
    found.push({ ...difference, group: `fact ${kind}: ${difference.group}`, where: `facts.${place}`, fact: place });
  });
  // With different facts the answers cannot be compared.
  if (found.length > 0) return found;
  input.questions.forEach((question, place) => {
    const path = firstDifference(plain(expected.answers[place]), plain(answered.answers[place]), []);
    if (path === undefined) return;
    found.push({
      group: `answer ${question.kind}: ${groupOf(path.path)}`,
      where: `answers.${[place, ...path.path].join('.')}`,
      question: place,
      reference: path.a,
      other: path.b,
    });
  });
  return found;
}

function attempt(input: BookInput, implementation: AnswerBook): BookOutcome | Error {
  try {
    return implementation(structuredClone(input));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function outcomeOf(outcome: BookOutcome['facts'][number] | undefined): string {
  if (outcome === undefined) return 'nothing';
  return outcome.admitted ? 'admitted' : `${outcome.status} ${outcome.code}`;
}

function compareOutcome(a: BookOutcome['facts'][number] | undefined, b: BookOutcome['facts'][number] | undefined) {
  const [reference, other] = [outcomeOf(a), outcomeOf(b)];
  return reference === other ? undefined : { group: `${reference} / ${other}`, reference, other };
}

interface ValueDifference {
  path: (string | number)[];
  a: unknown;
  b: unknown;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function firstDifference(a: unknown, b: unknown, path: (string | number)[]): ValueDifference | undefined {
  if (Object.is(a, b)) return undefined;
  if (!isRecord(a) || !isRecord(b) || Array.isArray(a) !== Array.isArray(b)) return { path, a, b };
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) {
    const at = a.findIndex((value, place) => firstDifference(value, b[place], []) !== undefined);
    return { path: [...path, at < 0 ? a.length : at, 'length'], a, b };
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const inner = firstDifference(a[key], b[key], [...path, key]);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The path without positions, so that the same fault in another period or Loan has the same group. */
function groupOf(path: (string | number)[]): string {
  return path.map((step) => (/^\d+$/.test(String(step)) ? '*' : step)).join('.');
}
