/** Every command of the guide to the command line, run as it is printed, with what its reader has by then. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { developmentPartitions } from '#deploy/dev/dev-files.ts';
import { toBase64url } from '#libs/auth/signing-scheme.ts';
import { openOwnerDatabase } from '#libs/database/pool.ts';
import { bookKey, partitionOf } from '#libs/kafka/book-key-partition.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { examples } from '#libs/site/samples/recorded-examples.ts';
import { sampleRequest } from '#libs/site/samples/sample-request.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import { emptyDatabase } from '#test/support/empty-database.ts';
import { eventually } from '#test/support/tenant.ts';
import { codeBlock, codeBlocksOf } from './code-blocks.ts';
import { recordBlocks } from './executed-code.ts';
import type { Reader } from './reader.ts';
import { runCommand } from './shell.ts';

export const commandLineGuide = 'docs/guide/command-line.md';

/** What a line needs beside the line itself. */
interface Step {
  /** What stands in the guide, and what it is here. */
  readonly replaced?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly until?: RegExp;
  readonly code?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly after?: (printed: string) => void;
}

type Steps = Readonly<Record<string, (here: Session) => Step | Promise<Step>>>;

/** The reader at the block of a command. */
interface Session {
  readonly reader: Reader;
  readonly cwd: string;
  /** The addresses of the cell; empty while `npm start` runs, which names them. */
  readonly cell: Record<string, string>;
  run(line: string): Promise<string>;
}

const shownKey = '29e0994ff8ff48a7c1c951f32be1b8f3';
const shownLoan = '01a21175-4a79-70f7-a307-0e2f23c1167a';
const money = { minor_units: 100_00, currency: 'MXN' };

