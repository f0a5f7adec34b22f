/** A Loan by the caller's own reference: the listing has no such filter, so it is gone through, newest first. */
import type { Caller } from '../caller.ts';

export type Sought = { readonly reference: string; readonly client: string | undefined; readonly on: string };

type Page = {
  readonly loans: readonly { readonly id: string; readonly reference: string }[];
  readonly cursor?: string;
};

/** What the listing leaves out where no state is named. */
const leftOut = ['held', 'expired', 'voided'];

export async function findLoan(caller: Pick<Caller, 'ask'>, { reference, client, on }: Sought): Promise<string> {
  const ofClient = client === undefined ? '' : `&client_id=${encodeURIComponent(client)}`;
  for (const state of ['', ...leftOut.map((name) => `&state=${name}&on=${encodeURIComponent(on)}`)]) {
    for (let cursor = ''; ; ) {
      const page = await caller.ask<Page>('GET', `/loans?limit=200${ofClient}${state}${cursor}`);
      const found = page.loans.find((loan) => loan.reference === reference);
      if (found !== undefined) return found.id;
      if (page.cursor === undefined) break;
      cursor = `&cursor=${page.cursor}`;
    }
  }
  throw new Error(
    `no Loan is called ${JSON.stringify(reference)}${client === undefined ? '' : ` among those of ${client}`}`,
  );
}
