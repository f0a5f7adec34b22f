/**
 * How many of the callers go together. Where all of them went, the processor would stand still while they are answered
 * and ask again, and the gateway while they are decided: half of them go. The half of those who ask at this very moment
 * would be fewer each time one half was just answered, and every send, fetch and commit costs as much for few as for
 * many: what counts is the most there were lately.
 */
const fewest = 8;
const sendsLooked = 8;

export function halfOfAll(): (asking: number) => number {
  const seen: number[] = [];
  return (asking) => {
    seen.push(asking);
    if (seen.length > sendsLooked) seen.shift();
    return Math.max(fewest, Math.ceil(Math.max(...seen) / 2));
  };
}
