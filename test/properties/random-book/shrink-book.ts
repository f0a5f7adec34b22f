/** Finds a small book that still shows a given difference. */
import type { BookInput, Configuration, Fact } from '#test/reference-model/input.ts';
import { type AnswerBook, type Difference, differencesOf } from './differences.ts';

/** The same difference in a smaller book, if both implementations still answer it. */
function findDifference(
  group: string,
  input: BookInput,
  reference: AnswerBook,
  other: AnswerBook,
): Difference | undefined {
  try {
    return differencesOf(input, reference, other).find((difference) => difference.group === group);
  } catch {
    return undefined;
  }
}

/** Removes questions, facts and values, one after another, as long as the difference remains. */
export function shrinkBook(input: BookInput, group: string, reference: AnswerBook, other: AnswerBook): BookInput {
  let smallest = input;
  for (;;) {
    const next = smallerBooks(smallest).find(
      (candidate) => findDifference(group, candidate, reference, other) !== undefined,
    );
    if (next === undefined) return smallest;
    smallest = next;
  }
}

function smallerBooks(input: BookInput): BookInput[] {
  const candidates: BookInput[] = [];
  if (input.questions.length > 1)
    for (const question of input.questions) candidates.push({ ...input, questions: [question] });
  if (input.questions.length === 1) candidates.push({ ...input, questions: [] });
  for (let run = Math.floor(input.facts.length / 2); run >= 1; run = Math.floor(run / 2)) {
    for (let from = 0; from < input.facts.length; from += run) candidates.push(without(input, from, run));
  }
  return [...candidates, ...withoutValues(input), ...simplerFacts(input)];
}

function without(input: BookInput, from: number, run: number): BookInput {
  return { ...input, facts: input.facts.filter((_, place) => place < from || place >= from + run) };
}

function withoutValues(input: BookInput): BookInput[] {
  const candidates: BookInput[] = [];
  for (const [name, configuration] of Object.entries(input.configurations)) {
    if (!input.facts.some((fact) => fact.type === 'issuance' && fact.configuration === name)) {
      const { [name]: _unused, ...configurations } = input.configurations;
      candidates.push({ ...input, configurations });
    }
    for (const key of Object.keys(configuration.values)) {
      const values: Record<string, unknown> = { ...configuration.values };
      delete values[key];
      const changed = { ...configuration, values } as Configuration;
      candidates.push({ ...input, configurations: { ...input.configurations, [name]: changed } });
    }
  }
  const { holidays, capitalises, acceleration, ...market } = input.market;
  if (holidays !== undefined || capitalises !== undefined || acceleration !== undefined || market.weekend.length > 0) {
    candidates.push({ ...input, market: { ...market, weekend: [] } }, { ...input, market });
  }
  return candidates;
}

const SIMPLER: readonly ((fact: Fact) => Fact | undefined)[] = [
  (fact) => (fact.type === 'issuance' && fact.tax.on.length > 0 ? { ...fact, tax: { rate: '0', on: [] } } : undefined),
  (fact) => (fact.type === 'issuance' && fact.principal !== 90_000 ? { ...fact, principal: 90_000 } : undefined),
  (fact) => (fact.type === 'issuance' && fact.rate !== '12' ? { ...fact, rate: '12' } : undefined),
  (fact) => {
    if (fact.type !== 'issuance' || fact.down_payment === undefined) return undefined;
    const { down_payment: _dropped, ...rest } = fact;
    return rest;
  },
];

function simplerFacts(input: BookInput): BookInput[] {
  return input.facts.flatMap((fact, place) =>
    SIMPLER.flatMap((simpler) => {
      const changed = simpler(fact);
      return changed === undefined ? [] : [{ ...input, facts: input.facts.with(place, changed) }];
    }),
  );
}
