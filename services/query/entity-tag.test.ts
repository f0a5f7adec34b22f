import { expect, test } from '@jest/globals';
import { entityTag, isNamed } from './entity-tag.ts';

const tag = entityTag(['release', 'c-1', 3, '2026-01-01']);

test.each([
  [tag, true],
  [`W/${tag}`, true],
  [`"other", ${tag}`, true],
  [`"other",W/${tag} , "more"`, true],
  ['*', true],
  [` , ${tag},`, true],
  ['"of, two", "\u00e9"', false],
  ['"other"', false],
  [`x${tag}`, false],
  [`${tag}x`, false],
  [`"other" ${tag}`, false],
  [`"other", x, ${tag}`, false],
  [`w/${tag}`, false],
  [`*, ${tag}`, false],
  [tag.slice(1, -1), false],
  ['', false],
  [undefined, false],
])('If-None-Match: %s names the tag: %s', (header, isIt) => {
  expect(isNamed(header, tag)).toBe(isIt);
});

test('an answer that depends on something else has another tag', () => {
  const tags = new Set([
    tag,
    entityTag(['next', 'c-1', 3, '2026-01-01']),
    entityTag(['release', 'c-2', 3, '2026-01-01']),
    entityTag(['release', 'c-1', 4, '2026-01-01']),
    entityTag(['release', 'c-1', 3, '2026-01-02']),
  ]);
  expect(tags.size).toBe(5);
});
