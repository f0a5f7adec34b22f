/** The same in all languages, as tabs that work without a script: radio buttons and a rule of the style sheet. */
import { codeBlock } from '../highlight.ts';
import { type Html, html } from '../html.ts';
import { sampleLanguages } from './languages.ts';
import type { Sample } from './operation-samples.ts';

/** The id is unique on its page. */
export function sampleTabs(samples: readonly Sample[], id: string): Html | undefined {
  if (samples.length === 0) return undefined;
  return html`<div class="samples">
    <fieldset>
      <legend class="visually-hidden">Language of the sample</legend>
      ${samples.map(
        ({ language }, index) =>
          html`<label><input type="radio" name=${`language-${id}`} value=${language.id} checked=${index === 0} /><span>${language.label}</span></label>`,
      )}
    </fieldset>
    ${samples.map(
      ({ language, code }) =>
        html`<div class="sample" data-language=${language.id}><p class="sample-label">${language.label}</p>${codeBlock(code, language.highlight)}</div>`,
    )}
  </div>`;
}

/** Shows the chosen sample only. Browsers without the selector show all. */
export function sampleTabsCss(): string {
  const rules = sampleLanguages.map(
    ({ id }) => `.samples:has(input[value='${id}']:checked) > .sample:not([data-language='${id}']) { display: none; }`,
  );
  return ['', ...rules, '.samples:has(input:checked) .sample-label { display: none; }', ''].join('\n');
}
