/** The form of the signature check, and the request that is read from it. */
import { readPastedRequest, valuesOf } from './pasted-request.ts';

/** By the names of the inputs. Lines end with a line feed. */
export interface RequestForm {
  readonly message: string;
  readonly body: string;
  readonly body_as: string;
  readonly method: string;
  readonly target: string;
  readonly signed_text: string;
  readonly request_id: string;
}

export const emptyForm: RequestForm = {
  message: '',
  body: '',
  body_as: 'text',
  method: '',
  target: '',
  signed_text: '',
  request_id: '',
};

export interface StatedRequest {
  readonly authorization: readonly string[];
  readonly method: string;
  readonly target: string;
  readonly body: Buffer;
  readonly idempotencyKey?: string | undefined;
  readonly host?: string | undefined;
  readonly signedText?: string | undefined;
  readonly requestId?: string | undefined;
  readonly contentLength?: string | undefined;
}

export interface FormProblem {
  readonly problem: 'messageWrong' | 'bodyWrong' | 'requestIdWrong';
}

export function isProblem(result: StatedRequest | FormProblem): result is FormProblem {
  return 'problem' in result;
}

export function readRequestForm(form: RequestForm): StatedRequest | FormProblem {
  const pasted = readPastedRequest(form.message);
  const { headers } = pasted;
  const method = form.method || pasted.method;
  const address = form.target || pasted.target;
  const { target, host = valuesOf(headers, 'host')[0] } = address === undefined ? {} : splitAddress(address);
  if (method === undefined || !/^[A-Za-z]+$/.test(method) || target === undefined) return { problem: 'messageWrong' };
  const body = readBody(form.body === '' && pasted.body !== undefined ? pasted.body : form.body, form.body_as);
  if (body === undefined) return { problem: 'bodyWrong' };
  const requestId = (form.request_id || pasted.responseRequestId)?.toLowerCase();
  if (requestId !== undefined && !uuidOfService.test(requestId)) return { problem: 'requestIdWrong' };
  return {
    authorization: valuesOf(headers, 'authorization'),
    method,
    target,
    body,
    idempotencyKey: valuesOf(headers, 'idempotency-key')[0],
    host,
    signedText: form.signed_text === '' ? undefined : form.signed_text,
    requestId,
    contentLength: valuesOf(headers, 'content-length')[0],
  };
}

const uuidOfService = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A URL is sent as its path and query, with the host in a header. */
function splitAddress(address: string): { readonly target?: string; readonly host?: string } {
  const [, host, rest] = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(address) ?? [];
  if (host !== undefined && rest !== undefined) return { host, target: rest.startsWith('/') ? rest : `/${rest}` };
  return address.startsWith('/') ? { target: address } : {};
}

function readBody(text: string, as: string): Buffer | undefined {
  if (as !== 'hex' && as !== 'base64') return Buffer.from(text);
  const compact = text.replace(/\s/g, '');
  const isValid = as === 'hex' ? /^(?:[0-9a-f]{2})*$/i.test(compact) : /^[A-Za-z0-9+/_-]*={0,2}$/.test(compact);
  return isValid ? Buffer.from(compact, as) : undefined;
}
