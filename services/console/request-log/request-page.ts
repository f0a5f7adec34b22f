/** One logged request in full. */
import { catalogue } from '#libs/schema/refusals.ts';
import type { LoggedRequest } from '#libs/sdk/src/contract/shapes.ts';
import type { Visit } from '../console-context.ts';
import { formatPreciseTimestamp } from '../dates.ts';
import { type Content, type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { statusBadge } from './list-page.ts';
import { subjectsOf } from './subjects.ts';

export interface RequestDetails {
  readonly tenantId: string;
  readonly logged: LoggedRequest;
  /** Absent for a key of another Tenancy. */
  readonly keyLabel: string | undefined;
}

export function requestDetails(visit: Visit, { tenantId, logged, keyLabel }: RequestDetails): Html {
  const { texts } = visit;
  const words = texts.requestLog;
  const { request_id, caller_request_id, received_at, fp, method, route, target, contract_version } = logged;
  const base = `/tenancies/${tenantId}/requests`;
  const filtered = (name: string, value: string, text: string): Html =>
    html`<a href=${`${base}?${new URLSearchParams({ [name]: value })}`}>${text}</a>`;
  const rows: readonly (readonly [string, Content])[] = [
    [words.status, statusBadge(logged)],
    [words.target, html`<code>${method} ${target ?? words.notLogged}</code>`],
    [words.filters.route, route && filtered('route', route, route)],
    [words.receivedAt, formatPreciseTimestamp(texts, received_at)],
    [words.filters.request_id, html`<code>${request_id}</code>`],
    [words.filters.caller_request_id, caller_request_id && html`<code>${caller_request_id}</code>`],
    [words.key, html`${keyLabel ?? words.otherKey} · ${filtered('fp', fp, fp)}`],
    [words.contractVersion, contract_version],
  ];
  return html`<div>
    <dl class="fields request-fields">
      ${rows.map(([title, value]) => value && html`<dt>${title}</dt><dd>${value}</dd>`)}
    </dl>
    ${refusalSection(visit, logged)} ${subjectSection(visit, tenantId, logged)} ${timingSection(visit, logged)}
    <p>${words.bodiesNotLogged}</p>
    <p><a href=${base}>${words.toList}</a></p>
  </div>`;
}

function refusalSection({ texts }: Visit, { code, field }: LoggedRequest): Content {
  if (code === undefined) return null;
  const words = texts.requestLog;
  const known = Object.hasOwn(catalogue, code) ? catalogue[code as keyof typeof catalogue] : undefined;
  return html`<section>
    <h2>${words.refusal}</h2>
    <p><code>${code}</code>${known && ` ${texts.refusals[code]}`}</p>
    ${field && html`<p>${words.field}: <code>${field}</code></p>`}
    ${known && html`<p>${words.retry[known.retry]}</p>`}
  </section>`;
}

function subjectSection({ texts }: Visit, tenantId: string, { target }: LoggedRequest): Content {
  const words = texts.requestLog;
  const subjects = target === undefined ? [] : subjectsOf(tenantId, target);
  return (
    subjects.length > 0 &&
    html`<section>
      <h2>${words.about}</h2>
      <ul>${subjects.map(({ kind, id, href }) => html`<li>${words.kinds[kind]} <a href=${href}>${id}</a></li>`)}</ul>
    </section>`
  );
}

interface TimingPart {
  readonly name: 'queue' | 'conn' | 'db' | 'derive' | 'submit' | 'app' | 'total';
  readonly microseconds: number;
}

/** As `Server-Timing` states it: what belongs to no other part is `app`. */
function timingSection({ texts }: Visit, { timing, duration_us }: LoggedRequest): Content {
  const words = texts.requestLog;
  const number = new Intl.NumberFormat(texts.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const parts = timing === undefined ? [] : timingParts(timing, duration_us);
  const bar = ({ name, microseconds }: TimingPart): Html =>
    html`<progress aria-label=${words.parts[name]} max=${Math.max(1, duration_us)} value=${microseconds}></progress>`;
  return html`<section class="timing">
    <h2>${words.timing}</h2>
    ${table<TimingPart>(
      words.timing,
      [
        { title: words.part, cell: ({ name }) => words.parts[name] },
        { title: words.duration, cell: ({ microseconds }) => number.format(microseconds / 1_000), isNumber: true },
        { title: words.share, cell: bar },
      ],
      [...parts, { name: 'total', microseconds: duration_us }],
    )}
  </section>`;
}

function timingParts(timing: NonNullable<LoggedRequest['timing']>, totalUs: number): readonly TimingPart[] {
  const { queue_us, conn_us, db_us, derive_us, submit_us } = timing;
  const rest = Math.max(0, totalUs - queue_us - conn_us - db_us - derive_us - submit_us);
  return [
    { name: 'queue', microseconds: queue_us },
    { name: 'conn', microseconds: conn_us },
    { name: 'db', microseconds: db_us },
    { name: 'derive', microseconds: derive_us },
    { name: 'submit', microseconds: submit_us },
    { name: 'app', microseconds: rest },
  ];
}
