/** `lending doctor`: checks what a caller needs, one after another, and says what to do about each fault. */
import { styleText } from 'node:util';
import { contract } from '#libs/api/contract-versions.ts';
import { parseSigner } from '#libs/auth/signer.ts';
import { maxClockSkewSeconds } from '#libs/auth/signing-scheme.ts';
import { ConfigurationError, readConfig, settingFile } from '#libs/runtime/config.ts';
import { callerSettings } from '#libs/runtime/settings.ts';
import { isIdentifier } from '#libs/schema/identifiers.ts';
import { callerFor, NoResponseError, parseRefusal } from './caller.ts';
import { UsageError } from './command.ts';
import type { CallerCommandOptions } from './commands/caller-options.ts';
import { explainFailure } from './connection-failure.ts';
import { formatDetails, formatError, remedyOf } from './format-error.ts';
import { printDocument } from './output/print-result.ts';
import { withProgress } from './output/progress-line.ts';

export type DoctorOptions = CallerCommandOptions;

/** `next` is what to do about a fault. A check that was skipped is not good and has none. */
interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly next?: string;
}

const timeoutMs = 10_000;

export async function runDoctor(options: DoctorOptions): Promise<void> {
  const checks = await withProgress('checks', () => runChecks(options));
  printDocument(checks, () => checks.map(formatCheck).join('\n'), options);
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

/** Every check reports. One that depends on what is missing says so. */
async function runChecks(options: DoctorOptions): Promise<Check[]> {
  const { url, tenant } = readConfig(process.env, { url: callerSettings.url, tenant: callerSettings.tenant });
  const address = checkUrl(url);
  const key = checkKey();
  const tenancy = checkTenancy(options.tenant ?? tenant);
  const [service, clock] = address.ok
    ? await checkService(String(url).replace(/\/+$/, ''))
    : [skipped('Service', [address]), skipped('Clock', [address])];
  const missing = [service, key, tenancy].filter(({ ok }) => !ok);
  const requests =
    missing.length > 0
      ? [skipped('Signed read', missing), skipped('Contract', missing)]
      : [await reporting('Signed read', checkSignedRead, options), await reporting('Contract', checkContract, options)];
  return [address, service, clock, key, tenancy, ...requests];
}

/** A fault that the check did not expect, such as a closed connection, is its result too. */
async function reporting(
  name: string,
  run: (name: string, options: DoctorOptions) => Promise<Check>,
  options: DoctorOptions,
): Promise<Check> {
  try {
    return await run(name, options);
  } catch (cause) {
    if (cause instanceof UsageError) return fault(name, formatError(cause), 'Correct this value.');
    const { reason, hint } = cause instanceof NoResponseError ? cause.failure : explainFailure(cause, timeoutMs);
    return fault(name, reason, hint);
  }
}

function good(check: string, found: string): Check {
  return { check, ok: true, found };
}

function fault(check: string, found: string, next: string): Check {
  return { check, ok: false, found, next };
}

function skipped(check: string, missing: readonly Check[]): Check {
  return { check, ok: false, found: `not checked, because of ${missing.map((each) => each.check).join(' and ')}` };
}

function checkTenancy(tenantId: string | undefined): Check {
  if (tenantId === undefined) {
    return fault(
      'Tenancy',
      'none is given',
      'Set --tenant, LENDING_TENANT, or the tenant of a profile. That of npm start is used with its own key only.',
    );
  }
  if (isIdentifier(tenantId)) return good('Tenancy', tenantId);
  return fault('Tenancy', JSON.stringify(tenantId), 'State its id: 1 to 64 letters, digits, - and _.');
}

function checkUrl(url: string | undefined): Check {
  if (url === undefined) {
    return fault('Address', 'none is given', 'Set LENDING_URL, or the url of a profile with lending profile set.');
  }
  if (URL.canParse(url) && /^https?:\/\//.test(url)) return good('Address', url);
  return fault('Address', url, 'State a scheme and a host, such as https://lending.example.');
}

/** The service and its clock, by one request. */
async function checkService(url: string): Promise<readonly [service: Check, clock: Check]> {
  const faulty = (found: string, next: string): readonly [Check, Check] => {
    const service = fault('Service', found, next);
    return [service, skipped('Clock', [service])];
  };
  const sentAt = Date.now();
  let response: Response;
  try {
    response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
  } catch (cause) {
    const { failure } = new NoResponseError(url, cause, timeoutMs);
    const found = [...(failure.code === undefined ? [] : [failure.code]), failure.reason].join(', ');
    return faulty(found, failure.hint);
  }
  const roundTripMs = Date.now() - sentAt;
  if (response.status !== 200) {
    const next = 'This is not the lending service, or a proxy before it refuses. Check the address and its path.';
    return faulty(`GET /livez answers ${response.status}`, next);
  }
  const clock = checkClock(response.headers.get('Date'), sentAt + roundTripMs / 2);
  return [good('Service', `answers after ${roundTripMs} ms`), clock];
}

/** The Date header has whole seconds, so a difference below two seconds says nothing. */
function checkClock(date: string | null, nowMs: number): Check {
  const serverMs = Date.parse(date ?? '');
  if (Number.isNaN(serverMs)) return good('Clock', 'the service states no Date; not compared');
  const seconds = Math.round((nowMs - serverMs) / 1_000);
  const size = Math.abs(seconds);
  const found = size < 2 ? 'agrees with the service' : `${size} s ${seconds > 0 ? 'ahead of' : 'behind'} the service`;
  if (size <= maxClockSkewSeconds) return good('Clock', found);
  return fault('Clock', found, `Set the clock: a signature is accepted within ${maxClockSkewSeconds} s.`);
}

function checkKey(): Check {
  let key: string | undefined;
  try {
    ({ key } = readConfig(process.env, { key: callerSettings.key }));
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause;
    return fault('Key', cause.problems.join(', '), 'Correct the variable, or the file that it names.');
  }
  if (key === undefined) {
    return fault(
      'Key',
      'none is given',
      'Set LENDING_KEY or LENDING_KEY_FILE, or the key of a profile. That of npm start is used with its own address only.',
    );
  }
  const signer = parseSigner(key);
  if (signer === undefined) {
    const next = 'The secret is lsk_test_ or lsk_live_ and 43 characters, as lending key mint prints it once.';
    return fault('Key', `${key.length} characters that are not the secret of a key`, next);
  }
  const file = settingFile(process.env, callerSettings.key);
  const source = file === undefined ? '' : ` from ${file}`;
  return good('Key', `${key.startsWith('lsk_live_') ? 'live' : 'test'} key ${signer.fp}${source}`);
}

async function checkSignedRead(name: string, options: DoctorOptions): Promise<Check> {
  const caller = callerFor(options);
  const response = await caller.send('GET', '/bounds', { timeoutMs });
  const text = await response.text();
  if (response.status === 200) return good(name, `the bounds of ${caller.tenantId} are read with this key`);
  const { envelope } = parseRefusal(response.status, text);
  const found = [`${response.status} ${envelope.code}: ${envelope.error}`, ...formatDetails(envelope)].join(', ');
  return fault(
    name,
    found,
    nextSteps[envelope.code] ?? remedyOf(envelope.code) ?? 'See the reference of refusals at /docs of the service.',
  );
}

const nextSteps: Readonly<Record<string, string>> = {
  unauthenticated: 'The key is not registered in this cell, or is revoked: an operator sees it with lending key list.',
  not_permitted_tenant: 'The key belongs to another Tenancy (that of npm start to demo): use --tenant or another key.',
  invalid_contract_version: 'Leave --contract-version out, or state one of those that are allowed.',
};

/** A version that cannot exist is refused with the published ones. */
async function checkContract(name: string, options: DoctorOptions): Promise<Check> {
  const newest = contract.versions.at(-1)?.version ?? '';
  const requested = options.contractVersion ?? newest;
  const caller = callerFor({ ...options, contractVersion: 'none' });
  const response = await caller.send('GET', '/bounds', { timeoutMs });
  const { envelope } = parseRefusal(response.status, await response.text());
  const published = envelope.details?.['bound'];
  if (!Array.isArray(published)) return good(name, `version ${requested} is requested`);
  const found = `version ${requested} is requested, the service has ${published.join(', ')}`;
  if (published.includes(requested)) return good(name, found);
  return fault(name, found, 'State one of these with --contract-version, or install the release of the service here.');
}

function formatCheck({ check, ok, found, next }: Check): string {
  const stream = process.stdout;
  const isSkipped = !ok && next === undefined;
  const mark = ok
    ? styleText('green', 'ok     ', { stream })
    : styleText(isSkipped ? 'yellow' : 'red', isSkipped ? 'SKIPPED' : 'FAULT  ', { stream });
  return `${mark} ${check.padEnd(12)} ${found}${next === undefined ? '' : `\n${' '.repeat(21)}${next}`}`;
}
