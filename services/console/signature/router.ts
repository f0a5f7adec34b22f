/** Checks a pasted request. Nothing of it is stored or logged, and a text that holds a secret is not processed. */
import { type Response, Router } from 'express';
import { mayRead } from '#libs/people/roles.ts';
import { uuidTimeMs } from '#libs/runtime/uuid.ts';
import type { LoggedRequest } from '#libs/sdk/src/contract/shapes.ts';
import type { VerifyingKey } from '#libs/submission/administration-reads.ts';
import { apiOf, requireTenancy } from '../access.ts';
import { type ConsoleContext, personOf, visitOf } from '../console-context.ts';
import { formText } from '../form.ts';
import type { Content } from '../html.ts';
import { sendPage } from '../page.ts';
import { diagnose } from './diagnosis.ts';
import { diagnosisSection } from './diagnosis-pages.ts';
import { signatureForm } from './form-page.ts';
import { emptyForm, isProblem, type RequestForm, readRequestForm } from './request-form.ts';
import { holdsSecret } from './secret-text.ts';
import { fingerprintsMeant, readStatedCredentials } from './stated-credentials.ts';

/** The newest keys of the Tenancy: each is tried where the named one does not fit. */
const triedKeys = 200;

export function signatureRouter(context: ConsoleContext): Router {
  const router = Router();
  const path = '/tenancies/:tenant/signature' as const;
  const readable = requireTenancy(context);

  router.get(path, readable, (_request, response) => sendForm(response, { form: emptyForm }));

  router.post(path, readable, async (request, response) => {
    const { texts } = visitOf(response);
    const tenantId = request.params.tenant;
    const form = formOf(request.body);
    if (Object.values(form).some(holdsSecret)) {
      return sendForm(response, { form: emptyForm, problem: texts.signature.secretFound });
    }
    const pasted = readRequestForm(form);
    if (isProblem(pasted)) return sendForm(response, { form, problem: texts.signature[pasted.problem] });
    const { fp } = readStatedCredentials(pasted.authorization);
    const fingerprints = fp === undefined ? [] : fingerprintsMeant(fp);
    const [keys, logged] = await Promise.all([
      findKeys(context, response, { tenantId, fingerprints }),
      pasted.requestId === undefined ? undefined : findLogged(response, pasted.requestId),
    ]);
    const receivedMs = pasted.requestId === undefined ? Date.now() : uuidTimeMs(pasted.requestId);
    const diagnosis = diagnose({ ...pasted, tenantId, keys, receivedMs });
    const result = diagnosisSection(visitOf(response), { diagnosis, request: pasted, tenantId, logged });
    sendForm(response, { form, result });
  });

  return router;
}

/** Of another Tenancy a key is found only where the person may read that Tenancy. */
async function findKeys(
  { administration }: ConsoleContext,
  response: Response,
  { tenantId, fingerprints }: { readonly tenantId: string; readonly fingerprints: readonly string[] },
): Promise<readonly VerifyingKey[]> {
  const person = personOf(response);
  const keys = await administration.keysToTry(tenantId, fingerprints, triedKeys);
  return keys.filter((key) => mayRead(person, key.tenantId));
}

async function findLogged(response: Response, requestId: string): Promise<LoggedRequest | undefined> {
  const { requests } = await apiOf(response).listRequests({ request_id: requestId, limit: 1 });
  return requests[0];
}

function formOf(body: unknown): RequestForm {
  // Browsers send the line ends of text areas as CR LF.
  const text = (name: keyof RequestForm): string => formText(body, name).replaceAll('\r\n', '\n');
  return {
    message: text('message'),
    body: text('body'),
    body_as: text('body_as'),
    method: text('method').trim(),
    target: text('target').trim(),
    signed_text: text('signed_text'),
    request_id: text('request_id').trim(),
  };
}

interface SignaturePage {
  readonly form: RequestForm;
  readonly problem?: string;
  readonly result?: Content;
}

function sendForm(response: Response, { form, problem, result }: SignaturePage): void {
  const visit = visitOf(response);
  sendPage(response, {
    status: problem === undefined ? 200 : 422,
    title: visit.texts.signature.title,
    content: [result, signatureForm(visit, form, problem)],
    styles: ['signature.css'],
    scripts: ['refuse-secrets.js'],
  });
}
