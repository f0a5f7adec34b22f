/** What the check of a signature found: the verdict, likely causes, each check, the canonical string. */
import type { Visit } from '../console-context.ts';
import { type Content, type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { canonicalSection } from './canonical-page.ts';
import { causesOf } from './causes.ts';
import type { CheckedRequest } from './checked-request.ts';
import { type CheckName, checkNames, type Diagnosis } from './diagnosis.ts';

export function diagnosisSection(visit: Visit, page: CheckedRequest): Html {
  const { diagnosis } = page;
  const words = visit.texts.signature;
  const code = refusalOf(diagnosis);
  const causes = causesOf(visit, page);
  return html`<section id="result" class="diagnosis">
    <div role="status" class=${code === undefined ? 'verdict verdict-good' : 'verdict verdict-bad'}>
      <h2>${code === undefined ? words.accepted : words.refused(code)}</h2>
      ${
        causes.length > 0 &&
        html`<h3>${words.causes}</h3>
          <ul>${causes.map((cause) => html`<li>${cause}</li>`)}</ul>`
      }
      ${logLink(visit, page)}
    </div>
    <h2>${words.checks}</h2>
    ${table<CheckName>(
      words.checks,
      [
        { title: words.check, cell: (name) => words.checkTitles[name] },
        { title: visit.texts.keys.state, cell: (name) => stateBadge(visit, diagnosis, name) },
        { title: words.found, cell: (name) => finding(visit, page, name) },
      ],
      checkNames,
    )}
    ${canonicalSection(visit, page)}
  </section>`;
}

/** The refusal that the service answers with; undefined where every check passes. */
function refusalOf({ checks, key }: Diagnosis): string | undefined {
  // Whether a key exists elsewhere is not for this page to say.
  if (checks.header === 'passed' && key === undefined) return '401 unauthenticated / 403 not_permitted_tenant';
  if (checks.tenancy !== 'failed' && checks.scope !== 'failed') {
    return checkNames.every((name) => checks[name] === 'passed') ? undefined : '401 unauthenticated';
  }
  const isAuthenticated = checkNames.every(
    (name) => name === 'tenancy' || name === 'scope' || checks[name] === 'passed' || isKeyElsewhere(name, checks),
  );
  if (!isAuthenticated) return '401 unauthenticated';
  return checks.tenancy === 'failed' ? '403 not_permitted_tenant' : '403 not_permitted_scope';
}

/** A key of another Tenancy is no key here, but the service knows it. */
function isKeyElsewhere(name: CheckName, checks: Diagnosis['checks']): boolean {
  return name === 'fingerprint' && checks.verification === 'passed';
}

function stateBadge({ texts }: Visit, { checks }: Diagnosis, name: CheckName): Html {
  const state = checks[name];
  const marks = { passed: '✓', failed: '✗', unknown: '–' };
  return html`<span class=${`state-${state}`}>${marks[state]} ${texts.signature.state[state]}</span>`;
}

function finding({ texts }: Visit, { diagnosis, request, tenantId }: CheckedRequest, name: CheckName): Content {
  const words = texts.signature;
  const { credentials, clock, key, namedTenancyId } = diagnosis;
  switch (name) {
    case 'header':
      return code(request.authorization[0]);
    case 'fingerprint':
      return [code(credentials.fp), key && html` <span>${words.keyOf(key.label)}</span>`];
    case 'revocation':
      return key && key.tenantId !== tenantId ? words.keyOfOther(key.tenantId) : null;
    case 'timestamp':
      return clock && [code(credentials.ts), ' ', clockText(texts, clock.seconds, request.requestId !== undefined)];
    case 'signatureForm':
      return code(credentials.sig);
    case 'verification':
      return null;
    case 'tenancy':
      return namedTenancyId === undefined ? null : words.pathNames(namedTenancyId);
    case 'scope':
      return key && words.scopeIs(texts.keys[key.scope]);
  }
}

function code(text: string | undefined): Content {
  return text === undefined ? null : html`<code>${text}</code>`;
}

function clockText({ signature: words, locale }: Visit['texts'], seconds: number, isReceiptKnown: boolean): string {
  const duration = durationText(locale, Math.abs(seconds));
  const difference = seconds === 0 ? words.exact : seconds > 0 ? words.ahead(duration) : words.behind(duration);
  return isReceiptKnown ? words.clockThen(difference) : words.clockNow(difference);
}

const secondsOfUnits = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;

/** In the largest unit of which there are two. */
function durationText(locale: string, seconds: number): string {
  const [unit, length] =
    Object.entries(secondsOfUnits).find(([, each]) => seconds >= 2 * each) ?? (['second', 1] as const);
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(locale, style).format(Math.round(seconds / length));
}

function logLink({ texts }: Visit, { request, tenantId, logged }: CheckedRequest): Content {
  if (request.requestId === undefined) return null;
  if (logged === undefined) return html`<p>${texts.signature.notLogged}</p>`;
  const href = `/tenancies/${tenantId}/requests/${encodeURIComponent(logged.request_id)}`;
  return html`<p><a href=${href}>${texts.signature.logged}</a></p>`;
}
