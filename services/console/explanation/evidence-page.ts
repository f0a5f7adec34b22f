/** The page of evidence: the signed request behind each fact, its place in the log, and its verification. */
import { maxClockSkewSeconds } from '#libs/auth/signing-scheme.ts';
import type { ProvenFact } from '#libs/sdk/src/contract/shapes.ts';
import { keyValidityToleranceMicros } from '#libs/verify/audit/request-signature.ts';
import { evidenceChecks } from '#libs/verify/audit/verify-evidence.ts';
import { bookPath } from '../clocks.ts';
import type { Visit } from '../console-context.ts';
import { formatTimestamp } from '../dates.ts';
import { type FieldRow, fieldList } from '../figures.ts';
import { type Content, type Html, html } from '../html.ts';
import { tenancyPath } from '../tenancy-path.ts';
import { wordFor } from '../terms.ts';
import type { EvidenceReport } from './check-evidence.ts';
import { type EvidenceOnPage, factsPerPage } from './read-evidence.ts';

/** A batch of Receipts may have megabytes. */
const maxShownBodyBytes = 8_192;

export interface EvidencePage extends EvidenceOnPage {
  /** Below the Tenancy: `evidence/loans/{id}` or `evidence/receipts/{reference}`. */
  readonly address: readonly string[];
}

export function evidencePage(visit: Visit, evidence: EvidencePage): Html {
  const { evidence: words } = visit.texts.explanation;
  const { facts, report, address } = evidence;
  const [, kind = '', name = ''] = address;
  const download = tenancyPath(visit.tenantId ?? '', [...address, 'answer']);
  return html`<div>
    <p><a href=${bookPath(visit, [kind, name])}>${words.toSubject[kind]}</a></p>
    <p>${words.intro}</p>
    <p>${words.notProved}</p>
    <dl class="fields verdicts">
      <dt>${words.server}</dt>
      <dd class=${report.fault === undefined ? 'good' : 'error'}>
        ${report.fault === undefined ? passedText(visit, evidence) : html`${words.serverFailed} <span lang="en">${report.fault}</span>`}
      </dd>
      <dt>${words.browser}</dt>
      <dd>
        <span
          role="status"
          data-browser-verdict
          data-passed=${words.browserPassed}
          data-failed=${words.browserFailed}
          data-check-passed=${words.passed}
          data-check-failed=${words.failed}
          >${words.browserMissing}</span
        >
      </dd>
    </dl>
    <p><a href=${download}>${words.download}</a> ${words.offline} <code>lending verify-evidence --key fp=PUBLICKEY FILE</code></p>
    ${pageLinks(visit, evidence)} ${facts.map((fact) => factArticle(visit, evidence, fact))} ${pageLinks(visit, evidence)}
  </div>`;
}

function passedText({ texts }: Visit, { facts, total }: EvidencePage): string {
  const { evidence: words } = texts.explanation;
  return facts.length === total ? words.serverPassed(total) : words.serverPassedHere(facts.length, total);
}

function pageLinks({ texts, tenantId = '' }: Visit, { address, facts, total, page }: EvidencePage): Content {
  const { evidence: words } = texts.explanation;
  if (facts.length === total) return null;
  const first = page * factsPerPage;
  const last = first + facts.length;
  const href = (to: number) => tenancyPath(tenantId, address, { page: to + 1 });
  return html`<nav class="pages" aria-label=${words.pages}>
    <span>${words.page(first + 1, last, total)}</span>
    ${page > 0 && html`<a rel="prev" href=${href(page - 1)}>${words.previous}</a>`}
    ${last < total && html`<a rel="next" href=${href(page + 1)}>${texts.next}</a>`}
  </nav>`;
}

