/** Credit policies: their list, and one version beside another. */
import type {
  Policy,
  PolicyAdoption,
  PolicyPage,
  PolicyVersion,
  PolicyVersionWhole,
} from '#libs/sdk/src/contract/shapes.ts';
import type { Visit } from '../console-context.ts';
import { formatTimestamp } from '../dates.ts';
import { type Content, type Html, html } from '../html.ts';
import { type Part, sideBySide } from '../side-by-side.ts';
import { table } from '../table.ts';
import { contentSections } from './policy-content.ts';
import { versionForm } from './version-form.ts';

type ListedPolicy = PolicyPage['policies'][number];

export function policyList({ texts, path }: Visit, { policies, cursor }: PolicyPage): Html {
  const words = texts.products;
  if (policies.length === 0) return html`<p>${words.noPolicies}</p>`;
  return html`<div>
    ${table<ListedPolicy>(
      words.policies,
      [
        {
          title: words.policy,
          cell: ({ policy }) => html`<a href=${`${path}/${encodeURIComponent(policy)}`}>${policy}</a>`,
        },
        { title: words.latestVersion, cell: ({ latest_version }) => latest_version, isNumber: true },
        {
          title: words.latestPublished,
          cell: ({ latest_published }) => latest_published ?? words.none,
          isNumber: true,
        },
      ],
      policies,
    )}
    ${cursor && html`<p><a href=${`${path}?${new URLSearchParams({ cursor })}`}>${texts.next}</a></p>`}
  </div>`;
}

export interface PolicyVersionPage {
  /** With a page of its versions. */
  readonly policy: Policy;
  readonly version: PolicyVersionWhole;
  readonly other: PolicyVersionWhole | undefined;
}

export function policyPage(visit: Visit, { policy, version, other }: PolicyVersionPage): Html {
  const words = visit.texts.products;
  const { latest_version: latestVersion } = policy;
  const titles = {
    leftTitle: words.versionNumber(version.version),
    rightTitle: other && words.versionNumber(other.version),
  };
  return html`<div>
    ${versionForm(visit, { latestVersion, version: version.version, other: other?.version })}
    <h2>${words.aboutVersion}</h2>
    ${sideBySide(visit, { caption: words.aboutVersion, rowTitle: words.part, ...titles, rows: accountRows(visit, version, other) })}
    ${contentSections(visit, version.content, other?.content).map(
      ({ title, rows }) =>
        html`<section>
          <h2>${title}</h2>
          ${sideBySide(visit, { caption: title, rowTitle: words.part, ...titles, rows })}
        </section>`,
    )}
    ${adoptionSection(visit, policy.adoptions)} ${versionSection(visit, policy)}
  </div>`;
}

function accountRows({ texts }: Visit, version: PolicyVersion, other: PolicyVersion | undefined) {
  const words = texts.products;
  const published = ({ published_by, published_at }: PolicyVersion): string =>
    published_by === undefined || published_at === undefined
      ? words.notPublished
      : words.byAt(published_by, formatTimestamp(texts, published_at));
  const confirmed = ({ self_confirmed }: PolicyVersion): string =>
    self_confirmed === undefined ? words.noValue : self_confirmed ? words.selfConfirmed : words.confirmedByOther;
  const row = (title: string, textOf: (each: PolicyVersion) => string) => {
    const parts = (each: PolicyVersion): readonly Part[] => [{ text: textOf(each) }];
    return { title, left: parts(version), right: other && parts(other) };
  };
  return [
    row(words.drafted, (each) => words.byAt(each.drafted_by, formatTimestamp(texts, each.created_at))),
    row(words.published, published),
    row(words.confirmation, confirmed),
    row(words.digest, ({ digest }) => digest),
  ];
}

function adoptionSection({ texts, tenantId }: Visit, adoptions: readonly PolicyAdoption[]): Content {
  const words = texts.products;
  const product = ({ configuration_id: id }: PolicyAdoption): Html =>
    html`<a href=${`/tenancies/${tenantId}/products/${encodeURIComponent(id)}`}>${id}</a>`;
  return html`<section>
    <h2>${words.adoptions}</h2>
    ${
      adoptions.length === 0
        ? html`<p>${words.noAdoptions}</p>`
        : table<PolicyAdoption>(
            words.adoptions,
            [
              { title: words.product, cell: product },
              { title: words.version, cell: ({ version }) => version, isNumber: true },
              { title: words.bar, cell: ({ enforce_bar }) => (enforce_bar ? words.barEnforced : words.barNotEnforced) },
              { title: words.adoptedAt, cell: ({ adopted_at }) => formatTimestamp(texts, adopted_at) },
            ],
            adoptions,
          )
    }
  </section>`;
}

function versionSection({ texts, path }: Visit, { versions, cursor }: Policy): Html {
  const words = texts.products;
  const link = ({ version }: PolicyVersion): Html =>
    html`<a href=${`${path}?version=${version}`}>${words.versionNumber(version)}</a>`;
  return html`<section>
    <h2>${words.versions}</h2>
    ${table<PolicyVersion>(
      words.versions,
      [
        { title: words.version, cell: link },
        { title: words.drafted, cell: (each) => words.byAt(each.drafted_by, formatTimestamp(texts, each.created_at)) },
        { title: words.published, cell: ({ published_by }) => published_by ?? words.notPublished },
        { title: words.digest, cell: ({ digest }) => html`<code>${digest.slice(0, 16)}…</code>` },
      ],
      versions,
    )}
    ${cursor && html`<p><a href=${`${path}?${new URLSearchParams({ cursor })}`}>${texts.next}</a></p>`}
  </section>`;
}
