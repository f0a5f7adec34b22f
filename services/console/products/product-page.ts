/** A version of a product, beside another one. */
import { FIELD_NAMES } from '#libs/product/frame-table.ts';
import type { PolicyAdoption, ProductConfiguration } from '#libs/sdk/src/contract/shapes.ts';
import type { Visit } from '../console-context.ts';
import { formatTimestamp } from '../dates.ts';
import { type Content, type Html, html } from '../html.ts';
import type { LookupKeyRow } from '../read-parts.ts';
import { type ComparedRow, differs, type Part, sideBySide } from '../side-by-side.ts';
import { table } from '../table.ts';
import { choiceText, valueText } from './value-text.ts';
import { versionForm } from './version-form.ts';

export interface ProductPage {
  readonly version: ProductConfiguration;
  readonly other: ProductConfiguration | undefined;
  readonly latestVersion: number;
  /** A page of those that name a version of the product. */
  readonly lookupKeys: readonly LookupKeyRow[];
  /** The last key of the page, where more follow. */
  readonly nextKeys: string | undefined;
  readonly isFirstOfKeys: boolean;
  readonly adoption: PolicyAdoption | undefined;
}

export function productPage(visit: Visit, page: ProductPage): Html {
  const { texts, tenantId } = visit;
  const words = texts.products;
  const { version, other, latestVersion, adoption } = page;
  const rows = comparedFields(visit, version, other);
  const policyHref = adoption && `/tenancies/${tenantId}/policies/${encodeURIComponent(adoption.policy)}`;
  const rehearsal = `${visit.path}/rehearsal?version=${version.version}`;
  return html`<div>
    <dl class="fields">
      <dt>${words.archetype}</dt>
      <dd>${choiceText(texts, version.archetype)}</dd>
      <dt>${words.latestVersion}</dt>
      <dd>${latestVersion}</dd>
      <dt>${words.policy}</dt>
      <dd>
        ${
          adoption
            ? html`<a href=${`${policyHref}?version=${adoption.version}`}
                  >${words.adoptedVersion(adoption.policy, adoption.version)}</a
                >${` · ${adoption.enforce_bar ? words.barEnforced : words.barNotEnforced} · `}
                ${formatTimestamp(texts, adoption.adopted_at)}`
            : words.noPolicy
        }
      </dd>
    </dl>
    <p><a class="button secondary" href=${rehearsal}>${words.rehearse}</a></p>
    ${versionForm(visit, { latestVersion, version: version.version, other: other?.version })}
    ${advisoryList(visit, version)}
    <h2>${words.values}</h2>
    ${other && html`<p>${words.differing(rows.filter(differs).length)}</p>`}
    ${sideBySide(visit, {
      caption: words.values,
      rowTitle: words.field,
      leftTitle: versionTitle(visit, version),
      rightTitle: other && versionTitle(visit, other),
      rows,
    })}
    ${lookupKeySection(visit, page)}
  </div>`;
}

function versionTitle({ texts }: Visit, { version, created_at }: ProductConfiguration): string {
  return `${texts.products.versionNumber(version)}, ${formatTimestamp(texts, created_at)}`;
}

function comparedFields(
  { texts }: Visit,
  version: ProductConfiguration,
  other: ProductConfiguration | undefined,
): readonly ComparedRow[] {
  const words = texts.products;
  const partsOf = ({ effective }: ProductConfiguration, name: (typeof FIELD_NAMES)[number]): readonly Part[] => {
    const { value, source } = effective[name];
    const text = valueText(texts, name, value);
    return source === 'stated' || value === undefined ? [{ text }] : [{ text, note: words.byDefault }];
  };
  return FIELD_NAMES.map((name) => ({
    title: words.fields[name],
    left: partsOf(version, name),
    right: other && partsOf(other, name),
  }));
}

function advisoryList({ texts }: Visit, { advisories }: ProductConfiguration): Content {
  const words = texts.products;
  return (
    advisories.length > 0 &&
    html`<section>
      <h2>${words.advisories}</h2>
      <ul>
        ${advisories.map(
          ({ code, field, says }) =>
            html`<li>${words.advisorySentences[code] ?? html`<span lang="en">${says}</span>`} <code>${code}</code> <code>${field}</code></li>`,
        )}
      </ul>
    </section>`
  );
}

function lookupKeySection(visit: Visit, page: ProductPage): Content {
  const { texts, path } = visit;
  const { lookupKeys } = page;
  const words = texts.products;
  return html`<section>
    <h2>${words.lookupKeys}</h2>
    ${
      lookupKeys.length === 0
        ? html`<p>${words.noLookupKeys}</p>`
        : table<LookupKeyRow>(
            words.lookupKeys,
            [
              { title: words.lookupKey, cell: ({ lookup_key }) => lookup_key },
              {
                title: words.version,
                cell: ({ configuration_version }) =>
                  html`<a href=${`${path}?version=${configuration_version}`}>
                    ${words.versionNumber(configuration_version)}
                  </a>`,
              },
              { title: words.pointedAt, cell: ({ pointed_at }) => formatTimestamp(texts, pointed_at) },
            ],
            lookupKeys,
          )
    }
    ${lookupKeyLinks(visit, page)}
  </section>`;
}

/** They keep the versions that are shown. */
function lookupKeyLinks({ texts, path }: Visit, { version, other, nextKeys, isFirstOfKeys }: ProductPage): Content {
  if (isFirstOfKeys && nextKeys === undefined) return null;
  const versions = new URLSearchParams({ version: String(version.version) });
  if (other !== undefined) versions.set('with', String(other.version));
  const to = (more: Readonly<Record<string, string>>) =>
    `${path}?${new URLSearchParams([...versions, ...Object.entries(more)])}`;
  return html`<nav class="pages" aria-label=${texts.products.lookupKeyPages}>
    ${!isFirstOfKeys && html`<a href=${to({})}>${texts.first}</a>`}
    ${nextKeys !== undefined && html`<a rel="next" href=${to({ keys_after: nextKeys })}>${texts.next}</a>`}
  </nav>`;
}
