/** How long a submission may wait for its decision, counted from its admission. Later it is not decided any more. */
export const submissionTimeoutMs = 2_000;
/** How much longer its verdict is awaited. */
export const verdictGraceMs = 1_000;
