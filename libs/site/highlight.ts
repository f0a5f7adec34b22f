/** Code with classes for its tokens. Classes, because the content security policy allows no inline style. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { type Html, html, rendered } from './html.ts';

const languages = { bash, http, java, json, python, typescript };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

const aliases: Readonly<Record<string, string>> = { sh: 'bash', ts: 'typescript', js: 'typescript', py: 'python' };

/** A block of code that can be copied. The keyboard can scroll it. */
export function codeBlock(code: string, language = ''): Html {
  const name = aliases[language] ?? language;
  const text = code.trimEnd();
  const shown =
    name in languages ? rendered('code', hljs.highlight(text, { language: name }).value) : html`<code>${text}</code>`;
  return html`<pre class="code" tabindex="0">${shown}</pre>`;
}
