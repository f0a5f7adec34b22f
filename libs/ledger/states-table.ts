import type { ActKind } from '#libs/ledger/facts.ts';
import type { LoanState } from '#libs/ledger/state.ts';
import { type Refusal, type RefusalCode, refuse } from '#libs/schema/refusals.ts';

type Admits = 'ok' | RefusalCode;

/** The acts that the table of states treats alike. */
type Column = 'write_off' | 'cession' | 'return' | 'waiver' | 'settlement' | 'course' | 'cancel' | 'undoing' | 'hold';

const COLUMN: { readonly [Kind in ActKind]: Column } = {
  written_off: 'write_off',
  ceded: 'cession',
  returned: 'return',
  waived: 'waiver',
  settled_for_less: 'settlement',
  suspended: 'course',
  suspension_ended: 'course',
  accelerated: 'course',
  rolled_over: 'course',
  restructured: 'course',
  cancelled: 'cancel',
  rescinded: 'undoing',
  withdrawn: 'undoing',
  confirmed: 'hold',
  voided: 'hold',
};

type Row = { readonly [column in Column]: Admits };

function all(code: Admits, but: Partial<Row> = {}): Row {
  return {
    write_off: code,
    cession: code,
    return: code,
    waiver: code,
    settlement: code,
    course: code,
    cancel: code,
    undoing: code,
    hold: code,
    ...but,
  };
}

const STANDING = all('ok', { hold: 'not_held' });

const TABLE: { readonly [State in LoanState]: Row } = {
  active: STANDING,
  restructured: STANDING,
  closed: all('loan_closed', { return: 'ok', undoing: 'ok', cancel: 'loan_has_receipts', hold: 'not_held' }),
  written_off: all('already_written_off', { cession: 'ok', waiver: 'ok', settlement: 'ok', hold: 'not_held' }),
  ceded: all('cession_in_force', { cession: 'already_ceded' }),
  held: all('loan_held', { hold: 'ok' }),
  voided: all('loan_voided'),
  cancelled: all('loan_cancelled', { cession: 'invalid_event' }),
  rescinded: all('loan_undone'),
  withdrawn: all('loan_undone'),
};

/** Which act where: the state folded from all facts, which has no date. */
export function admittedIn(state: LoanState, kind: ActKind): Refusal | undefined {
  const admits = TABLE[state][COLUMN[kind]];
  return admits === 'ok' ? undefined : refuse(admits);
}

/** Every code the table refuses an act of that kind with, in some state or other. */
export function refusedByState(kind: ActKind): readonly RefusalCode[] {
  return Object.values(TABLE).flatMap((row) => {
    const admits = row[COLUMN[kind]];
    return admits === 'ok' ? [] : [admits];
  });
}

/** Some states admit retracting nothing but the act that made them. */
export function retractedIn(state: LoanState, target: ActKind): Refusal | undefined {
  switch (state) {
    case 'held':
      return refuse('not_retractable');
    case 'ceded':
      return target === 'ceded' ? undefined : refuse('cession_in_force');
    case 'voided':
      return target === 'voided' ? undefined : refuse('loan_voided');
    case 'cancelled':
      return target === 'cancelled' ? undefined : refuse('loan_cancelled');
    case 'rescinded':
    case 'withdrawn':
      return target === state ? undefined : refuse('loan_undone');
    default:
      return undefined;
  }
}
