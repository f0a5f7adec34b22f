// Runs samples in TypeScript: each line of the input is the code of one as JSON. What a sample prints is its answer.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

let printed;
console.dir = (value) => {
  printed = value;
};
let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  count += 1;
  const file = join(process.cwd(), `sample-${count}.ts`);
  writeFileSync(file, JSON.parse(line));
  let result;
  try {
    await import(pathToFileURL(file).href);
    result = { answer: printed };
  } catch (error) {
    result = { error: String(error?.stack ?? error) };
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
