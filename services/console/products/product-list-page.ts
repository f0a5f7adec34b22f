/** The products of a Tenancy: the latest version of each. */
import type { ConfigurationPage, ProductConfiguration } from '#libs/sdk/src/contract/shapes.ts';
import type { Visit } from '../console-context.ts';
import { formatTimestamp } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { choiceText, valueText } from './value-text.ts';

export function productList(visit: Visit, { configurations, cursor }: ConfigurationPage): Html {
  const { texts, path } = visit;
  const words = texts.products;
  if (configurations.length === 0) return html`<p>${words.noProducts}</p>`;
  const range = ({ effective: of }: ProductConfiguration, name: 'principal' | 'rate'): string =>
    [`${name}_min`, `${name}_max`]
      .map((field) => valueText(texts, field as 'rate_min', of[field as 'rate_min'].value))
      .join(' – ');
  return html`<div>
    <p>${words.intro}</p>
    ${table<ProductConfiguration>(
      words.title,
      [
        { title: words.product, cell: ({ id }) => html`<a href=${`${path}/${encodeURIComponent(id)}`}>${id}</a>` },
        { title: words.archetype, cell: ({ archetype }) => choiceText(texts, archetype) },
        { title: words.latestVersion, cell: ({ version }) => version, isNumber: true },
        { title: words.principal, cell: (product) => range(product, 'principal') },
        { title: words.rate, cell: (product) => range(product, 'rate') },
        { title: words.recordedAt, cell: ({ created_at }) => formatTimestamp(texts, created_at) },
        { title: words.advisories, cell: ({ advisories }) => advisories.length, isNumber: true },
      ],
      configurations,
    )}
    ${cursor && html`<p><a href=${`${path}?${new URLSearchParams({ cursor })}`}>${texts.next}</a></p>`}
  </div>`;
}