/** By the beginning of the line; the other lines need nothing. */
const running: Steps = {
  'lending call POST /v1/tenants/demo/loans': () => ({
    files: { 'loan.json': JSON.stringify(loanOfReadme('loan-1')) },
  }),
  'lending call POST /v1/tenants/demo/product-configurations': () => ({
    files: { 'product.json': JSON.stringify(productOfReference()) },
  }),
  'lending client import clients.csv --basis': () => ({ files: { 'clients.csv': 'client_id\nbea\n' } }),
  'lending client import clients.csv --delimiter': () => ({
    files: { 'clients.csv': 'client_id;basis\nluis;application form\n' },
  }),
  [`lending loan show ${shownLoan}`]: async ({ reader }) => ({ replaced: { [shownLoan]: await loanId(reader) } }),
  'lending receipts post receipts.csv': () => ({
    files: { 'receipts.csv': 'reference,client_id,minor_units,currency,value_date\nspei-1,ada,10000,MXN,2026-02-16\n' },
  }),
  'lending receipts post bank.csv': () => ({
    files: { 'bank.csv': 'reference;client_id;amount;currency;value_date\nspei-2;ada;35.61;MXN;2026-02-17\n' },
  }),
  'lending receipts post -': () => ({
    input: JSON.stringify({ reference: 'spei-3', client_id: 'ada', amount: money, value_date: '2026-02-18' }),
  }),
  'lending events follow': () => ({ until: /\n/ }),
  'lending events follow --json': async ({ reader }) => {
    const { cursor } = await reader.lending.readFeed({ limit: 1 });
    return { replaced: { CURSOR: cursor }, until: /\n/ };
  },
  'lending request show': async ({ reader }) => {
    const { requests } = await reader.lending.listRequests({ limit: 1 });
    return { replaced: { '01a21175-6394-73b5-8d29-de8e56a8cb7e': String(requests[0]?.request_id) } };
  },
  'lending tail': () => ({ until: /\n/ }),
  'lending tail --status 422': async ({ reader }) => {
    const receipt = { reference: 'refused', client_id: 'nobody', amount: money, value_date: '2026-02-16' };
    await reader.lending.reportReceipt(receipt).catch(() => undefined);
    return { until: /\n/ };
  },
  'lending tail --lines 100': ({ reader }) => ({ replaced: { [shownKey]: reader.signer.fp } }),
  'lending doctor --profile': ({ reader, cwd }) => {
    const key = join(cwd, 'acme.key');
    writeFileSync(key, reader.secret, { mode: 0o600 });
    const profiles = reader
      .block(commandLineGuide, '{\n')
      .replace('https://lending.example', reader.start.base_url)
      .replace('"tenant": "acme"', '"tenant": "demo"')
      .replace('/home/maria/acme.key', key);
    return { files: { 'config.json': profiles }, env: { LENDING_CONFIG: join(cwd, 'config.json') } };
  },
  'lending profile': ({ reader }) => ({ env: profilesOf(reader) }),
  'lending profile set acme --url': ({ reader }) => {
    writeFileSync(join(reader.home, 'acme.key'), reader.secret, { mode: 0o600 });
    return { env: profilesOf(reader) };
  },
  'lending profile set acme --key -': ({ reader }) => ({
    input: reader.secret,
    files: { 'acme.key': reader.secret },
    env: profilesOf(reader),
  }),
  'lending profile remove acme --yes': async ({ reader, run }) => {
    await run('lending profile set acme --tenant acme');
    return { env: profilesOf(reader) };
  },
  'lending verify-evidence': ({ reader, cwd, run }) =>
    run(`lending call GET /v1/tenants/demo/receipts/spei-1/evidence > ${join(cwd, 'evidence.json')}`).then(() => ({
      replaced: { [shownKey]: reader.signer.fp, PUBLICKEY: toBase64url(reader.signer.publicKey) },
    })),
  'lending tenancy open acme --again': ({ run }) =>
    run('lending tenancy close acme --basis ended --yes').then(() => ({})),
  'lending tenancy set-bounds acme': ({ run }) => run('lending tenancy open acme --again').then(() => ({})),
  'lending key rotate': newKey,
  'lending key rotate demo 29e0994ff8ff48a7c1c951f32be1b8f3 --overlap': async (here) => ({
    ...(await newKey(here)),
    until: /lsk_test_/,
  }),
  'lending key revoke demo 29e0994ff8ff48a7c1c951f32be1b8f3': newKey,
  'lending console encrypt-secrets': () => ({ env: { TOTP_KEY: 'ab'.repeat(32) } }),
  "lending book release demo c/ada --basis 'defect 412 is corrected' --dry-run": async ({ reader, run }) => {
    await writeUndecodable(reader.start.kafka_brokers);
    await eventually(async () => (await run('lending book parked demo')).includes('c/ada'));
    return {};
  },
  // A submission that cannot be decoded parks the book again, and is dropped by the next line.
  'lending book release': () => ({ code: 1 }),
  "lending book release demo c/ada --basis 'sent again": async ({ run }) => {
    const [book] = JSON.parse(await run('lending book parked demo --json'));
    return { replaced: { '3/1041/0': book.submissions[0].place } };
  },
  'lending audit --state': ({ cwd }) => ({
    replaced: { '/var/lib/lending/audit': join(cwd, 'audit'), '0-23': `0-${developmentPartitions - 1}` },
  }),
  'lending prepare --replicas': () => ({
    replaced: { 'replicas 3': 'replicas 1', 'partitions 48': `partitions ${developmentPartitions}` },
  }),
  // Refused, because a processor has run in this cell: the tests of a cell with several databases place partitions.
  'lending prepare --partitions 48 --place': () => ({
    replaced: { 'partitions 48': `partitions ${developmentPartitions}`, '0-15': '0-1', '16-31': '2-3' },
    code: 1,
  }),
  // Refused, because this cell has one database: the tests of a cell with several add one, move partitions and lose one.
  'lending prepare --add-database': () => ({ code: 2 }),
  'lending partition move 7 --to north': () => ({ replaced: { 'move 7': 'move 1' }, code: 1 }),
  'lending partition move 7 --to home': () => ({ replaced: { 'move 7': 'move 1' }, code: 1 }),
  'lending rebuild --lost --database north --yes': () => ({ code: 2 }),
  'lending completion': ({ reader }) => {
    for (const folder of ['.local/share/bash-completion/completions', '.zsh/completions', '.config/fish/completions'])
      mkdirSync(join(reader.home, folder), { recursive: true });
    return {};
  },
};

