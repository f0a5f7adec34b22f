import { mintKey } from '#libs/auth/sign.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import type { Administration, Minting } from '#libs/submission/administration.ts';

export type Minted = { readonly secret: string; readonly fp: string };

/** The pair is made here and the secret half stays here: only the public half is recorded. */
export async function mint(
  administration: Administration,
  actor: string,
  key: Omit<Minting, 'publicKey'>,
): Promise<Minted | Refusal> {
  // A Tenancy that does not exist is refused by its book: there the answer is certain.
  const isLive = (await administration.isLive(key.tenantId)) ?? false;
  const { secret, publicKey, fp } = mintKey(isLive ? 'live' : 'test');
  const done = await administration.mintKey(actor, { ...key, publicKey });
  return isRefusal(done) ? done : { secret, fp };
}
