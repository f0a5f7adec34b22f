/** The README and the guides, walked by a reader: each block is run where and when the text says. */
import type { Example } from '#libs/api/openapi/document.ts';
import type { SampleLanguage } from '#libs/site/samples/languages.ts';
import { examples } from '#libs/site/samples/recorded-examples.ts';
import { sampleRequest } from '#libs/site/samples/sample-request.ts';
import { eventually } from '#test/support/tenant.ts';
import { blockOf, sdkReadmes } from './code-blocks.ts';
import { commandLineGuide } from './command-line-guide.ts';
import { recordBlocks } from './executed-code.ts';
import type { Reader } from './reader.ts';
import { payoffBlock, quickStart } from './sample-runners.ts';

const quickStartGuide = 'docs/guide/quick-start.md';
const [typescriptReadme = '', pythonReadme = '', javaReadme = ''] = sdkReadmes;
const readme = 'README.md';

/** The processor publishes the movements of the whole demo Tenancy first. */
const consumeTimeoutMs = 300_000;

/** Sets the variables of the start in this terminal. */
const variables = (reader: Reader) => reader.block(quickStartGuide, 'set -a');

/** Runs a sample as the reader of the quick start does in this language, and returns what it printed. */
type SampleTerminal = (code: string) => Promise<string>;

/** Each does what the guide says before the first sample. */
const openTerminal: Readonly<Record<string, (reader: Reader) => Promise<SampleTerminal>>> = {
  curl: async (reader) => {
    reader.folder('lending', { 'lending.sh': reader.block('docs/guide/signing.md', '# lending.sh') });
    const setup = [variables(reader), reader.block(quickStartGuide, '. ./lending.sh')];
    return (code) => reader.terminal([...setup, code]);
  },
  typescript: async (reader) => {
    const set = variables(reader);
    await reader.terminal([set, reader.block(quickStartGuide, 'mkdir -p ../first-loan && cd ../first-loan\nnpm')]);
    return (code) =>
      reader.terminal([set, `cd ../first-loan; cat > sample.ts <<'SAMPLE'\n${code}\nSAMPLE`, 'node sample.ts']);
  },
  python: async (reader) => {
    const set = variables(reader);
    await reader.terminal([set, reader.block(quickStartGuide, 'mkdir -p ../first-loan && cd ../first-loan\npython3')]);
    const save = (code: string) => `cat > sample.py <<'SAMPLE'\n${code}\nSAMPLE`;
    return (code) => reader.terminal([set, 'cd ../first-loan; . .venv/bin/activate', save(code), 'python sample.py']);
  },
  java: async (reader) => {
    const set = variables(reader);
    const [build = '', shell = ''] = reader.block(quickStartGuide, 'mvn ').split('\n');
    await reader.terminal([build]);
    return (code) => reader.terminal([set, shell], { input: `${code}\n/exit\n` });
  },
  cli: async (reader) => {
    const setup = reader.block(quickStartGuide, 'lending()');
    return (code) => reader.terminal([setup, code]);
  },
};

/** The quick start from its first request to the payoff, in the demo Tenancy that a start fills. Returns the last answer. */
export async function walkQuickStart(reader: Reader, { id, render }: SampleLanguage): Promise<string> {
  const run = await openTerminal[id]?.(reader);
  if (run === undefined) throw new Error(`the quick start has no terminal for ${id}`);
  // Each language with names of its own: under the same ones the second would get the records of the first.
  const named = (code: string): string => code.replaceAll(/\b(ada|loan-1|spei-1)\b/g, `$1-${id}`);
  let configuration = 'ins-000001';
  let answer = '';
  for (const operation of quickStart) {
    const request = sampleRequest(operation, examples[operation] as Example);
    answer = await run(named(render(request)).replace('ins-000001', configuration));
    if (operation === 'createConfiguration') configuration = /ins-\d{6}/.exec(answer)?.[0] ?? configuration;
  }
  const block = payoffBlock(id);
  const paidOff = await run(named(withAnswer(block.code, answer)));
  recordBlocks('run', block);
  return paidOff;
}

/** The guide has the reader of curl and of the command line put the Loan and the amount of the answer into the first lines. */
function withAnswer(code: string, answer: string): string {
  if (!code.startsWith('loan_id=')) return code;
  const [loan] = (JSON.parse(answer) as PaymentOptions).loans;
  return code
    .replace(/^loan_id=.*$/m, `loan_id=${loan?.loan_id}`)
    .replace(/^minor_units=.*$/m, `minor_units=${loan?.payoff.owed.total.minor_units}`);
}

interface PaymentOptions {
  readonly loans: readonly {
    readonly loan_id: string;
    readonly payoff: { readonly owed: { readonly total: { readonly minor_units: number } } };
  }[];
}

