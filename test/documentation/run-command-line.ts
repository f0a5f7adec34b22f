/** Runs samples of the command line in one process: each line of the input is one as JSON. bash splits it into words. */
import { execFileSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { runCommandLine } from '#libs/cli/command-line.ts';

const printWords = `lending() { printf '%s\\0' "$@"; }`;
let printed = '';
let status = 0;
console.log = (text: string) => {
  printed = text;
};
console.error = (text: string) => {
  if (/^\d+$/.test(String(text))) status = Number(text);
};

for await (const line of createInterface({ input: process.stdin })) {
  const code = JSON.parse(line) as string;
  const words = execFileSync('bash', ['-c', `${printWords}\n${code}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
  await runCommandLine(words);
  process.stdout.write(`${JSON.stringify({ status, answer: JSON.parse(printed) })}\n`);
}
