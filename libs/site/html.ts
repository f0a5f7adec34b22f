/** HTML from template literals: every value in them is escaped. */
import { html as htmlOfPreact } from 'htm/preact';
import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

export type Html = VNode | readonly VNode[];

/** Anything that may stand between tags; nothing is shown for null, undefined and false. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

export const html: (strings: TemplateStringsArray, ...values: unknown[]) => Html = htmlOfPreact;

/** An element with markup that is rendered already. */
export function rendered(tag: string, markup: string, attributes: Readonly<Record<string, string>> = {}): Html {
  return h(tag, { ...attributes, dangerouslySetInnerHTML: { __html: markup } });
}

export function toText(content: Html): string {
  return renderToString(content as VNode);
}
