import { addDays, type CivilDay, dayOf, formatDay, writable } from '#libs/calendar/civil-day.ts';
import type { Decision } from '#libs/credit/decide.ts';
import type { Resolution } from '#libs/credit/resolution.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** A Client may not apply from `boundFrom` up to the day before `liftsOn`. */
export type Bar = { readonly decision: string; readonly boundFrom: CivilDay; readonly liftsOn: CivilDay };

export type BarAnswer = { readonly barred: boolean; readonly lifts_on?: string; readonly decision?: string };

/** The bar of a binding refusal, be it the policy's or the person's who resolved a `refer`. */
export function barOf(decision: Decision, resolution?: Resolution): Bar | undefined {
  if (!decision.binding) return undefined;
  const days = moratoriumOf(decision, resolution);
  if (days === undefined) return undefined;
  const boundFrom = dayOf(decision.bound_from);
  // The first day counts, and the last one too: a reading on `liftsOn` must find nothing.
  return { decision: decision.id, boundFrom, liftsOn: addDays(boundFrom, days) };
}

function moratoriumOf(decision: Decision, resolution: Resolution | undefined): number | undefined {
  if (decision.outcome === 'refuse') return decision.moratorium_days;
  return resolution?.outcome === 'refuse' ? resolution.moratorium_days : undefined;
}

/** Of the bars in force on a day the one that lifts last; of two that lift together the one recorded first. */
export function barOn(bars: readonly Bar[], on: CivilDay): Bar | undefined {
  let latest: Bar | undefined;
  for (const bar of bars) {
    if (on < bar.boundFrom || bar.liftsOn <= on) continue;
    if (latest === undefined || latest.liftsOn < bar.liftsOn) latest = bar;
  }
  return latest;
}

export function barAnswer(bars: readonly Bar[], on: CivilDay): BarAnswer {
  const bar = barOn(bars, on);
  if (bar === undefined) return { barred: false };
  return { barred: true, lifts_on: formatDay(writable(bar.liftsOn)), decision: bar.decision };
}

/** An application on a barred day, where the policy was adopted to enforce it. Applying again is read on the day it was submitted. */
export function refuseBarred(bars: readonly Bar[], submittedOn: CivilDay): Refusal | undefined {
  const bar = barOn(bars, submittedOn);
  if (bar === undefined) return undefined;
  return refuse('client_barred', {
    recorded_id: bar.decision,
    bound: formatDay(writable(bar.liftsOn)),
    observed: formatDay(submittedOn),
  });
}
