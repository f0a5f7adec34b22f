/** The head of a printed page: the lender's own profile where it recorded one, and what the paper shows. */
import type { CompanyProfile } from '#libs/sdk/src/contract/shapes.ts';
import type { Visit } from '../console-context.ts';
import { type Content, type Html, html } from '../html.ts';

export interface Letter {
  readonly profile: CompanyProfile | undefined;
  /** Lines under the lender's name: whom and which days it is about. */
  readonly about: readonly Content[];
}

export function letterhead({ tenantId }: Visit, { profile, about }: Letter): Html {
  const contact = [profile?.address, profile?.contact].flatMap(linesOf);
  return html`<div class="letterhead">
    <div>
      <strong>${profile?.legal_name ?? tenantId}</strong>
      ${profile?.trade_name && html`<div>${profile.trade_name}</div>`}
      ${profile?.tax_id && html`<div>${profile.tax_id}</div>`}
      ${contact.map((line) => html`<div>${line}</div>`)}
    </div>
    <div class="about">${about.map((line) => html`<div>${line}</div>`)}</div>
  </div>`;
}

/** An address may be one text or members of the lender's own naming. */
function linesOf(value: string | { readonly [name: string]: unknown } | undefined): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return value.split('\n');
  return Object.values(value)
    .filter((each) => typeof each === 'string' || typeof each === 'number')
    .map(String);
}

export function printHint({ texts }: Visit): Html {
  return html`<p class="screen-only"><small>${texts.explorer.printHint}</small></p>`;
}
