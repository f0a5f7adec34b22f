/** The README and the guides, walked by a reader: each block is run where and when the text says. */
import { type SampleLanguage, sampleLanguages } from '#libs/site/samples/languages.ts';
import { examples } from '#libs/site/samples/recorded-examples.ts';
import { sampleRequest } from '#libs/site/samples/sample-request.ts';
import { eventually } from '#test/support/tenant.ts';
import { sdkReadmes } from './code-blocks.ts';
import { commandLineGuide } from './command-line-guide.ts';
import type { Reader } from './reader.ts';

const quickStart = 'docs/guide/quick-start.md';
const [typescriptReadme = '', pythonReadme = '', javaReadme = ''] = sdkReadmes;
const readme = 'README.md';

/** The processor publishes the movements of the whole demo Tenancy first. */
const consumeTimeoutMs = 300_000;

/** Sets the variables of the start in this terminal. */
const variables = (reader: Reader) => reader.block(quickStart, 'set -a');

/** The first request of the quick start. */
function firstSample(language: SampleLanguage['id']): string {
  const { render } = sampleLanguages.find(({ id }) => id === language) as SampleLanguage;
  return render(
    sampleRequest('registerClient', examples.registerClient as NonNullable<typeof examples.registerClient>),
  );
}

/** Each returns what the first request printed. */
export const quickStarts: Readonly<Record<string, (reader: Reader) => Promise<string>>> = {
  curl: (reader) => {
    reader.folder('lending', { 'lending.sh': reader.block('docs/guide/signing.md', '# lending.sh') });
    return reader.terminal([variables(reader), reader.block(quickStart, '. ./lending.sh'), firstSample('curl')]);
  },
  TypeScript: async (reader) => {
    const setup = reader.block(quickStart, 'mkdir -p ../first-loan && cd ../first-loan\nnpm');
    const save = `cat > sample.ts <<'SAMPLE'\n${firstSample('typescript')}\nSAMPLE`;
    return reader.terminal([variables(reader), setup, save, 'node sample.ts']);
  },
  Python: async (reader) => {
    const setup = reader.block(quickStart, 'mkdir -p ../first-loan && cd ../first-loan\npython3');
    const save = `cat > sample.py <<'SAMPLE'\n${firstSample('python')}\nSAMPLE`;
    return reader.terminal([variables(reader), setup, save, 'python sample.py']);
  },
  Java: (reader) => {
    const input = `${firstSample('java')}\n/exit\n`;
    return reader.terminal([variables(reader), reader.block(quickStart, 'mvn ')], { input });
  },
  'the command line': (reader) => reader.terminal([reader.block(quickStart, 'lending()'), firstSample('cli')]),
};

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
export async function helpOfGuide(reader: Reader): Promise<readonly (readonly [shown: string, printed: string])[]> {
  return [
    [reader.block(commandLineGuide, 'A CSV names'), await reader.terminal(['lending receipts post --help'])],
    [reader.block(commandLineGuide, 'Exit codes:'), await reader.terminal(['lending exit-codes --help'])],
  ];
}
