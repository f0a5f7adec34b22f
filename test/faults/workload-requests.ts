/**
 * Random write requests under references of every namespace. Each can be repeated unchanged until its result is known, and
 * some have a follow-up request that needs the result.
 */
import { policyContent } from '#libs/credit/testing/example.ts';
import type { Namespace } from '#libs/ledger/book-decider.ts';
import { clientBookId, tenancyBookId } from '#libs/ledger/book-id.ts';
import type { Random } from '#libs/runtime/random.ts';
import { loanBody, type ProductVersion } from '#test/support/request-bodies.ts';

export interface WorkloadRequest {
  readonly namespace: Namespace;
  readonly reference: string;
  readonly bookId: string;
  readonly path: string;
  readonly body: object;
  /** The id of the created record, if the answer contains it. */
  readonly idIn?: (answer: WorkloadAnswer) => string | undefined;
  readonly followUp?: (answer: WorkloadAnswer) => WorkloadRequest | undefined;
}

/** The members of answers that are used. */
export interface WorkloadAnswer {
  readonly id?: string;
  readonly receipt?: { readonly id: string };
  readonly events?: readonly { readonly id: string; readonly kind: string }[];
}

export type WorkloadKind = 'receipts' | 'everything';

export interface WorkloadRequestOptions {
  readonly prefix: string;
  readonly product: ProductVersion;
  readonly kind: WorkloadKind;
  readonly random: Random;
}

export class WorkloadRequests {
  readonly #options: WorkloadRequestOptions;
  #count = 0;

  constructor(options: WorkloadRequestOptions) {
    this.#options = options;
  }

  createFor(client: string): WorkloadRequest {
    const { kind, random } = this.#options;
    if (kind === 'receipts') return this.#receipt(client);
    const create = random.weighted([
      [70, () => this.#receipt(client)],
      [25, () => this.#loan(client)],
      [5, () => this.#policyDraft()],
    ]);
    return create();
  }

  #receipt(client: string): WorkloadRequest {
    const { kind, random } = this.#options;
    const reference = this.#reference('f');
    const amount = { minor_units: random.integer(1, 500), currency: 'MXN' };
    const isReversed = kind === 'everything' && random.chance(0.25);
    return {
      namespace: 'receipts',
      reference,
      bookId: clientBookId(client),
      path: '/receipts',
      body: { reference, client_id: client, amount, value_date: '2026-03-01' },
      idIn: ({ receipt }) => receipt?.id,
      ...(isReversed ? { followUp: () => this.#reversal(client, reference) } : {}),
    };
  }

  #reversal(client: string, receipt: string): WorkloadRequest {
    return this.#act(client, `/receipts/${receipt}/reversal`, { reason: 'returned_by_bank' });
  }

  #loan(client: string): WorkloadRequest {
    const { product, random } = this.#options;
    const reference = this.#reference('l');
    const principal = { minor_units: 500_00, currency: 'MXN' };
    return {
      namespace: 'loans',
      reference,
      bookId: clientBookId(client),
      path: '/loans',
      body: loanBody(product, client, reference, { principal }),
      idIn: ({ id }) => id,
      followUp: ({ id }) =>
        random.chance(0.5) ? this.#payoffQuote(client, String(id)) : this.#suspension(client, String(id)),
    };
  }

  #payoffQuote(client: string, loan: string): WorkloadRequest {
    return { ...this.#act(client, `/loans/${loan}/payoff-quotes`, { on: '2026-06-01' }), idIn: ({ id }) => id };
  }

  #suspension(client: string, loan: string): WorkloadRequest {
    const idIn = ({ events }: WorkloadAnswer): string | undefined =>
      events?.findLast(({ kind }) => kind === 'suspended')?.id;
    return {
      ...this.#act(client, `/loans/${loan}/suspension`, { on: '2026-06-01', to: '2026-06-30' }),
      idIn,
      followUp: (answer) =>
        this.#act(client, `/loans/${loan}/retraction`, { on: '2026-07-01', event_id: idIn(answer) }),
    };
  }

  #act(client: string, path: string, fields: object): WorkloadRequest {
    const reference = this.#reference('a');
    const body = { reference, actor: 'ana', basis: 'as agreed', ...fields };
    return { namespace: 'acts', reference, bookId: clientBookId(client), path, body };
  }

  /** Written to the Tenancy's own book, which all workers share. */
  #policyDraft(): WorkloadRequest {
    const reference = this.#reference('p');
    const body = { reference, actor: 'ana', basis: 'as agreed', content: policyContent };
    return { namespace: 'credit', reference, bookId: tenancyBookId, path: '/credit-policies/retail/versions', body };
  }

  #reference(kind: string): string {
    this.#count += 1;
    return `${kind}-${this.#options.prefix}-${this.#count}`;
  }
}
