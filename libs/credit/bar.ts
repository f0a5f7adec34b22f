/** Bars: stretches of time in which a refused Client may not apply for credit. */

import { addDays, type CivilDay, clampToLastDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import type { Decision } from '#libs/credit/decide.ts';
import type { Resolution } from '#libs/credit/resolution.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The Client is barred from `boundFrom` until the day before `liftsOn`. */
export type Bar = { readonly decision: string; readonly boundFrom: CivilDay; readonly liftsOn: CivilDay };

export type BarAnswer = { readonly barred: boolean; readonly lifts_on?: string; readonly decision?: string };

/** The bar that a binding refusal causes, decided by the policy or by the resolution of a referred application. */
export function barOf(decision: Decision, resolution?: Resolution): Bar | undefined {
  if (!decision.binding) return undefined;
  const days = moratoriumDaysOf(decision, resolution);
  if (days === undefined) return undefined;
  const boundFrom = dayOf(decision.bound_from);
  // The first day counts, so the last barred day is the one before `liftsOn`.
  return { decision: decision.id, boundFrom, liftsOn: addDays(boundFrom, days) };
}

function moratoriumDaysOf(decision: Decision, resolution: Resolution | undefined): number | undefined {
  if (decision.outcome === 'refuse') return decision.moratorium_days;
  return resolution?.outcome === 'refuse' ? resolution.moratorium_days : undefined;
}

/**
 * Of the bars from that day on without a free day between them, the one that lifts last: on that day nothing bars. Of
 * two that lift on the same day, the first recorded.
 */
export function barOn(bars: readonly Bar[], on: CivilDay): Bar | undefined {
  let last = lastCovering(bars, on);
  for (let next = last; next !== undefined; next = lastCovering(bars, next.liftsOn)) last = next;
  return last;
}

function lastCovering(bars: readonly Bar[], on: CivilDay): Bar | undefined {
  let last: Bar | undefined;
  for (const bar of bars) {
    if (on < bar.boundFrom || bar.liftsOn <= on) continue;
    if (last === undefined || last.liftsOn < bar.liftsOn) last = bar;
  }
  return last;
}

export function barAnswer(bars: readonly Bar[], on: CivilDay): BarAnswer {
  const bar = barOn(bars, on);
  if (bar === undefined) return { barred: false };
  return { barred: true, lifts_on: formatDay(clampToLastDay(bar.liftsOn)), decision: bar.decision };
}

/** Refuses an application that was submitted on a barred day. Called only where the adoption enforces the bar. */
export function refuseIfBarred(bars: readonly Bar[], submittedOn: CivilDay): Refusal | undefined {
  const bar = barOn(bars, submittedOn);
  if (bar === undefined) return undefined;
  return refuse('client_barred', {
    recorded_id: bar.decision,
    bound: formatDay(clampToLastDay(bar.liftsOn)),
    observed: formatDay(submittedOn),
  });
}
