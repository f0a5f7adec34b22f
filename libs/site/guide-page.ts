/** A guide of docs/guide as a page: Markdown with samples, pictures and links to the codes it names. */
import { readFileSync } from 'node:fs';
import { Marked, type Token, type Tokens } from 'marked';
import type { RouteName } from '#libs/api/routes.ts';
import { isRefusalCode } from '#libs/schema/refusals.ts';
import { codeBlock } from './highlight.ts';
import { rendered, toText } from './html.ts';
import { guideUrl, type Sdk, sdks, sdkUrl } from './navigation.ts';
import type { Heading, Page, SearchRecord } from './page.ts';
import { operationUrl } from './reference/resources.ts';
import { sampleLanguages } from './samples/languages.ts';
import { type Sample, samplesOf } from './samples/operation-samples.ts';
import { sampleTabs } from './samples/sample-tabs.ts';

const folder = new URL('../../docs/guide/', import.meta.url);

/** Inline code of so many characters fits into a line on a phone, and is not broken at a hyphen such as that of `--dry-run`. */
const maxUnbroken = 30;

export function guidePage(file: string): Page {
  return pageOfMarkdown(guideUrl(file), readFileSync(new URL(`${file}.md`, folder), 'utf8'));
}

/** The README of an SDK. */
export function sdkPage(sdk: Sdk): Page {
  return pageOfMarkdown(sdkUrl(sdk), readFileSync(new URL(`../${sdk.folder}/README.md`, import.meta.url), 'utf8'));
}

/** The first line is the title, the paragraph after it the description. */
export function pageOfMarkdown(url: string, text: string): Page {
  const headings: Heading[] = [];
  const marked = markedFor(headings);
  const tokens = marked.lexer(text);
  const [title, lead] = tokens.filter(({ type }) => type !== 'space');
  if (title?.type !== 'heading' || title['depth'] !== 1 || lead?.type !== 'paragraph') {
    throw new Error(`the guide for ${url} begins without a title and a paragraph; add them`);
  }
  const content = marked.parser(tokens.filter((token) => token !== title));
  return {
    url,
    title: title['text'],
    description: plainText(lead).replaceAll('\n', ' '),
    headings,
    records: recordsOf(url, title['text'], tokens),
    content: rendered('div', content, { class: 'guide' }),
  };
}

