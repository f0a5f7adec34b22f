/** A page for people: whole in itself, no script, nothing fetched from anywhere. */
import { createHash } from 'node:crypto';
import type { RouteResult } from '#libs/http/handler.ts';

export interface Page {
  readonly title: string;
  readonly style: string;
  readonly body: string;
}

/** Rendered once; what a browser may do with it is nothing but show it. */
export function pageOutcome({ title, style, body }: Page): RouteResult {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const text = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    body,
    '</body>',
    '</html>',
    '',
  ].join('\n');
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    text,
    headers: { 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' },
  };
}

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] as string);
}

/** As much of Markdown as the document uses: paragraphs, numbered lists, `code` and **weight**. */
export function prose(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((block) => (/^\d+\. /.test(block) ? numbered(block) : `<p>${inline(block)}</p>`))
    .join('\n');
}

function numbered(block: string): string {
  const items = block.split('\n').map((line) => `<li>${inline(line.replace(/^\d+\. /, ''))}</li>`);
  return `<ol>${items.join('')}</ol>`;
}

export function inline(text: string): string {
  return escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}
