/** HTML from template literals: every value in them is escaped. */
import { html as htmlOfPreact } from 'htm/preact';
import type { VNode } from 'preact';

export type Html = VNode | readonly VNode[];

/** Anything that may stand between tags; nothing is shown for null, undefined and false. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

export const html: (strings: TemplateStringsArray, ...values: unknown[]) => Html = htmlOfPreact;
