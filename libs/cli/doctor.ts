/** `lending doctor`: checks what a caller needs, one after another, and says what to do about each fault. */
import { styleText } from 'node:util';
import { contract } from '#libs/api/contract-versions.ts';
import { parseSigner } from '#libs/auth/signer.ts';
import { maxClockSkewSeconds } from '#libs/auth/signing-scheme.ts';
import { readConfig, settingFile } from '#libs/runtime/config.ts';
import { callerSettings } from '#libs/runtime/settings.ts';
import { callerFor, NoResponseError, parseRefusal } from './caller.ts';
import type { CallerCommandOptions } from './commands/caller-options.ts';
import { formatDetails, formatError } from './format-error.ts';
import { printDocument } from './output/print-result.ts';

export type DoctorOptions = CallerCommandOptions;

/** `next` is what to do; without it the check is good. */
interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly next?: string;
}

const timeoutMs = 10_000;

export async function runDoctor(options: DoctorOptions): Promise<void> {
  const checks = await runChecks(options);
  printDocument(checks, () => checks.map(formatCheck).join('\n'), options);
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

/** Stops at the first fault that the checks after it would only repeat. */
async function runChecks(options: DoctorOptions): Promise<Check[]> {
  const { url, tenant } = readConfig(process.env, callerSettings);
  const checks: Check[] = [checkUrl(url)];
  if (!checks[0]?.ok || url === undefined) return checks;
  const { checks: connection, isReachable } = await checkService(url.replace(/\/+$/, ''));
  checks.push(...connection);
  const key = checkKey();
  checks.push(key);
  const tenantId = options.tenant ?? tenant;
  if (tenantId === undefined) {
    checks.push(fault('Tenancy', 'none is given', 'Set --tenant, LENDING_TENANT, or the tenant of a profile.'));
  }
  if (!isReachable || !key.ok || tenantId === undefined) return checks;
  checks.push(await checkSignedRead(options, tenantId), await checkContractVersions(options));
  return checks;
}

function good(check: string, found: string): Check {
  return { check, ok: true, found };
}

function fault(check: string, found: string, next: string): Check {
  return { check, ok: false, found, next };
}

function checkUrl(url: string | undefined): Check {
  if (url === undefined) {
    return fault('Address', 'none is given', 'Set LENDING_URL, or the url of a profile with lending profile set.');
  }
  if (URL.canParse(url) && /^https?:\/\//.test(url)) return good('Address', url);
  return fault('Address', url, 'State a scheme and a host, such as https://lending.example.');
}

async function checkService(url: string): Promise<{ readonly checks: Check[]; readonly isReachable: boolean }> {
  const sentAt = Date.now();
  let response: Response;
  try {
    response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
  } catch (cause) {
    const { failure } = new NoResponseError(url, cause);
    const found = [...(failure.code === undefined ? [] : [failure.code]), failure.reason].join(', ');
    return { checks: [fault('Service', found, failure.hint ?? 'Check the address.')], isReachable: false };
  }
  const roundTripMs = Date.now() - sentAt;
  if (response.status !== 200) {
    const next = 'This is not the lending service, or a proxy before it refuses. Check the address and its path.';
    return { checks: [fault('Service', `GET /livez answers ${response.status}`, next)], isReachable: false };
  }
  const clock = checkClock(response.headers.get('Date'), sentAt + roundTripMs / 2);
  return { checks: [good('Service', `answers after ${roundTripMs} ms`), clock], isReachable: true };
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
  const { key } = readConfig(process.env, callerSettings);
  if (key === undefined) {
    return fault('Key', 'none is given', 'Set LENDING_KEY or LENDING_KEY_FILE, or the key of a profile.');
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

async function checkSignedRead(options: DoctorOptions, tenantId: string): Promise<Check> {
  const name = 'Signed read';
  try {
    const caller = callerFor({ ...options, tenant: tenantId });
    const response = await caller.send('GET', '/bounds', { signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    if (response.status === 200) return good(name, `the bounds of ${tenantId} are read with this key`);
    const { envelope } = parseRefusal(response.status, text);
    const found = [`${response.status} ${envelope.code}: ${envelope.error}`, ...formatDetails(envelope)].join(', ');
    return fault(name, found, nextSteps[envelope.code] ?? 'See the reference of refusals at /docs of the service.');
  } catch (cause) {
    return fault(name, formatError(cause), 'Correct this value.');
  }
}

const nextSteps: Readonly<Record<string, string>> = {
  unauthenticated: 'The key is not registered in this cell, or is revoked: an operator sees it with lending key list.',
  not_permitted_tenant: 'The key belongs to another Tenancy: use --tenant or another key.',
  invalid_contract_version: 'Leave --contract-version out, or state one of those that are allowed.',
};

/** A version that cannot exist is refused with the published ones. */
async function checkContractVersions(options: DoctorOptions): Promise<Check> {
  const name = 'Contract';
  const newest = contract.versions.at(-1)?.version ?? '';
  const requested = options.contractVersion ?? newest;
  const caller = callerFor({ ...options, contractVersion: 'none' });
  const response = await caller.send('GET', '/bounds', { signal: AbortSignal.timeout(timeoutMs) });
  const { envelope } = parseRefusal(response.status, await response.text());
  const published = envelope.details?.['bound'];
  if (!Array.isArray(published)) return good(name, `version ${requested} is requested`);
  const found = `version ${requested} is requested, the service has ${published.join(', ')}`;
  if (published.includes(requested)) return good(name, found);
  return fault(name, found, 'State one of these with --contract-version, or install the release of the service here.');
}

function formatCheck({ check, ok, found, next }: Check): string {
  const stream = process.stdout;
  const mark = ok ? styleText('green', 'ok    ', { stream }) : styleText('red', 'FAULT ', { stream });
  return `${mark} ${check.padEnd(12)} ${found}${next === undefined ? '' : `\n${' '.repeat(20)}${next}`}`;
}
