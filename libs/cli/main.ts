#!/usr/bin/env node
/** `npm run -s lending -- COMMAND`: what a person does to a cell from the command line. */
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { isIdentifier } from '#libs/contract/form.ts';
import { backing, ConfigurationError, ownerUrl, readConfig } from '#libs/process/config.ts';
import { isOneLogin, oneLoginNotice } from '#libs/store/service-login.ts';
import { openAdministration } from '#libs/submission/open.ts';
import { call } from './call.ts';
import { commands, type Typed, UsageError } from './commands.ts';
import { prepare } from './prepare.ts';
import { verifyEvidenceFile } from './verify-evidence.ts';

const prepareUsage = 'prepare [--replicas 1]';
// What a driver says while it tries again is not for whoever typed a command; what fails is thrown.
const quiet = { warn: () => undefined, error: () => undefined };
const callUsage = 'call METHOD PATH [BODY]';
const verifyUsage = 'verify-evidence FILE|- [--key fp=PUBLICKEY]...';

try {
  const { values, positionals } = parseTyped();
  if (values['help'] === true || positionals.length === 0) console.log(usage());
  else if (positionals[0] === 'prepare') await prepareCell(Number(values['replicas'] ?? '1'));
  else if (positionals[0] === 'call') await callOnce(positionals.slice(1));
  else if (positionals[0] === 'verify-evidence') await verifyOffline(positionals[1], values.key ?? []);
  else await runCommand(positionals, values);
} catch (cause) {
  const isTheirs = cause instanceof UsageError || cause instanceof ConfigurationError;
  console.error(cause instanceof Error ? cause.message : cause);
  if (cause instanceof UsageError) console.error(`\n${usage()}`);
  process.exitCode = isTheirs ? 2 : 1;
}

function parseTyped() {
  const string = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const own = { name: string, jurisdiction: string, 'time-zone': string, scope: string, holder: string, label: string };
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...own,
        live: flag,
        actor: string,
        replicas: string,
        help: flag,
        key: { type: 'string', multiple: true },
      },
    });
  } catch (cause) {
    throw new UsageError((cause as Error).message);
  }
}

async function runCommand(positionals: readonly string[], values: Typed['options']) {
  const command = commands[positionals.slice(0, 2).join(' ')];
  if (command === undefined) throw new UsageError(`${positionals.join(' ')}: no such command`);
  const actor = String(values['actor'] ?? userInfo().username);
  if (!isIdentifier(actor)) throw new UsageError('--actor is 1 to 64 letters, digits, - and _');
  const { administration, close } = await openAdministration(readConfig(process.env, backing), quiet);
  try {
    const answer = await command.run(administration, { positionals: positionals.slice(2), options: values, actor });
    console.log(JSON.stringify(answer, null, 2));
  } finally {
    await close();
  }
}

async function prepareCell(replicas: number): Promise<void> {
  if (!Number.isInteger(replicas) || replicas < 1) throw new UsageError('--replicas is a whole number from 1');
  const { databaseUrl, owner, ...rest } = readConfig(process.env, { ...backing, owner: ownerUrl });
  const cell = { ...rest, databaseUrl: owner ?? databaseUrl, servicesDatabaseUrl: databaseUrl };
  const migrations = await prepare(cell, replicas);
  if (isOneLogin(cell.databaseUrl, databaseUrl)) console.error(`Mind: ${oneLoginNotice}.`);
  console.log(JSON.stringify({ migrations }, null, 2));
}

/** The status on standard error, so that what is on standard output is the answer alone. */
async function callOnce([method, target, body]: readonly string[]): Promise<void> {
  if (method === undefined || target === undefined) throw new UsageError('METHOD and PATH are missing');
  const { LENDING_URL: baseUrl, LENDING_KEY: secret } = process.env;
  if (!baseUrl || !secret) throw new UsageError('LENDING_URL and LENDING_KEY say where to and as whom');
  const answer = await call({ baseUrl, secret, method, target, body, nowMs: Date.now() });
  console.error(answer.status);
  console.log(answer.text);
  if (answer.status >= 400) process.exitCode = 1;
}

/** Nothing is asked of any service: whoever holds the answer needs no key of ours. */
async function verifyOffline(file: string | undefined, keys: readonly string[]): Promise<void> {
  console.log(JSON.stringify(await verifyEvidenceFile(file, keys), null, 2));
}

function usage(): string {
  const rows = [
    ...Object.values(commands).map(({ usage: how, what }) => [how, what]),
    [callUsage, 'sends one signed request to LENDING_URL with the secret LENDING_KEY'],
    [
      verifyUsage,
      'checks the answer of an evidence route by itself: signatures, digests, keys, order; --key names trusted ones',
    ],
    [
      prepareUsage,
      'migrates the database as DATABASE_OWNER_URL, lets in the login of DATABASE_URL, makes topics, registers schemas',
    ],
  ];
  return `${rows.map(([how, what]) => `lending ${how}\n    ${what}`).join('\n')}

Every command takes --actor NAME, the person who is recorded as having done it; it is whoever is logged in otherwise.
KAFKA_BROKERS, SCHEMA_REGISTRY_URL, DATABASE_URL and REDIS_URL say where the cell is.`;
}
