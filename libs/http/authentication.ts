/** The steps that establish who sent a request and whether its key permits it. */
import { tenantIdIn } from '#libs/api/route-matcher.ts';
import { authenticate, authorizationRefusal, parseCredentials, unauthenticated } from '#libs/auth/authenticate.ts';
import type { KeyRing } from '#libs/auth/key-ring.ts';
import { type VerifySignature, verifySync } from '#libs/auth/verify.ts';
import type { PipelineStep } from '#libs/http/middleware.ts';
import { required } from '#libs/http/request-context.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

/** Reads the `Authorization` header. Runs before the body is read: a request without credentials costs little. */
export const readCredentials: PipelineStep = (context) => {
  context.credentials = parseCredentials(context.head.authorization, context.receivedAt);
  return context.credentials === undefined ? unauthenticated : undefined;
};

/**
 * With `verify`, except for reads. They are verified on the main thread: handing a signature to a thread delays a read by more
 * than it saves (0046).
 */
export function verifySignature(keyRing: KeyRing, verify: VerifySignature): PipelineStep {
  return async (context) => {
    let refresh = keyRing.refreshed?.();
    while (refresh !== undefined) {
      await refresh;
      refresh = keyRing.refreshed?.();
    }
    const { method, target, head } = context;
    const credentials = required(context.credentials, 'credentials');
    const body = required(context.body, 'body');
    const signed = { method, target, credentials, idempotencyKey: head.idempotencyKey[0], body };
    const isRead = method === 'GET' || method === 'HEAD';
    const caller = await authenticate(keyRing, signed, isRead ? verifySync : verify);
    if (isRefusal(caller)) return caller;
    context.caller = caller;
    return undefined;
  };
}

/** Whether the key may use this Tenancy and this method. */
export const authorize: PipelineStep = (context) =>
  authorizationRefusal(required(context.caller, 'caller').key, tenantIdIn(context.pathPieces), context.method);