function factArticle(visit: Visit, evidence: EvidencePage, fact: ProvenFact): Html {
  const { explanation } = visit.texts;
  const { sequence, kind, body } = fact;
  const eventId = body['event_id'];
  const word = wordFor({ ...explanation.evidence.factKinds, ...explanation.events }, kind);
  const { taken_in_at: takenInAt, key_created_at: createdAt, key_revoked_at: revokedAt } = fact.submission;
  return html`<article
    class="evidence"
    id=${typeof eventId === 'string' ? `event-${eventId}` : `fact-${sequence}`}
    data-evidence
    data-max-clock-skew-ms=${maxClockSkewSeconds * 1_000}
    data-key-tolerance-ms=${keyValidityToleranceMicros / 1_000}
    data-taken-in-at=${takenInAt}
    data-key-created-at=${createdAt}
    data-key-revoked-at=${revokedAt}
  >
    <h2>${explanation.evidence.fact(sequence, word)}</h2>
    ${fieldList(factFields(visit, fact))}
    ${checkTable(visit, evidence.report, fact)}
    <details>
      <summary>${explanation.evidence.canonical}</summary>
      <pre data-canonical tabindex="0">${fact.submission.canonical}</pre>
    </details>
    ${bodyParts(visit, evidence, fact)}
    <details>
      <summary>${explanation.evidence.factBody}</summary>
      <pre tabindex="0">${JSON.stringify(body, null, 2)}</pre>
    </details>
  </article>`;
}

function factFields({ texts, tenantId = '' }: Visit, { recorded_at, log, event, submission }: ProvenFact): FieldRow[] {
  const { evidence: words } = texts.explanation;
  const { request_id: request, key_revoked_at: revoked } = submission;
  return [
    [words.recordedAt, formatTimestamp(texts, recorded_at)],
    [words.request, html`<a href=${tenancyPath(tenantId, ['requests', request])}><code>${request}</code></a>`],
    [words.takenInAt, formatTimestamp(texts, submission.taken_in_at)],
    [words.log, words.logPlace(log.topic, log.partition, log.offset, log.item)],
    [words.event, words.eventPlace(event.topic, event.partition, event.sequence)],
    [words.fp, html`<code data-fp>${submission.fp}</code>`],
    [words.key, html`<code data-public-key>${submission.public_key}</code>`],
    [words.keyCreatedAt, formatTimestamp(texts, submission.key_created_at)],
    [words.keyRevokedAt, revoked && formatTimestamp(texts, revoked)],
    [words.signature, html`<code data-signature>${submission.signature}</code>`],
  ];
}

const browserChecks: readonly string[] = ['key', 'request', 'signature'];

function checkTable({ texts }: Visit, report: EvidenceReport, fact: ProvenFact): Html {
  const { evidence: words } = texts.explanation;
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${`${words.checks} ${fact.sequence}`}>
    <table class="checks">
      <thead>
        <tr><th scope="col">${words.check}</th><th scope="col">${words.byService}</th><th scope="col">${words.byBrowser}</th></tr>
      </thead>
      <tbody>
        ${evidenceChecks.map((check) => {
          const result = report.resultOf(fact, check);
          const byBrowser = browserChecks.includes(check)
            ? html`<td data-browser-check=${check}>${words.pending}</td>`
            : html`<td>${words.serviceOnly}</td>`;
          return html`<tr>
            <th scope="row">${words.checkNames[check]}</th>
            <td class=${result}>${words[result]}</td>
            ${byBrowser}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

/** A long body is at an address of its own, from which the script takes it. */
function bodyParts(
  { texts, tenantId = '' }: Visit,
  { address }: EvidencePage,
  { sequence, submission }: ProvenFact,
): Html {
  const { evidence: words } = texts.explanation;
  const bytes = Buffer.from(submission.body, 'base64');
  const url = tenancyPath(tenantId, [...address, 'bodies', String(sequence)]);
  if (bytes.length > maxShownBodyBytes) {
    const kilobytes = new Intl.NumberFormat(texts.locale).format(Math.ceil(bytes.length / 1_000));
    return html`<p data-body-url=${url}>${words.longBody(kilobytes)} <a href=${url}>${words.openBody}</a></p>`;
  }
  return html`<details>
      <summary>${words.body}</summary>
      <pre tabindex="0">${bytes.toString('utf8')}</pre>
    </details>
    <details>
      <summary>${words.bodyBytes}</summary>
      <pre data-body tabindex="0">${submission.body}</pre>
    </details>`;
}
