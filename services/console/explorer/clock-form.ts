/** The form of the two clocks, and the sentence that says what the page shows. */
import { formatDay } from '../amounts.ts';
import { asPickerValue, type Clocks } from '../clocks.ts';
import type { Visit } from '../console-context.ts';
import { formatTimestamp } from '../dates.ts';
import { field } from '../form.ts';
import { type Html, html } from '../html.ts';

export function clockForm({ texts, path }: Visit, clocks: Clocks): Html {
  const words = texts.explorer.clocks;
  const { on, knownAt } = clocks;
  return html`<form method="get" action=${path} class="clocks">
    ${field({ name: 'on', label: words.on, type: 'date', value: on })}
    ${field({
      name: 'known_at',
      label: words.knownAt,
      type: 'datetime-local',
      step: '0.001',
      value: asPickerValue(knownAt),
      required: false,
    })}
    <button class="secondary">${words.show}</button>
  </form>`;
}

export function clockSentence({ texts, path }: Visit, { on, knownAt, isDefaultDay, timeZone }: Clocks): Html {
  const words = texts.explorer.clocks;
  const day = html`<strong>${formatDay(texts, on)}</strong>`;
  const knowledge =
    knownAt === undefined ? words.knownNow : words.knownThen(html`<strong>${formatTimestamp(texts, knownAt)}</strong>`);
  const isCurrent = isDefaultDay && knownAt === undefined;
  return html`<p class="clock-sentence">
    ${isDefaultDay ? words.onDefaultDay(day, timeZone) : words.onDay(day)}${' '}${knowledge}${' '}
    ${!isCurrent && html`<a class="screen-only" href=${path}>${words.reset}</a>`}
  </p>`;
}
