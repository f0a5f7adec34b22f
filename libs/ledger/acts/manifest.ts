/**
 * Every act on a Loan, in the order of the documentation. Routes, request bodies, documentation, states table, fact kinds
 * and the fold derive from this list.
 */

import { type Act, ActManifest } from '#libs/ledger/act.ts';
import { acceleration } from '#libs/ledger/acts/acceleration.ts';
import { cancellation } from '#libs/ledger/acts/cancellation.ts';
import { cession } from '#libs/ledger/acts/cession.ts';
import { confirmation } from '#libs/ledger/acts/confirmation.ts';
import { rescission } from '#libs/ledger/acts/rescission.ts';
import { restructure } from '#libs/ledger/acts/restructure.ts';
import { goodsReturned } from '#libs/ledger/acts/return.ts';
import { rollover } from '#libs/ledger/acts/rollover.ts';
import { settlement } from '#libs/ledger/acts/settlement.ts';
import { suspension } from '#libs/ledger/acts/suspension.ts';
import { suspensionEnd } from '#libs/ledger/acts/suspension-end.ts';
import { voiding } from '#libs/ledger/acts/voiding.ts';
import { waiver } from '#libs/ledger/acts/waiver.ts';
import { withdrawal } from '#libs/ledger/acts/withdrawal.ts';
import { writeOff } from '#libs/ledger/acts/write-off.ts';

export const acts = [
  confirmation,
  voiding,
  cancellation,
  rescission,
  withdrawal,
  suspension,
  suspensionEnd,
  waiver,
  goodsReturned,
  rollover,
  restructure,
  acceleration,
  settlement,
  writeOff,
  cession,
] as const satisfies readonly Act[];

export const manifest = new ActManifest(acts);

export type ActKind = (typeof acts)[number]['kind'];
export type ActOperation = (typeof acts)[number]['route']['operation'];
export type ActSegment = (typeof acts)[number]['route']['segment'];

/** A value for each act, by the name of its operation: entries for the tables of other layers. */
export function byOperation<Value>(toValue: (act: Act) => Value): { readonly [Operation in ActOperation]: Value } {
  const entries = acts.map((act) => [act.route.operation, toValue(act)] as const);
  return Object.fromEntries(entries) as { readonly [Operation in ActOperation]: Value };
}