/** The README, with the SDK for TypeScript in a folder beside the repository. */
export async function walkReadme(reader: Reader): Promise<void> {
  for (const beginning of ['call PUT', 'call POST', "call GET '/v1/tenants/demo/clients/rosa/statement"])
    await reader.terminal([reader.block(readme, `npm run -s lending -- ${beginning}`)]);
  reader.folder('lending', { 'receipts.csv': reader.block(readme, 'reference,client_id') });
  for (const line of reader.block(readme, 'npm run -s lending -- receipts').trimEnd().split('\n'))
    await reader.terminal([line], / -- (?:tail|events follow) /.test(line) ? { until: /\n/ } : {});
  const market = JSON.parse(await reader.terminal([reader.block(readme, 'ZZ_KEY=')]));
  if (market.jurisdiction !== 'ZZ')
    throw new Error(`the README reads ${JSON.stringify(market)}; expected the market ZZ`);
  for (const file of [readme, typescriptReadme]) {
    const cwd = reader.folder('app', { 'app.mjs': reader.block(file, 'import { Lending }') });
    const printed = await reader.terminal([reader.block(file, 'npm --prefix')], { cwd });
    if (!printed.includes("client_id: 'rosa'")) throw new Error(`app.mjs of ${file} printed ${printed}`);
  }
}

/** The README of the SDK for Python, and the consumer of movements in the guide to events. */
export async function walkPython(reader: Reader): Promise<void> {
  const guide = 'docs/guide/events.md';
  const cwd = reader.folder('first-loan', {
    'app.py': reader.block(pythonReadme, '# app.py'),
    'ledger.py': reader.block(guide, '"""ledger.py'),
  });
  await reader.terminal([reader.block(pythonReadme, 'python3 -m venv')], { cwd });
  const inEnvironment = '. .venv/bin/activate; set -a; . ../lending/.data/dev.env; set +a';
  await reader.terminal([inEnvironment, reader.block(guide, 'pip install')], { cwd });

  const { loans } = await reader.lending.listLoans({ client_id: 'rosa' });
  const id = String(loans.at(-1)?.id);
  // The day of the last Receipt of the README: on a later one the penalty since then is in no movement.
  const on = '2026-03-18';
  const statement = await reader.lending.readLoanStatement({ loan_id: id, from: '2026-01-01', to: on });
  const ask = reader
    .block(guide, 'python -c')
    .replace('01a21175-4a79-70f7-a307-0e2f23c1167a', id)
    .replace('2026-03-20', on);
  const end = new AbortController();
  const consumer = reader.terminal([inEnvironment, 'python ledger.py'], { cwd, endedBy: end.signal });
  let owed = '';
  const isWhole = eventually(async () => {
    owed = await reader.terminal([inEnvironment, ask], { cwd });
    return Number(owed) === statement.closing.minor_units;
  }, consumeTimeoutMs).catch((cause) => {
    throw new Error(`ledger.py says ${owed}; the statement says ${statement.closing.minor_units}`, { cause });
  });
  await Promise.race([isWhole, consumer]);
  end.abort();
  await consumer;
}

export async function walkJava(reader: Reader): Promise<void> {
  const cwd = reader.folder('app-java', { 'App.java': reader.block(javaReadme, '// App.java') });
  await reader.terminal([reader.block(javaReadme, 'mvn ')], { cwd });
}

/** The single lines of the other guides. */
export async function walkOtherGuides(reader: Reader): Promise<void> {
  const { version } = await reader.lending.readBookVersion({ client_id: 'ada' });
  const request = reader.block('docs/guide/two-clocks.md', 'GET /v1').trim();
  await reader.terminal([
    `lending call ${request.replace('2026-03-01T00:00:00Z', String(version)).replace(' ', " '")}'`,
  ]);
  await reader.terminal([reader.block('docs/guide/receipts.md', 'lending receipts post')]);
  await reader.terminal([reader.block('docs/guide/console.md', 'lending console invite')]);
}

/** What the help prints is shown in the guide as it is. */
export async function compareHelp(reader: Reader): Promise<void> {
  for (const [beginning, command] of [
    ['  reference, client_id', 'lending receipts post --help'],
    ['Exit codes:', 'lending exit-codes --help'],
  ] as const) {
    const block = blockOf(commandLineGuide, beginning);
    const printed = await reader.terminal([command]);
    if (!withoutIndent(printed).includes(withoutIndent(block.code)))
      throw new Error(`${commandLineGuide} shows\n${block.code}\nbut ${command} prints\n${printed}`);
    recordBlocks('compared', block);
  }
}

function withoutIndent(text: string): string {
  return text.replaceAll(/^ +/gm, '');
}
