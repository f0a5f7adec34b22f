/** Mints and revokes the keys of a Tenancy. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { fingerprint } from '#libs/auth/signing-scheme.ts';
import { publicKeyFault } from '#libs/auth/verify.ts';
import { readKeyUsage } from '#libs/database/key-usage.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { NewKeyRequest } from '#libs/submission/administration.ts';
import type { KeyListing } from '#libs/submission/administration-reads.ts';
import { requireAdmin, requireTenancy } from '../access.ts';
import { presentPasswordProblem } from '../account/present-password.ts';
import { administrationOf, type ConsoleContext, visitOf } from '../console-context.ts';
import { donePath } from '../done-notice.ts';
import { sendErrorPage } from '../error-page.ts';
import { formText } from '../form.ts';
import { sendPage } from '../page.ts';
import { refusalText } from '../refusal-text.ts';
import { revokeQuestion } from './pages.ts';

const maxLabelCharacters = 200;

export function keysRouter(context: ConsoleContext): Router {
  const router = Router();
  const readable = requireTenancy(context);
  const revokePath = '/tenancies/:tenant/keys/:fp/revoke' as const;

  // Answered to the script of the form (assets/mint-key.js), which holds the secret while the page stays.
  router.post('/tenancies/:tenant/keys', readable, requireAdmin, async (request, response) => {
    const { texts } = visitOf(response);
    const key = newKey(request.params.tenant, request.body);
    if ('problem' in key) {
      response.status(422).json({ problem: texts.keys[key.problem] });
      return;
    }
    const problem = await presentPasswordProblem(context, request, response);
    if (problem !== undefined) return void response.status(422).json({ problem });
    const { actor, acts } = administrationOf(context, response);
    const result = await acts.mintKey(actor, key);
    if (isRefusal(result)) response.status(422).json({ problem: refusalText(texts, result) });
    else response.status(201).json({ fp: fingerprint(key.publicKey) });
  });

  const findKey = async (request: Request<{ tenant: string; fp: string }>): Promise<KeyListing | undefined> => {
    const { tenant, fp } = request.params;
    const [key] = await context.administration.findKeys(tenant, [fp]);
    return key?.revokedAt === null ? key : undefined;
  };

  const withKey =
    (
      handle: (key: KeyListing, response: Response) => Promise<void> | void,
    ): RequestHandler<{ tenant: string; fp: string }> =>
    async (request, response) => {
      const key = await findKey(request);
      if (key === undefined) sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
      else await handle(key, response);
    };

  router.get(
    revokePath,
    readable,
    requireAdmin,
    withKey(async (key, response) => {
      const visit = visitOf(response);
      const usage = await readKeyUsage(context.database, key.tenantId, [key.fp]);
      const content = revokeQuestion(visit, key, usage.get(key.fp));
      sendPage(response, { title: visit.texts.keys.revokeTitle, content, styles: ['form-cards.css'] });
    }),
  );

  router.post(
    revokePath,
    readable,
    requireAdmin,
    withKey(async (key, response) => {
      const { actor, acts } = administrationOf(context, response);
      const result = await acts.revokeKey(actor, key.tenantId, key.fp);
      if (isRefusal(result)) sendErrorPage(response, 422, refusalText(visitOf(response).texts, result));
      else response.redirect(303, donePath(visitOf(response), `/tenancies/${key.tenantId}`, 'key'));
    }),
  );

  return router;
}

function newKey(
  tenantId: string,
  body: unknown,
): NewKeyRequest | { readonly problem: 'labelWrong' | 'publicKeyWrong' } {
  const label = formText(body, 'label').trim();
  if (label === '' || label.length > maxLabelCharacters) return { problem: 'labelWrong' };
  const hex = formText(body, 'public_key');
  const publicKey = Buffer.from(/^[0-9a-f]{64}$/.test(hex) ? hex : '', 'hex');
  if (publicKeyFault(publicKey) !== undefined) return { problem: 'publicKeyWrong' };
  const scope = formText(body, 'scope') === 'write' ? 'write' : 'read';
  const holder = formText(body, 'holder') === 'agent' ? 'agent' : 'service';
  return { tenantId, publicKey, scope, holder, label };
}
