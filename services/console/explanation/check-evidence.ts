/** Verifies evidence with the verifier of the command line, and says how far it came for each fact. */
import type { ProvenFact } from '#libs/sdk/src/contract/shapes.ts';
import {
  type EvidenceCheck,
  EvidenceError,
  evidenceChecks,
  verifyEvidencePart,
} from '#libs/verify/audit/verify-evidence.ts';

export type CheckResult = 'passed' | 'failed' | 'notReached';

export interface EvidenceReport {
  /** In the words of the verifier; undefined where everything is right. */
  readonly fault: string | undefined;
  resultOf(fact: Pick<ProvenFact, 'sequence'>, check: EvidenceCheck): CheckResult;
}

/** The verifier stops at the first fault, so that nothing after it was checked. */
export function checkEvidence(answer: unknown, isContinuation = false): EvidenceReport {
  try {
    verifyEvidencePart(answer, isContinuation);
    return { fault: undefined, resultOf: () => 'passed' };
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error;
    const { at, message } = error;
    return {
      fault: message,
      resultOf: ({ sequence }, check) => {
        if (at === undefined || sequence > at.sequence) return 'notReached';
        if (sequence < at.sequence || evidenceChecks.indexOf(check) < evidenceChecks.indexOf(at.check)) return 'passed';
        return check === at.check ? 'failed' : 'notReached';
      },
    };
  }
}
