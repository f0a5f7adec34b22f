/** One request in all languages, as tabs that work without a script: radio buttons and a rule of the style sheet. */
import type { Example } from '#libs/api/openapi/document.ts';
import type { RouteName } from '#libs/api/routes.ts';
import recordedExamples from '#schemas/examples.json' with { type: 'json' };
import { codeBlock } from '../highlight.ts';
import { type Html, html } from '../html.ts';
import { sampleLanguages } from './languages.ts';
import { sampleRequest } from './sample-request.ts';

export const examples = recordedExamples as object as { readonly [operation in RouteName]?: Example };

export function sampleTabs(operation: RouteName, id: string = operation): Html | undefined {
  const example = examples[operation];
  if (example === undefined) return undefined;
  const request = sampleRequest(operation, example);
  return html`<div class="samples">
    <fieldset>
      <legend class="visually-hidden">Language of the sample</legend>
      ${sampleLanguages.map(
        (language, index) =>
          html`<label><input type="radio" name=${`language-${id}`} value=${language.id} checked=${index === 0} /><span>${language.label}</span></label>`,
      )}
    </fieldset>
    ${sampleLanguages.map(
      ({ id, label, highlight, render }) =>
        html`<div class="sample" data-language=${id}><p class="sample-label">${label}</p>${codeBlock(render(request), highlight)}</div>`,
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
