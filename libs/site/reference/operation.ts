/** One operation: what it does on the left, samples and the recorded answer on the right. */
import type { RouteName } from '#libs/api/routes.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';
import { formatJson } from '../format-json.ts';
import { codeBlock } from '../highlight.ts';
import { type Content, type Html, html } from '../html.ts';
import { blockMarkdown, inlineMarkdown } from '../markdown-text.ts';
import { samplesOf } from '../samples/operation-samples.ts';
import { sampleTabs } from '../samples/sample-tabs.ts';
import { streamedAnswer } from '../samples/stream.ts';
import type { Parameter, ReferenceOperation } from './api-document.ts';
import { field, resolved, schemaFields, typeText } from './schema-fields.ts';

/** Explained once, in the guides. */
const commonParameters = new Set(['tenant_id', 'Contract-Version', 'Request-Id']);

/** Longer answers are cut; the OpenAPI document has them whole. */
const maxAnswerLines = 60;

const placeTitles: Readonly<Record<string, string>> = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Headers',
};

export interface OperationContext {
  readonly commonCodes: ReadonlySet<RefusalCode>;
  /** The members of an answer are shown once on a page: the first operation that answers the object has them. */
  readonly showsMembers: boolean;
}

export function operationSection(operation: ReferenceOperation, { commonCodes, showsMembers }: OperationContext): Html {
  const { name, method, path, summary, description } = operation;
  return html`<section class="operation" aria-labelledby=${name}>
    <div class="operation-text">
      <h2 id=${name}><a class="anchor" href=${`#${name}`}>${summary}</a></h2>
      <p class="endpoint"><span class=${`method method-${method.toLowerCase()}`}>${method}</span> <code>${breakable(path)}</code></p>
      ${blockMarkdown(description)} ${parameters(operation.parameters)} ${body(operation)} ${answers(operation, showsMembers)}
      ${refusals(operation, commonCodes)}
    </div>
    <div class="operation-samples">${sampleTabs(samplesOf(name), name)} ${exampleAnswer(operation)}</div>
  </section>`;
}

/** A path may break after a slash and nowhere else. */
function breakable(path: string): Content {
  return path.split(/(?<=\/)/).map((piece) => html`<span>${piece}<wbr /></span>`);
}

function parameters(all: readonly Parameter[]): Content {
  return Object.entries(placeTitles).map(([place, title]) => {
    const shown = all.filter(({ name, in: where }) => where === place && !commonParameters.has(name));
    if (shown.length === 0) return null;
    return html`<div>
      <h3>${title}</h3>
      <ul class="fields">
        ${shown.map(({ name, schema, required = false, description }) =>
          field({ name, schema, isRequired: required, description }),
        )}
      </ul>
    </div>`;
  });
}

function body({ body: schema, bodyLimit }: ReferenceOperation): Content {
  if (schema === undefined) return null;
  const target = resolved(schema);
  const alternatives = (target['oneOf'] ?? target['anyOf']) as readonly (typeof target)[] | undefined;
  return html`<div>
    <h3>Body</h3>
    <p class="limits">${typeText(schema)}. ${bodyLimit}</p>
    ${
      alternatives === undefined
        ? schemaFields(target)
        : alternatives.map(
            (each) => html`<div class="alternative"><p>${typeText(each)}</p>${schemaFields(resolved(each))}</div>`,
          )
    }
  </div>`;
}

function answers({ answers: all, answer, media }: ReferenceOperation, showsMembers: boolean): Content {
  return html`<div>
    <h3>Answers</h3>
    <ul class="statuses">
      ${all.map(
        ({ status, description }) =>
          html`<li><span class=${`status status-${String(status)[0]}`}>${status}</span> ${inlineMarkdown(description)}</li>`,
      )}
    </ul>
    ${answer === undefined ? null : html`<p>The body is ${bodyText(answer, media)}.</p>`}
    ${showsMembers && answer !== undefined && resolved(answer)['properties'] !== undefined ? html`<details class="members"><summary>Members of the answer</summary>${schemaFields(resolved(answer), 1)}</details>` : null}
  </div>`;
}

function bodyText(answer: JsonSchema, media: string): Content {
  if (media !== 'application/json') return html`<code>${media}</code>`;
  return answer['$ref'] === undefined && answer['type'] === 'object' ? 'an object' : typeText(answer);
}

function refusals({ refusals: codes }: ReferenceOperation, commonCodes: ReadonlySet<RefusalCode>): Content {
  const own = codes.filter((code) => !commonCodes.has(code));
  const common = codes.length - own.length;
  return html`<div>
    <h3>Refusals</h3>
    ${own.length === 0 ? null : html`<p class="codes">${own.map((code) => html`<a href=${`/docs/reference/errors#${code}`}><code>${code}</code></a> `)}</p>`}
    ${common === 0 ? null : html`<p class="limits">${own.length === 0 ? 'Only' : 'And'} <a href="/docs/reference/errors#every-request">those of every request</a>.</p>`}
  </div>`;
}

function exampleAnswer({ example, name }: ReferenceOperation): Content {
  if (name === 'streamFeed') return answerFigure(200, codeBlock(streamedAnswer()));
  if (example === undefined) return null;
  const { text, isCut } = cut(formatJson(example.answer));
  return answerFigure(
    example.status,
    html`${codeBlock(text, 'json')}
    ${isCut ? html`<p class="limits">Shortened. <a href="/v1/openapi.json">The OpenAPI document</a> has the whole answer of <code>${name satisfies RouteName}</code>.</p>` : null}`,
  );
}

function answerFigure(status: number, content: Content): Html {
  return html`<figure class="answer">
    <figcaption>Answer <span class="status status-2">${status}</span></figcaption>
    ${content}
  </figure>`;
}

function cut(text: string): { readonly text: string; readonly isCut: boolean } {
  const lines = text.split('\n');
  if (lines.length <= maxAnswerLines) return { text, isCut: false };
  return { text: [...lines.slice(0, maxAnswerLines), '…'].join('\n'), isCut: true };
}
