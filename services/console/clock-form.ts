/** The form of the two clocks, and the sentence that says what the page shows. */
import { formatDay } from './amounts.ts';
import { asPickerValue, type Clocks } from './clocks.ts';
import type { Visit } from './console-context.ts';
import { formatTimestamp } from './dates.ts';
import { field } from './form.ts';
import { type Content, type Html, html } from './html.ts';
import type { Texts } from './texts/en.ts';

/** `more` holds what the page is asked for beside its clocks. */
export function clockForm({ texts, path }: Visit, { on, knownAt }: Clocks, more?: Content): Html {
  const words = texts.explorer.clocks;
  return html`<form method="get" action=${path} class="clocks">
    ${more} ${field({ name: 'on', label: words.on, type: 'date', value: on })} ${knowledgeField(texts, knownAt)}
    <button class="secondary">${words.show}</button>
  </form>`;
}

export function knowledgeField(texts: Texts, knownAt: string | undefined): Html {
  return field({
    name: 'known_at',
    label: texts.explorer.clocks.knownAt,
    type: 'datetime-local',
    step: '0.001',
    value: asPickerValue(knownAt),
    required: false,
  });
}

interface SentenceOptions {
  /** The query of this page beside its clocks. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Says what is of now although the address states clocks. The other figures are then of the day alone. */
  readonly ofNow?: string;
}

export function clockSentence(
  { texts, path }: Visit,
  clocks: Clocks,
  { kept = {}, ofNow }: SentenceOptions = {},
): Html {
  const { on, isDefaultDay, timeZone } = clocks;
  const words = texts.explorer.clocks;
  const day = html`<strong>${formatDay(texts, on)}</strong>`;
  const search = new URLSearchParams(kept);
  const current = search.size === 0 ? path : `${path}?${search}`;
  return html`<p class="clock-sentence">
    ${isDefaultDay ? words.onDefaultDay(day, timeZone) : words.onDay(day)}${' '}${knowledge(texts, ofNow === undefined ? clocks.knownAt : undefined)}${' '}
    ${hasStatedClock(clocks) && ofNow}${' '}${resetLink(texts, clocks, current)}
  </p>`;
}

/** For a page without figures of a day: links keep the day that the address states. */
export function knowledgeForm({ texts, path }: Visit, { on, knownAt, isDefaultDay }: Clocks): Html {
  return html`<form method="get" action=${path} class="clocks">
    ${!isDefaultDay && html`<input type="hidden" name="on" value=${on} />`} ${knowledgeField(texts, knownAt)}
    <button class="secondary">${texts.explorer.clocks.show}</button>
  </form>`;
}

export function knowledgeSentence({ texts, path }: Visit, clocks: Clocks): Html {
  const { shown } = texts.explorer.clocks;
  return html`<p class="clock-sentence">
    ${shown}${' '}${knowledge(texts, clocks.knownAt)}${' '}${resetLink(texts, clocks, path)}
  </p>`;
}

/** Where the address states clocks: what the page does not show as of them. */
export function clockNote({ texts, path }: Visit, clocks: Clocks, note: Content): Content {
  if (!hasStatedClock(clocks)) return null;
  return html`<p class="clock-sentence">${note}${' '}${resetLink(texts, clocks, path)}</p>`;
}

function knowledge(texts: Texts, knownAt: string | undefined): Content {
  const words = texts.explorer.clocks;
  if (knownAt === undefined) return words.knownNow;
  return words.knownThen(html`<strong>${formatTimestamp(texts, knownAt)}</strong>`);
}

function resetLink(texts: Texts, clocks: Clocks, current: string): Content {
  return hasStatedClock(clocks) && html`<a class="screen-only" href=${current}>${texts.explorer.clocks.reset}</a>`;
}

function hasStatedClock({ isDefaultDay, knownAt }: Clocks): boolean {
  return !isDefaultDay || knownAt !== undefined;
}
