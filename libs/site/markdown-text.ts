/** One paragraph or a short text in Markdown, as in the descriptions of the OpenAPI document. */
import { marked } from 'marked';
import { type Html, html, rendered } from './html.ts';

export function inlineMarkdown(text: string, tag = 'span'): Html {
  return rendered(tag, marked.parseInline(text, { async: false }));
}

export function blockMarkdown(text: string): Html {
  return text.trim() === '' ? html`` : rendered('div', marked.parse(text, { async: false }));
}

/** For the search and for descriptions of pages. The texts have no other marks than those of code. */
export function withoutMarks(text: string): string {
  return text.replaceAll('`', '');
}
