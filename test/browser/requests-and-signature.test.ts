/** The request log and the signature check. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateKey } from '#libs/auth/signer.ts';
import { registerClient } from '../support/request-bodies.ts';
import { eventually, Tenant, testEnvironment } from '../support/tenant.ts';
import {
  browserTestTimeoutMs,
  checkPage,
  createInvitation,
  describeInBrowser,
  openVisitor,
  signInByLink,
} from './browser.ts';
import { rawRequest, type SentRequest, sign } from './raw-request.ts';

/** What the service answers. */
async function answerOf({ method, target, authorization, body }: SentRequest): Promise<string> {
  const response = await fetch(`${testEnvironment().services.baseUrl}${target}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === '' ? {} : { body }),
  });
  const answer = (await response.json()) as { readonly code?: string };
  return answer.code === undefined ? 'accepted' : `${response.status} ${answer.code}`;
}

await describeInBrowser('an engineer who debugs an integration', (browser) => {
  let tenant: Tenant;
  let other: Tenant;
  beforeAll(async () => {
    [tenant, other] = await Promise.all([Tenant.open(testEnvironment()), Tenant.open(testEnvironment())]);
  });
  afterAll(() => Promise.all([tenant.close(), other.close()]));

  test(
    'finds a request by every filter and sees what it was about',
    async () => {
      const { context, page } = await openVisitor(browser);
      const role = { tenantId: tenant.id, role: 'support' } as const;
      await signInByLink(page, await createInvitation('log@lender.example', role));
      await registerClient(tenant, 'c-<b>1');
      await registerClient(tenant, 'c-1');
      await tenant.get('/clients/c-1', { headers: { 'request-id': 'caller-1' } });
      const missing = await tenant.post('/receipts', { reference: 'r-1' });
      const id = String(missing.headers['request-id']);
      const path = `/tenancies/${tenant.id}/requests`;
      await eventually(async () => {
        await page.goto(path);
        return (await page.locator('tbody tr').count()) >= 4;
      });
      const rows = page.locator('tbody tr');
      expect(await rows.first().textContent()).toContain('missing_field');
      await checkPage(page, 'requests');

      const found = async (query: string): Promise<number> => {
        await page.goto(`${path}?${query}`);
        return rows.count();
      };
      expect(await found('caller_request_id=caller-1')).toBe(1);
      expect(await found(`status=422&method=POST&code=missing_field&request_id=${id}`)).toBe(1);
      expect(await found('target=clients/c-1&method=GET&route=readClient')).toBe(1);
      expect(await found(`target=clients/c-1&fp=${tenant.signer.fp}`)).toBe(2);
      expect(await found('status=500')).toBe(0);
      expect(await found('day=2020-01-01')).toBe(0);
      expect((await page.goto(`${path}?status=many`))?.status()).toBe(422);
      await page.getByRole('alert').getByText('invalid_query').waitFor();

      await page.goto(path);
      await page.getByLabel('Path or query contains').fill('clients/c-1');
      await page.getByLabel('Method').selectOption('GET');
      await page.getByRole('button', { name: 'Search' }).click();
      await rows.first().getByRole('link').click();
      expect(await page.getByRole('link', { name: 'c-1', exact: true }).getAttribute('href')).toBe(
        `/tenancies/${tenant.id}/clients/c-1`,
      );
      expect(await page.getByText('caller-1').count()).toBe(1);
      await page.goto(`${path}/${id}`);
      expect(await page.getByRole('main').textContent()).toContain('/client_id');
      await checkPage(page, 'request');
      expect((await page.goto(`${path}/${id.replace(/^.{8}/, '00000000')}`))?.status()).toBe(404);
      expect((await page.goto(`${path}/nothing`))?.status()).toBe(404);
      expect((await page.goto(`/tenancies/${other.id}/requests/${id}`))?.status()).toBe(404);
      await context.close();
    },
    browserTestTimeoutMs,
  );

  test(
    'learns why a signature is refused, and the page agrees with the service',
    async () => {
      const { context, page } = await openVisitor(browser);
      await signInByLink(page, await createInvitation('signature@lender.example', 'operator'));
      const path = `/tenancies/${tenant.id}/signature`;
      await page.goto(path);
      const token = await page.locator('main [name=_csrf]').inputValue();
      const resultOf = async (form: Readonly<Record<string, string>>): Promise<string> =>
        (await context.request.post(path, { form: { _csrf: token, ...form } })).text();

      const reader = await tenant.mint('read');
      const revoked = await tenant.mint('write');
      await tenant.administration.revokeKey('test', tenant.id, revoked.fp);
      const now = Math.floor(Date.now() / 1_000);
      const ts = String(now);
      const get = { method: 'GET', target: `/v1/tenants/${tenant.id}/loans?limit=5`, body: '' };
      const put = {
        method: 'PUT',
        target: `/v1/tenants/${tenant.id}/clients/c-9`,
        body: '{"actor":"ana","basis":"x"}',
      };
      const right = sign(tenant.signer, get, ts);
      await eventually(async () => {
        const stillValid = { ...get, authorization: sign(revoked, get, ts) };
        return (await answerOf(stillValid)) === '401 unauthenticated';
      });
      const toBase64 = (header: string): string =>
        header.replace(/sig=(.*)/, (_, sig) => `sig=${Buffer.from(sig, 'base64url').toString('base64')}`);
      const changed = put.body.replace(':', ': ');

      const cases: readonly (readonly [explanation: string, SentRequest])[] = [
        ['The service accepts this signature.', { ...get, authorization: right }],
        ['that of a time zone', { ...get, authorization: sign(tenant.signer, get, String(now - 6 * 3_600)) }],
        ['the clock of your machine', { ...get, authorization: sign(tenant.signer, get, String(now - 1_000)) }],
        ['with other white space', { ...put, body: changed, authorization: sign(tenant.signer, put, ts) }],
        [
          'without its query',
          { ...get, authorization: sign(tenant.signer, { ...get, target: get.target.replace(/\?.*/, '') }, ts) },
        ],
        [`belongs to the Tenancy ${other.id}`, { ...get, authorization: sign(other.signer, get, ts) }],
        ['The key was revoked', { ...get, authorization: sign(revoked, get, ts) }],
        ['base64url', { ...get, authorization: toBase64(right) }],
        ['There are spaces around', { ...get, authorization: right.replaceAll(',', ', ') }],
        ['method in lower case', { ...get, authorization: sign(tenant.signer, { ...get, method: 'get' }, ts) }],
        ['has the scope read', { ...put, authorization: sign(reader, put, ts) }],
      ];
      for (const [explanation, sent] of cases) {
        const answer = await answerOf(sent);
        const verdict =
          answer === 'accepted' ? 'The service accepts this signature.' : `refuses this request: ${answer}`;
        const result = await resultOf({ message: rawRequest(sent) });
        expect({ explanation, verdict, isShown: result.includes(verdict) && result.includes(explanation) }).toEqual({
          explanation,
          verdict,
          isShown: true,
        });
      }

      const logged = await tenant.get('/bounds');
      const requestId = String(logged.headers['request-id']);
      const request = rawRequest({ ...get, authorization: sign(tenant.signer, get, ts) });
      await eventually(async () =>
        (await resultOf({ message: request, request_id: requestId })).includes(`/requests/${requestId}`),
      );

      const wrong = { ...put, authorization: sign(tenant.signer, { ...put, body: changed }, ts) };
      await page.getByLabel('Request line and headers').fill(rawRequest({ ...wrong, body: '' }));
      await page.getByLabel('Body', { exact: false }).first().fill(wrong.body);
      await page.getByText('Optional: method and target').click();
      await page
        .getByLabel('The canonical string you signed')
        .fill([put.method, put.target, ts, createHash('sha256').update(changed).digest('hex'), ''].join('\n'));
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByRole('heading', { name: 'refuses this request' }).waitFor();
      await checkPage(page, 'signature');
      await context.close();
    },
    browserTestTimeoutMs,
  );

  test(
    'is not helped with a secret, which stays in the browser and is not shown again',
    async () => {
      const { context, page } = await openVisitor(browser);
      const role = { tenantId: tenant.id, role: 'finance' } as const;
      await signInByLink(page, await createInvitation('secret@lender.example', role));
      const path = `/tenancies/${tenant.id}/signature`;
      await page.goto(path);
      const { secret } = generateKey('live');
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.postData() ?? ''));
      await page.getByLabel('Request line and headers').fill(`GET /v1/x HTTP/1.1\nAuthorization: ${secret}`);
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByRole('alert').getByText('revoke that key').waitFor();
      expect(await page.getByLabel('Request line and headers').inputValue()).toBe('');
      expect(sent.join('')).toBe('');

      const _csrf = await page.locator('main [name=_csrf]').inputValue();
      for (const name of ['message', 'body', 'target', 'signed_text', 'request_id']) {
        const response = await context.request.post(path, {
          form: { _csrf, message: 'GET /v1/x', [name]: `a ${secret}` },
        });
        const text = await response.text();
        expect([name, response.status(), text.includes('revoke that key')]).toEqual([name, 422, true]);
        expect(text).not.toContain(secret.slice('lsk_live_'.length));
      }

      // A key of a Tenancy that this person has no role in is unknown to the page.
      const get = { method: 'GET', target: `/v1/tenants/${tenant.id}/loans`, body: '' };
      const authorization = sign(other.signer, get, String(Math.floor(Date.now() / 1_000)));
      const message = rawRequest({ ...get, authorization });
      const result = await (await context.request.post(path, { form: { _csrf, message } })).text();
      expect(result).toContain('No key of this Tenancy has this fingerprint.');
      expect(result).not.toContain(other.id);
      await context.close();
    },
    browserTestTimeoutMs,
  );
});
