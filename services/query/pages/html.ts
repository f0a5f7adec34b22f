/** Renders self-contained HTML pages: no script, nothing loaded from elsewhere. */
import { createHash } from 'node:crypto';
import type { PublicRequest, RouteHandler } from '#libs/http/handler.ts';
import { staticHandler } from './static-content.ts';

/** One column, light or dark as the browser prefers. */
const pageStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem 6rem; }
h1 { margin-top: 1rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2.5rem 0 0.5rem; font-weight: 600; overflow-wrap: anywhere; } h4 { margin: 1.25rem 0 0.25rem; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; } code { background: var(--soft); padding: 0 0.2em; }
pre { background: var(--soft); padding: 0.75rem; overflow: auto; max-height: 30rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; }
td, th { padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td p { margin: 0; } td table { margin: 0.25rem 0 0.25rem 1rem; width: auto; } nav ul { columns: 2; padding-left: 1rem; }
nav li { break-inside: avoid; list-style: none; } .method { display: inline-block; min-width: 4rem; } small { opacity: 0.7; }
`.trim();

export interface HtmlPage {
  readonly title: string;
  readonly body: string;
}

/** The content security policy allows nothing but the page's own style. */
export function htmlHandler({ title, body }: HtmlPage): RouteHandler<PublicRequest> {
  const hash = createHash('sha256').update(pageStyle).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const text = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${pageStyle}</style>`,
    '</head>',
    '<body>',
    body,
    '</body>',
    '</html>',
    '',
  ].join('\n');
  return staticHandler(text, {
    type: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' },
  });
}

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] as string);
}
