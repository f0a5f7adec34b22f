/** The keys of a Tenancy: their list, the form that mints one, and the question before revoking one. */
import type { KeyUsage } from '#libs/database/key-usage.ts';
import { lifetimeDays } from '#libs/database/request-log.ts';
import type { KeyListing, KeyPosition } from '#libs/submission/administration-reads.ts';
import { presentPasswordField } from '../account/pages.ts';
import type { Visit } from '../console-context.ts';
import { formatInstant } from '../dates.ts';
import { choice, csrfInput, field } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { tenancyPath } from '../tenancy-path.ts';

export interface KeysOfTenancy {
  readonly tenantId: string;
  readonly live: boolean;
  /** A page of them, newest first. */
  readonly keys: readonly KeyListing[];
  readonly next: KeyPosition | undefined;
  readonly isFirst: boolean;
  readonly usage: ReadonlyMap<string, KeyUsage>;
  readonly mayAdminister: boolean;
}

export function keySection(visit: Visit, tenancy: KeysOfTenancy): Html {
  const { texts } = visit;
  return html`<section>
    <h2>${texts.keys.title}</h2>
    ${tenancy.keys.length === 0 ? html`<p>${texts.keys.none}</p>` : keyTable(visit, tenancy)} ${keyLinks(visit, tenancy)}
    ${tenancy.keys.length > 0 && html`<p><small>${texts.keys.usageCounted}</small></p>`}
    ${tenancy.mayAdminister && mintForm(visit, tenancy)}
  </section>`;
}

/** The form of bounds has an address of its own, and the page with what is wrong in it has these links too. */
function keyLinks({ texts }: Visit, { tenantId, next, isFirst }: KeysOfTenancy): Content {
  if (isFirst && next === undefined) return null;
  const path = tenancyPath(tenantId, []);
  const older = next && `${path}?${new URLSearchParams({ keys_before: `${next.createdAt}-${next.fp}` })}`;
  return html`<p class="pages">
    ${!isFirst && html`<a href=${path}>${texts.first}</a>`} ${older && html`<a href=${older}>${texts.keys.older}</a>`}
  </p>`;
}

/** As a link states it; undefined for the first page. */
export function keyPositionIn(text: string): KeyPosition | undefined {
  const [, createdAt, fp] = /^(\d{1,16})-([0-9a-f]{32})$/.exec(text) ?? [];
  return createdAt === undefined || fp === undefined ? undefined : { createdAt: Number(createdAt), fp };
}

function keyTable({ texts }: Visit, { tenantId, keys, usage, mayAdminister }: KeysOfTenancy): Html {
  const words = texts.keys;
  const number = new Intl.NumberFormat(texts.locale);
  const state = ({ fp, revokedAt, label }: KeyListing): Content => {
    if (revokedAt !== null) return words.revokedAt(formatInstant(texts, revokedAt));
    if (!mayAdminister) return words.active;
    const href = `/tenancies/${tenantId}/keys/${fp}/revoke`;
    return html`${words.active} · <a href=${href} aria-label=${`${words.revoke}: ${label}`}>${words.revoke}</a>`;
  };
  const lastUsed = ({ fp }: KeyListing): string => {
    const used = usage.get(fp);
    return used === undefined ? words.notUsed(lifetimeDays) : formatInstant(texts, used.lastUsedAt);
  };
  return table<KeyListing>(
    words.title,
    [
      { title: words.label, cell: ({ label }) => label },
      { title: words.scope, cell: ({ scope }) => (scope === 'read' ? words.read : words.write) },
      { title: words.holder, cell: ({ holder }) => (holder === 'agent' ? words.agent : words.service) },
      { title: words.createdAt, cell: ({ createdAt }) => formatInstant(texts, createdAt) },
      { title: words.lastUsed, cell: lastUsed },
      { title: words.lastDay, cell: ({ fp }) => number.format(usage.get(fp)?.lastDay ?? 0), isNumber: true },
      { title: words.state, cell: state },
      { title: words.fp, cell: ({ fp }) => html`<code>${fp}</code>` },
    ],
    keys,
  );
}

/** Shown by its script alone, which makes the pair. */
function mintForm({ texts, browserToken }: Visit, { tenantId, live }: KeysOfTenancy): Html {
  const words = texts.keys;
  const options = (...values: readonly ('read' | 'write' | 'service' | 'agent')[]) =>
    values.map((value) => ({ value, text: words[value] }));
  return html`<article>
    <h3>${words.mint}</h3>
    <p>${words.mintIntro}</p>
    <noscript><p>${words.mintNeedsScript}</p></noscript>
    <p class="error" role="alert" data-mint-problem=${words.noAnswer} hidden></p>
    <form method="post" action=${`/tenancies/${tenantId}/keys`} data-mint=${live ? 'live' : 'test'} hidden>
      ${csrfInput(browserToken)}
      <div class="grid">
        ${field({ name: 'label', label: words.label })}
        ${choice('scope', words.scope, options('read', 'write'))}
        ${choice('holder', words.holder, options('service', 'agent'))} ${presentPasswordField(texts)}
      </div>
      <button>${words.mint}</button>
    </form>
    <div data-minted hidden tabindex="-1">
      <h4>${words.secretTitle}</h4>
      <p>${words.secretHint}</p>
      <p><code data-secret></code></p>
      <p>${words.fp}: <code data-fp></code></p>
      <p><a class="button" href=${`/tenancies/${tenantId}`}>${words.secretStored}</a></p>
    </div>
  </article>`;
}

/** States the use of the key: a key in use is not revoked by mistake. */
export function revokeQuestion(
  { texts, browserToken }: Visit,
  { tenantId, fp, label }: KeyListing,
  used: KeyUsage | undefined,
): Html {
  const { keys: words, locale } = texts;
  const requests = new Intl.NumberFormat(locale).format(used?.lastDay ?? 0);
  return html`<form method="post" action=${`/tenancies/${tenantId}/keys/${fp}/revoke`}>
    ${csrfInput(browserToken)}
    <p>${words.revokeQuestion(label)}</p>
    <p>${used === undefined ? words.unused(lifetimeDays) : words.usedLast(formatInstant(texts, used.lastUsedAt), requests)}</p>
    <p><code>${fp}</code></p>
    <div class="actions">
      <button class="danger">${words.revoke}</button>
      <a class="button secondary" href=${`/tenancies/${tenantId}`}>${words.keep}</a>
    </div>
  </form>`;
}
