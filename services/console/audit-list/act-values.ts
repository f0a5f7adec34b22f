/** What was before and after an act, and where it was done, in words of the page's language. */
import { type Content, html } from '../html.ts';
import { wordFor } from '../terms.ts';
import type { Texts } from '../texts/en.ts';

/** A value is a word, several of them (`password, passkey phone`), or an object as JSON: a line for each member. */
export function actValue({ auditList: words }: Texts, text: string): Content {
  const members = membersOf(text);
  if (members === undefined) return phrase(words, text);
  return members.map(([name, value]) => html`<div>${wordFor(words.members, name)}: ${shownValue(words, value)}</div>`);
}

/** The name of a passkey follows the word. */
function phrase({ values }: Texts['auditList'], text: string): string {
  const parts = text.split(', ').map((part) => {
    const name = part.startsWith('passkey ') ? part.slice('passkey '.length) : undefined;
    return name === undefined ? wordFor(values, part) : `${values.passkey} ${name}`;
  });
  return parts.join(', ');
}

function shownValue(words: Texts['auditList'], value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? words.values.none : value.join(', ');
  return wordFor(words.values, String(value));
}

function membersOf(text: string): readonly [string, unknown][] | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return Object.entries(JSON.parse(text) as object);
  } catch {
    // The name of a passkey may begin like an object.
    return undefined;
  }
}

/** `console 127.0.0.1`: the channel in words, and the network address. */
export function actOrigin({ auditList: words }: Texts, from: string): string {
  const [channel = '', ...address] = from.split(' ');
  return [wordFor(words.channels, channel), ...address].join(' ');
}
