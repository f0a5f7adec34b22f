/** Reads a secret from standard input. On a terminal it asks for it and does not show what is typed. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { InterruptedError } from './command.ts';

export async function readSecret(name: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: hidden, terminal: true });
  process.stderr.write(`${name} (not shown): `);
  try {
    const answer = await prompt.question('').catch((cause: unknown) => {
      throw new InterruptedError('ended by Ctrl-C; nothing was changed', { cause });
    });
    return answer.trim();
  } finally {
    prompt.close();
    console.error();
  }
}
