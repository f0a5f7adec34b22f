/** Which of the names was meant by whoever wrote another one: one letter in three may be wrong, left out, added or swapped. */
export function nearest(written: string, names: readonly string[]): string | undefined {
  let found: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const away = lettersApart(written, name);
    if (away < least && away <= name.length / 3) [found, least] = [name, away];
  }
  return found;
}

/** Edits from one to the other, two letters swapped being one. */
function lettersApart(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next[at] = Math.min(
        Number(last[at]) + 1,
        Number(next[at - 1]) + 1,
        Number(last[at - 1]) + (isSame ? 0 : 1),
        isSwapped && row > 1 && at > 1 ? Number(beforeLast[at - 2]) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, next];
  }
  return Number(last[other.length]);
}
