/** How long a submission waits for its turn, from when it was let in. */
export const patienceMs = 2_000;
/** How long after its patience ended an answer is still awaited. */
export const graceMs = 1_000;
