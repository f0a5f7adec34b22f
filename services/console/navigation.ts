/** The navigation: areas of the installation, and of the Tenancy that the page is about. */
import { mayAdminister } from '#libs/people/roles.ts';
import type { Visit } from './console-context.ts';
import { csrfInput } from './form.ts';
import { type Content, type Html, html } from './html.ts';
import { tenancyPath } from './tenancy-path.ts';

interface Area {
  readonly href: string;
  readonly text: string;
  /** Beginnings of other addresses whose pages belong to the area. */
  readonly others?: readonly string[];
}

export function installationNavigation(visit: Visit): Html {
  const { texts, person, browserToken } = visit;
  return html`<nav aria-label=${texts.console}>
    <ul>
      <li><strong>${texts.console}</strong></li>
      ${links(visit, installationAreas(visit))}
    </ul>
    ${
      person &&
      html`<ul>
        <li><a href="/account">${person.email}</a></li>
        <li>
          <form class="inline-form" method="post" action="/sign-out">
            ${csrfInput(browserToken)}
            <button class="plain-button">${texts.signOut}</button>
          </form>
        </li>
      </ul>`
    }
  </nav>`;
}

function installationAreas({ texts, person }: Visit): readonly Area[] {
  if (person === undefined) return [];
  const areas = [{ href: '/tenancies', text: texts.tenancies.title }];
  if (!person.isOperator) return areas;
  return [
    ...areas,
    { href: '/people', text: texts.navigation.people },
    { href: '/health', text: texts.navigation.health },
    { href: '/audit-list', text: texts.auditList.title },
  ];
}

/** Present only where the person may read the Tenancy: otherwise the page says that there is none. */
export function tenancyNavigation(visit: Visit): Content {
  const { texts, tenantId, person, isLive } = visit;
  if (tenantId === undefined || person === undefined) return null;
  const { navigation: words } = texts;
  const base = `/tenancies/${tenantId}`;
  const areas: readonly Area[] = [
    { href: `${base}/clients`, text: words.clients, others: [`${base}/receipts`, `${base}/evidence/receipts`] },
    { href: `${base}/loans`, text: words.loans, others: [`${base}/evidence/loans`] },
    { href: `${base}/dues`, text: words.dues },
    { href: `${base}/products`, text: words.products },
    { href: `${base}/policies`, text: words.policies },
    { href: `${base}/requests`, text: words.requests },
    { href: `${base}/signature`, text: words.signature },
    { href: base, text: words.overview },
    ...(mayAdminister(person, tenantId)
      ? [
          { href: `${base}/people`, text: words.people },
          { href: `${base}/audit-list`, text: texts.auditList.title },
        ]
      : []),
  ];
  return html`<nav class="tenancy-areas" aria-label=${tenantId}>
    <div class="tenancy-name">
      <strong>${tenantId}</strong> <small class="tenancy-kind">${isLive ? texts.tenancies.live : texts.tenancies.test}</small>
    </div>
    ${findForm(visit, tenantId)}
    <ul>${links(visit, areas)}</ul>
  </nav>`;
}

/** Leads from every page to the search of Clients, Loans and Receipts. The page of Clients has it with its hint. */
function findForm({ texts, path }: Visit, tenantId: string): Content {
  const action = tenancyPath(tenantId, ['clients']);
  if (path === action) return null;
  return html`<search class="find">
    <form method="get" action=${action}>
      <label>${texts.explorer.clients.find} <input type="search" name="q" required autocomplete="off" /></label>
      <button class="skip">${texts.explorer.clients.find}</button>
    </form>
  </search>`;
}

/** The area with the longest beginning of the path is the current one. */
function links({ path }: Visit, areas: readonly Area[]): readonly Html[] {
  const current = areas
    .flatMap(({ href, others = [] }) => [href, ...others].map((beginning) => ({ href, beginning })))
    .filter(({ beginning }) => path === beginning || path.startsWith(`${beginning}/`))
    .sort((a, b) => b.beginning.length - a.beginning.length)[0];
  return areas.map(({ href, text }) => {
    const isCurrent = href === current?.href;
    return html`<li><a href=${href} aria-current=${isCurrent ? 'page' : undefined}>${text}</a></li>`;
  });
}