/** The lines that need stopped services, in the order of the guide. The first ones find the database lost. */
const stopped: Steps = {
  'lending rebuild --lost --dry-run': async ({ cell }) => {
    const url = String(cell['DATABASE_OWNER_URL']);
    const owner = openOwnerDatabase({ url, name: 'guide', connections: 1 }, servingSchema);
    await emptyDatabase(owner).finally(() => owner.end());
    return {};
  },
  'lending rebuild --lost --yes': () => ({}),
  'lending login rotate --dry-run': () => ({}),
  'lending login rotate': ({ cell }) => ({
    after: (printed) => Object.assign(cell, { DATABASE_URL: JSON.parse(printed).url }),
  }),
  'lending login rotate --owner': ({ cell }) => ({
    after: (printed) => Object.assign(cell, { DATABASE_OWNER_URL: JSON.parse(printed).url }),
  }),
  'lending login retire': () => ({}),
  'lending login retire lending_services --terminate': async ({ cell, run }) => {
    cell['DATABASE_URL'] = JSON.parse(await run('lending login rotate')).url;
    return { replaced: { lending_services: 'lending_services_2' } };
  },
  'lending topic remake': () => ({ replaced: { 'replicas 3': 'replicas 1' } }),
  'lending reconcile': () => ({}),
};

/** Runs the lines for running services, or those for stopped ones. */
export async function runCommandLineGuide(
  reader: Reader,
  services: 'running' | 'stopped',
  cell: Record<string, string> = {},
): Promise<void> {
  const steps = services === 'running' ? running : stopped;
  for (const block of codeBlocksOf(commandLineGuide)) {
    if (block.info !== 'sh') continue;
    const { code } = block;
    const lines = code.trimEnd().split('\n');
    let isRefused = false;
    const chosen = lines.filter((line) => (stepFor(stopped, line) === undefined) === (services === 'running'));
    if (chosen.length === 0) continue;
    const cwd = reader.folder(`commands-${lines[0]?.split(' ').slice(1, 3).join('-')}`);
    const options = { cwd, env: { ...reader.env, ...cell, HOME: reader.home } };
    const run = (line: string) =>
      runCommand(line, {
        ...options,
        env: { ...options.env, ...cell, LENDING_CONFIG: profilesOf(reader).LENDING_CONFIG },
      });
    for (const line of chosen) {
      const step = (await stepFor(steps, line)?.({ reader, cwd, cell, run })) ?? {};
      const { replaced = {}, files = {}, env = {}, after, ...expected } = step;
      for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
      const typed = Object.entries(replaced).reduce((text, [shown, here]) => text.replaceAll(shown, here), line);
      const printed = await runCommand(typed, { ...options, ...expected, env: { ...options.env, ...cell, ...env } });
      after?.(printed);
      isRefused ||= step.code !== undefined;
    }
    // A block with lines for stopped services has been run once these have been, too.
    if (services === 'stopped' || chosen.length === lines.length)
      recordBlocks(isRefused ? 'refused as stated' : 'run', block);
  }
}

/** The one with the longest beginning. */
function stepFor(steps: Steps, line: string): Steps[string] | undefined {
  const [found] = Object.keys(steps)
    .filter((beginning) => `${line} `.startsWith(beginning))
    .sort((a, b) => b.length - a.length);
  return found === undefined ? undefined : steps[found];
}

function profilesOf({ home }: Reader) {
  return { LENDING_CONFIG: join(home, 'profiles.json') };
}

/** The Loan of the README, for a Client of this guide. */
function loanOfReadme(reference: string): object {
  const calls = codeBlock('README.md', 'npm run -s lending -- call POST');
  const [, body = ''] = /\/loans '(.*)'/.exec(calls) ?? [];
  return { ...JSON.parse(body), reference, client_id: 'ada' };
}

/** The product of the example in the reference. */
function productOfReference(): unknown {
  const { createConfiguration } = examples;
  if (createConfiguration === undefined) throw new Error('the reference has no example of createConfiguration');
  return sampleRequest('createConfiguration', createConfiguration).body;
}

async function loanId({ lending }: Reader): Promise<string> {
  const { loans } = await lending.listLoans({ client_id: 'ada' });
  return String(loans[0]?.id);
}

async function newKey({ run }: Session): Promise<Step> {
  const { fp } = JSON.parse(await run('lending key mint demo --scope read --json'));
  return { replaced: { [shownKey]: fp } };
}

async function writeUndecodable(kafkaBrokers: string): Promise<void> {
  const key = bookKey('demo', 'c/ada');
  const writer = await TopicWriter.open(connectKafka(kafkaBrokers, 'guide'));
  const partition = partitionOf(key, developmentPartitions);
  await writer.append({ topic: topics.submissions, partition, key, value: Buffer.from('no record') });
  await writer.close();
}
