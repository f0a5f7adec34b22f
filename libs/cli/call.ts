/** One signed request, as any caller would send it: for a first look, and to see what a signature is made of. */
import { authorize, signerFromText } from '#libs/signing/sign.ts';

export type Call = {
  readonly baseUrl: string;
  readonly secret: string;
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
  readonly nowMs: number;
};

export type Called = { readonly status: number; readonly text: string };

export async function call({ baseUrl, secret, method, target, body, nowMs }: Call): Promise<Called> {
  const signer = signerFromText(secret);
  if (signer === undefined) throw new Error('LENDING_KEY is no secret of a key: lsk_test_… or lsk_live_…');
  const answer = await fetch(baseUrl + target, {
    method,
    headers: {
      Authorization: authorize(signer, { method, target, body, nowMs }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, text: await answer.text() };
}