function markedFor(headings: Heading[]): Marked {
  let sampleCount = 0;
  const tabs = (samples: readonly Sample[], name: string): string => {
    sampleCount += 1;
    const shown = sampleTabs(samples, `${name}-${sampleCount}`);
    if (shown === undefined) throw new Error(`a guide shows a sample of ${name}, which has no recorded example`);
    return toText(shown);
  };
  return new Marked({
    extensions: [
      {
        name: 'samples',
        level: 'block',
        tokenizer: (source) => {
          const [raw] = adjacentSamples.exec(source) ?? [];
          return raw === undefined ? undefined : { type: 'samples', raw };
        },
        renderer: ({ raw }) => tabs(writtenSamples(raw), 'written'),
      },
    ],
    renderer: {
      heading(token) {
        const { depth } = token;
        const id = headingId(token.text);
        const text = plainText(token);
        if (depth === 2 || depth === 3) headings.push({ id, text, level: depth });
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(token.tokens)}</a></h${depth}>\n`;
      },
      code({ text, lang = '' }) {
        if (lang !== 'sample') return toText(codeBlock(text, lang));
        // Such as `registerClient client_id=carla`: with this value in the path.
        const [operation = '', ...params] = text.trim().split(' ');
        const values = Object.fromEntries(params.map((param) => param.split('=')));
        return tabs(samplesOf(operation as RouteName, values), operation);
      },
      codespan({ text }) {
        const code = `<code${text.length <= maxUnbroken ? ' class="unbroken"' : ''}>${escapeText(text)}</code>`;
        if (isRefusalCode(text)) return `<a href="/docs/reference/errors#${text}">${code}</a>`;
        return code;
      },
      link(token) {
        const text = this.parser.parseInline(token.tokens);
        const url = siteUrl(token.href);
        // Other documents of the repository are not part of the site.
        if (url.startsWith('../')) return `${text} (<code>docs/${escapeText(token.href.slice('../'.length))}</code>)`;
        return `<a href="${escapeText(url)}">${text}</a>`;
      },
      image({ href, text }) {
        if (href.endsWith('.jpeg')) return screenshot(href.slice(href.lastIndexOf('/') + 1), text);
        // Inline, so that the picture has the colours of the theme.
        const svg = readFileSync(new URL(href, folder), 'utf8').replace(/<\?xml.*?\?>\s*/, '');
        return `<figure class="picture"><div class="picture-scroll" tabindex="0">${svg}</div><figcaption>${escapeText(text)}</figcaption></figure>`;
      },
      listitem(item) {
        const content = this.parser.parse(item.tokens);
        if (!item.task) return `<li>${content}</li>\n`;
        return `<li class="task"><label><input type="checkbox"><span>${content}</span></label></li>\n`;
      },
      checkbox: () => '',
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => tableCell(this.parser.parseInline(cell.tokens), tag)).join('')}</tr>`;
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table-scroll" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
}

/** Blocks of code that state a language of samples after their own, such as `sh curl`. */
const adjacentSamples = /^(?:```\w+ \w+\n[\s\S]*?\n```(?:\n+|$))+/;

function writtenSamples(blocks: string): readonly Sample[] {
  return [...blocks.matchAll(/^```\w+ (\w+)\n([\s\S]*?)\n```$/gm)].map(([, id, code = '']) => {
    const language = sampleLanguages.find((each) => each.id === id);
    if (language === undefined) throw new Error(`a guide has a sample in ${id}, which is no language of samples`);
    return { language, code };
  });
}

/** A header cell without text would be announced as an empty header. */
function tableCell(content: string, tag: string): string {
  return content === '' ? '<td></td>' : `<${tag}>${content}</${tag}>`;
}

/** Links between files become links between pages; `op:` links to an operation of the reference. */
function siteUrl(href: string): string {
  if (href.startsWith('op:')) return operationUrl(href.slice('op:'.length) as RouteName);
  const [, file, anchor = ''] = /^(?:\.\.\/\.\.\/docs\/guide\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (file !== undefined) return `${guideUrl(file)}${anchor}`;
  const [, folder, section = ''] = /^\.\.\/\.\.\/libs\/([\w-]+)\/README\.md(#.*)?$/.exec(href) ?? [];
  const sdk = sdks.find((each) => each.folder === folder);
  return sdk === undefined ? href : `${sdkUrl(sdk)}${section}`;
}

/** As GitHub makes it, so that links work there too. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function plainText(token: Token): string {
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(plainText).join('');
  if (token.type === 'list') return (token as Tokens.List).items.map(plainText).join(' ');
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((cells) => cells.map(({ text }) => text)).join(' ');
  }
  return 'text' in token ? (token.text as string) : '';
}

/** One record per section. */
function recordsOf(url: string, page: string, tokens: readonly Token[]): readonly SearchRecord[] {
  const records: { url: string; title: string; page: string; text: string }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const isTitle = token['depth'] === 1;
      const title = plainText(token);
      records.push({
        url: isTitle ? url : `${url}#${headingId(token['text'])}`,
        title,
        page: isTitle ? 'Guide' : page,
        text: '',
      });
    } else if (token.type !== 'space' && !isSample(token)) {
      const record = records.at(-1);
      if (record !== undefined) record.text += ` ${plainText(token)}`;
    }
  }
  return records;
}

/** Samples of the reference are found there. */
function isSample(token: Token): boolean {
  return token.type === 'samples' || (token.type === 'code' && token['lang'] === 'sample');
}

export const pictures = new URL('pictures/', folder);

export function pictureUrl(name: string): string {
  return `/docs/pictures/${name}`;
}

function screenshot(name: string, text: string): string {
  const description = escapeText(text);
  return `<figure class="picture screenshot"><img src="${pictureUrl(name)}" alt="${description}" width="1200" height="750" loading="lazy"><figcaption>${description}</figcaption></figure>`;
}
