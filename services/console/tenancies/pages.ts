/** The list of Tenancies, and the page of one. */
import type { ListedTenancy, TenancyPage } from '#libs/database/tenancies.ts';
import { hasRightsNotInForce, type Person } from '#libs/people/persons.ts';
import { mayAdminister } from '#libs/people/roles.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';
import type { Bounds } from '#libs/sdk/src/contract/shapes.ts';
import type { NewTenancy } from '#libs/submission/administration-reads.ts';
import { presentPasswordField } from '../account/pages.ts';
import type { Visit } from '../console-context.ts';
import { formatInstant } from '../dates.ts';
import { fieldList } from '../figures.ts';
import { choice, csrfInput, errorList, field } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import { table } from '../table.ts';
import type { Texts } from '../texts/en.ts';

export function tenancyList({ texts }: Visit, { tenancies, next }: TenancyPage, person: Person): Html {
  const { tenancies: words } = texts;
  const open = person.isOperator && html`<p><a class="button" href="/open-tenancy">${words.open}</a></p>`;
  const notice = hasRightsNotInForce(person) && html`<p role="status" class="notice">${words.rightsNotInForce}</p>`;
  if (tenancies.length === 0) return html`<div>${notice}<p>${words.empty}</p>${open}</div>`;
  const rows = table<ListedTenancy>(
    words.title,
    [
      { title: words.id, cell: ({ tenant_id }) => tenancyLink(tenant_id, person) },
      { title: words.name, cell: ({ name }) => name },
      { title: words.kind, cell: ({ live }) => (live ? words.live : words.test) },
      { title: words.market, cell: ({ jurisdiction }) => jurisdiction },
      { title: words.timeZone, cell: ({ time_zone }) => time_zone },
      { title: words.openedAt, cell: ({ created_at }) => formatInstant(texts, created_at) },
      { title: words.state, cell: (tenancy) => stateCell(texts, tenancy) },
    ],
    tenancies,
  );
  const more = next && html`<p><a href=${`/tenancies?after=${encodeURIComponent(next)}`}>${texts.next}</a></p>`;
  return html`<div>${notice}${open}${rows}${more}</div>`;
}

/** To keys and bounds for those who administer them, to the Clients for everyone else. */
function tenancyLink(tenantId: string, person: Person): Html {
  const path = mayAdminister(person, tenantId) ? `/tenancies/${tenantId}` : `/tenancies/${tenantId}/clients`;
  return html`<a href=${path}>${tenantId}</a>`;
}

function stateCell(texts: Texts, { closed_at }: ListedTenancy): Content {
  const { tenancies: words } = texts;
  return closed_at === null ? words.isOpen : html`<mark>${words.closed}</mark> ${formatInstant(texts, closed_at)}`;
}

/** What the Tenancy is, at the head of its page. */
export function tenancyHead({ texts }: Visit, tenancy: ListedTenancy): Content {
  const { tenancies: words } = texts;
  const { name, live, jurisdiction, time_zone, created_at, closed_at } = tenancy;
  return [
    closed_at !== null &&
      html`<p class="notice" role="note">${words.closedNotice(formatInstant(texts, closed_at))}</p>`,
    fieldList([
      [words.name, name],
      [words.kind, live ? words.live : words.test],
      [words.market, jurisdiction],
      [words.timeZone, time_zone],
      [words.openedAt, formatInstant(texts, created_at)],
      [words.state, stateCell(texts, tenancy)],
    ]),
  ];
}

export type BoundName = Exclude<keyof Bounds, 'source'>;

/** What was entered and refused. */
export interface RefusedBounds {
  readonly entered: Readonly<Record<BoundName, string>>;
  readonly problems: readonly string[];
}

export interface ShownBounds {
  /** In force, as the API states them. */
  readonly bounds: Bounds;
  readonly mayAdminister: boolean;
  readonly refused?: RefusedBounds | undefined;
}

export const maxBound = 1_000_000;

/** For who may set them, as a form. */
export function boundsSection(
  { texts, browserToken }: Visit,
  tenantId: string,
  { bounds, mayAdminister, refused }: ShownBounds,
): Html {
  const words = texts.tenancies;
  const labels: Readonly<Record<BoundName, string>> = {
    concurrent: words.concurrent,
    patience_ms: words.patience,
    per_second: words.perSecond,
    burst: words.burst,
  };
  const names = Object.keys(labels) as BoundName[];
  const rows = names.map((name) => html`<dt>${labels[name]}</dt><dd>${bounds[name]}</dd>`);
  const number = { type: 'number', min: 1, max: maxBound } as const;
  const inputs = names.map((name) =>
    field({ name, label: labels[name], value: refused?.entered[name] ?? bounds[name], ...number }),
  );
  return html`<section>
    <h2>${words.bounds}</h2>
    <p>${words.boundsSource(bounds.source === 'tenancy')}</p>
    ${errorList(refused?.problems ?? [])}
    ${
      mayAdminister
        ? html`<form method="post" action=${`/tenancies/${tenantId}/bounds`}>
            ${csrfInput(browserToken)}
            <div class="grid">${inputs}</div>
            <button class="secondary">${words.setBounds}</button>
          </form>`
        : html`<dl class="fields">${rows}</dl>`
    }
  </section>`;
}

export interface OpeningForm extends NewTenancy {
  /** Shown at the field of the id. */
  readonly idProblem?: string;
  readonly problems: readonly string[];
}

export function openingForm({ texts, browserToken }: Visit, form: OpeningForm): Html {
  const { tenantId, name, jurisdiction, timeZone, live, idProblem, problems } = form;
  const words = texts.tenancies;
  const markets = [...MARKETS.keys()].map((market) => ({ value: market, text: market }));
  return html`<form class="narrow" method="post" action="/open-tenancy">
    ${csrfInput(browserToken)} ${errorList(problems)}
    ${field({ name: 'id', label: words.id, value: tenantId, problem: idProblem })} ${field({ name: 'name', label: words.name, value: name })}
    ${choice('jurisdiction', words.market, markets, jurisdiction)}
    ${field({ name: 'time_zone', label: words.timeZone, value: timeZone })}
    <label><input type="checkbox" name="live" value="yes" checked=${live} /> ${words.isLive}</label>
    ${presentPasswordField(texts)}
    <button>${words.open}</button>
  </form>`;
}

export function auditListLink({ texts }: Visit, tenantId: string): Html {
  return html`<p><a href=${`/tenancies/${tenantId}/audit-list`}>${texts.auditList.title}</a></p>`;
}
