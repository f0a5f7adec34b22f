/** Every refusal code with its cause and its remedy. */
import { type CodeWithDetails, catalogue, type DetailKey, type RefusalCode } from '#libs/schema/refusals.ts';
import { type Content, html } from '../html.ts';
import { inlineMarkdown } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import type { ReferenceOperation } from './api-document.ts';
import { objectUrl } from './object-groups.ts';
import { remedies } from './remedies.ts';
import { operationUrl } from './resources.ts';

const retryTexts = {
  as_is: 'Send the same request again.',
  after_record: 'Send it again after another fact is recorded.',
  after_change: 'Change the request.',
  never: 'Do not send it again.',
} as const;

const statusTitles: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  401: 'The signature',
  403: 'Rights of the key',
  404: 'No such name',
  405: 'The method',
  406: 'The version',
  409: 'Conflict with recorded facts',
  413: 'The size',
  415: 'The media type',
  422: 'The request asks for what is not possible',
  429: 'The limits of the Tenancy',
  500: 'The service failed',
  503: 'The service is not available',
};

const detailTexts = {
  field: 'a JSON pointer to the field, or the bare name of a parameter',
  fields:
    'where several fields of the body are at fault: each of them, at most 20, with its `field`, `code`, `bound` and `observed`',
  bound: 'the limit or the expected value',
  observed: 'what was found',
  recorded_id: 'what is recorded; the code says which identifier of what',
  recorded_value: 'what is recorded',
  stated_value: 'what the request states',
} as const satisfies { readonly [key in DetailKey]: string };

const recordedIds: { readonly [code in RefusalCode]?: string } = {
  reference_reused:
    'what the reference names: the `id` of a Loan, Receipt, payoff quote, Decision (also where it was resolved) or facility; the `id` of the event of an act; `POLICY/VERSION` of a drafted or published policy; the configuration that adopted one. After a reversal or a retraction it is an identifier that no answer shows',
  client_registered: 'the `client_id`',
  lookup_key_taken: 'the configuration that the key names',
  client_barred: 'the `id` of the Decision that bars',
  already_resolved: 'the `id` of the Decision',
  already_published: 'the name of the policy',
  not_referred: 'the `id` of the Decision',
  decision_not_approving: 'the `id` of the Decision',
  already_suspended: 'the `id` of the event of the other suspension',
  already_reversed: 'the `reference` of the reversal',
  fact_depended_on: 'the `id` of the event that depends on this one',
} satisfies Readonly<Record<CodeWithDetails<'recorded_id'>, string>>;

const url = '/docs/reference/errors';
const title = 'Errors';
const codes = Object.keys(catalogue) as RefusalCode[];

export function errorsPage(operations: readonly ReferenceOperation[], commonCodes: ReadonlySet<RefusalCode>): Page {
  const statuses = [...new Set(codes.map((code) => catalogue[code].status))].sort((a, b) => a - b);
  return {
    url,
    title,
    description: 'Every refusal code of the API with its cause and its remedy.',
    headings: [
      { id: 'form', text: 'The form of a refusal', level: 2 },
      { id: 'every-request', text: 'Refusals of every request', level: 2 },
      ...statuses.map((status) => ({
        id: `status-${status}`,
        text: `${status} ${statusTitles[status]}`,
        level: 2 as const,
      })),
    ],
    records: codes.map((code) => ({
      url: `${url}#${code}`,
      title: code,
      page: title,
      text: `${catalogue[code].status} ${catalogue[code].message} ${remedies[code]}`,
    })),
    content: html`<div>
      <p class="lead">A request is either answered or refused with one of these codes. Branch on the code. Codes are added and never removed, and a code never changes its meaning.</p>
      ${introduction(commonCodes)}
      ${statuses.map(
        (status) => html`<section aria-labelledby=${`status-${status}`}>
          <h2 id=${`status-${status}`}><a class="anchor" href=${`#status-${status}`}>${status} ${statusTitles[status]}</a></h2>
          ${codes.filter((code) => catalogue[code].status === status).map((code) => errorEntry(code, operations))}
        </section>`,
      )}
    </div>`,
  };
}

function introduction(commonCodes: ReadonlySet<RefusalCode>): Content {
  return html`<section aria-labelledby="form">
      <h2 id="form"><a class="anchor" href="#form">The form of a refusal</a></h2>
      <p>The body is a <a href=${objectUrl('Refusal')}>Refusal</a>. <code>code</code> is for programs, <code>error</code> is a sentence for people, <code>request_id</code> names the request when you ask the operator of the service about it, or look it up: <a href=${operationUrl('listRequests')}>list requests</a>.</p>
      <p><code>retry</code> says what to do with the request:</p>
      <ul>
        ${Object.entries(retryTexts).map(([retry, text]) => html`<li><code>${retry}</code>: ${text}</li>`)}
      </ul>
      <p><code>details</code> may have these members; each code names those it uses:</p>
      <ul>
        ${Object.entries(detailTexts).map(([key, text]) => html`<li><code>${key}</code>: ${inlineMarkdown(text)}</li>`)}
      </ul>
    </section>
    <section aria-labelledby="every-request">
      <h2 id="every-request"><a class="anchor" href="#every-request">Refusals of every request</a></h2>
      <p>Each signed request may be refused with ${[...commonCodes].map((code, index) => html`<span>${index === 0 ? '' : ', '}<a href=${`#${code}`}><code>${code}</code></a></span>`)}.</p>
    </section>`;
}

function errorEntry(code: RefusalCode, operations: readonly ReferenceOperation[]): Content {
  const { status, retry, message, details } = catalogue[code];
  const recordedId = recordedIds[code];
  const users = operations.filter(({ refusals }) => refusals.includes(code));
  return html`<article class="error-entry" id=${code}>
    <h3><a class="anchor" href=${`#${code}`}><code>${code}</code></a> <span class=${`status status-${String(status)[0]}`}>${status}</span> <span class="badge">retry: ${retry}</span></h3>
    <p>${message}</p>
    <p class="remedy"><strong>Remedy.</strong> ${inlineMarkdown(remedies[code])}</p>
    ${details.length === 0 ? null : html`<p class="limits">Details: ${details.map((key) => html`<code>${key}</code> `)}</p>`}
    ${recordedId === undefined ? null : html`<p class="limits"><code>recorded_id</code>: ${inlineMarkdown(recordedId)}.</p>`}
    ${users.length === 0 ? null : users.length > 12 ? html`<p class="limits">${users.length} operations refuse with it.</p>` : html`<p class="limits">Refused by: ${users.map(({ name, summary }, index) => html`<span>${index === 0 ? '' : ', '}<a href=${operationUrl(name)}>${summary}</a></span>`)}.</p>`}
  </article>`;
}
