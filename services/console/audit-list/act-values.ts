/** What was before and after an act, and where it was done, in words of the page's language. */
import { type Content, html } from '../html.ts';
import { wordFor } from '../terms.ts';
import type { Texts } from '../texts/en.ts';

/** Members that a person states: they are shown as they are, also where one equals a word. */
const statedMembers: ReadonlySet<string> = new Set(['name', 'label', 'basis', 'jurisdiction', 'dropped']);

/** Acts whose value is the name of a passkey alone. */
const actsOnNames: ReadonlySet<string> = new Set(['passkey_added', 'passkey_removed']);

/** A value is a word, several of them (`password, passkey phone`), or an object as JSON: a line for each member. */
export function actValue({ auditList: words }: Texts, action: string, text: string): Content {
  if (actsOnNames.has(action)) return text;
  const members = membersOf(text);
  if (members === undefined) return phrase(words, text);
  const shown = ([name, value]: readonly [string, unknown]): string =>
    statedMembers.has(name) && typeof value === 'string' ? value : shownValue(words, value);
  return members.map((member) => html`<div>${wordFor(words.members, member[0])}: ${shown(member)}</div>`);
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
