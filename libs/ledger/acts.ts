import type { ActRules, ChangeRules } from '#libs/ledger/act.ts';
import { acceleration } from '#libs/ledger/acts/acceleration.ts';
import { cancellation } from '#libs/ledger/acts/cancellation.ts';
import { cession } from '#libs/ledger/acts/cession.ts';
import { confirmation } from '#libs/ledger/acts/confirmation.ts';
import { restructure } from '#libs/ledger/acts/restructure.ts';
import { goodsReturned } from '#libs/ledger/acts/return.ts';
import { rollover } from '#libs/ledger/acts/rollover.ts';
import { settlement } from '#libs/ledger/acts/settlement.ts';
import { suspension, suspensionEnd } from '#libs/ledger/acts/suspension.ts';
import { rescission, withdrawal } from '#libs/ledger/acts/undoing.ts';
import { voiding } from '#libs/ledger/acts/voiding.ts';
import { waiver } from '#libs/ledger/acts/waiver.ts';
import { writeOff } from '#libs/ledger/acts/write-off.ts';
import type { ChangingKind, SteppingKind } from '#libs/ledger/steps.ts';

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
