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

/** `kept` is the query of this page beside its clocks. */
export function clockSentence(
  { texts, path }: Visit,
  clocks: Clocks,
  kept: Readonly<Record<string, string>> = {},
): Html {
  const { on, knownAt, isDefaultDay, timeZone } = clocks;
  const words = texts.explorer.clocks;
  const day = html`<strong>${formatDay(texts, on)}</strong>`;
  const knowledge =
    knownAt === undefined ? words.knownNow : words.knownThen(html`<strong>${formatTimestamp(texts, knownAt)}</strong>`);
  const isCurrent = isDefaultDay && knownAt === undefined;
  const search = new URLSearchParams(kept);
  const current = search.size === 0 ? path : `${path}?${search}`;
  return html`<p class="clock-sentence">
    ${isDefaultDay ? words.onDefaultDay(day, timeZone) : words.onDay(day)}${' '}${knowledge}${' '}
    ${!isCurrent && html`<a class="screen-only" href=${current}>${words.reset}</a>`}
  </p>`;
}
