import type { ActRules, ChangeRules } from '#libs/book/act.ts';
import { acceleration } from '#libs/book/acts/acceleration.ts';
import { cancellation } from '#libs/book/acts/cancellation.ts';
import { cession } from '#libs/book/acts/cession.ts';
import { confirmation } from '#libs/book/acts/confirmation.ts';
import { restructure } from '#libs/book/acts/restructure.ts';
import { goodsReturned } from '#libs/book/acts/return.ts';
import { rollover } from '#libs/book/acts/rollover.ts';
import { settlement } from '#libs/book/acts/settlement.ts';
import { suspension, suspensionEnd } from '#libs/book/acts/suspension.ts';
import { rescission, withdrawal } from '#libs/book/acts/undoing.ts';
import { voiding } from '#libs/book/acts/voiding.ts';
import { waiver } from '#libs/book/acts/waiver.ts';
import { writeOff } from '#libs/book/acts/write-off.ts';
import type { ChangingKind, SteppingKind } from '#libs/book/steps.ts';

/** Every act that is a step of the fold. One that is not listed here does not compile. */
export const ACTS: { readonly [Kind in SteppingKind]: ActRules<Kind> } = {
  confirmed: confirmation,
  voided: voiding,
  rescinded: rescission,
  withdrawn: withdrawal,
  suspended: suspension,
  waived: waiver,
  returned: goodsReturned,
  rolled_over: rollover,
  restructured: restructure,
  accelerated: acceleration,
  settled_for_less: settlement,
  written_off: writeOff,
  ceded: cession,
};

/** Every act that changes another fact. */
export const CHANGES: { readonly [Kind in ChangingKind]: ChangeRules<Kind> } = {
  cancelled: cancellation,
  suspension_ended: suspensionEnd,
};
