/**
 * What lenders do all day, under references of every namespace. Each may be sent again as it is for as long as nobody
 * says what became of it, and some have another behind them that needs what came of them.
 */
import { content } from '#libs/credit/testing/example.ts';
import type { Namespace } from '#libs/ledger/book-decider.ts';
import { clientBookId, tenancyBookId } from '#libs/ledger/book-id.ts';
import { anInstalmentLoan, type Pin } from '#test/integration/given-loans.ts';

export interface Deed {
  readonly namespace: Namespace;
  readonly reference: string;
  /** Whose book it is recorded in. */
  readonly bookId: string;
  readonly path: string;
  readonly body: object;
  /** What it made, where the answer names it. */
  readonly made?: (told: Answered) => string | undefined;
  readonly next?: (told: Answered) => Deed | undefined;
}

/** What of an answer is read. */
export interface Answered {
  readonly id?: string;
  readonly receipt?: { readonly id: string };
  readonly events?: readonly { readonly id: string; readonly kind: string }[];
}

export type Doing = 'receipts' | 'everything';

export interface Work {
  readonly prefix: string;
  readonly pin: Pin;
  readonly doing: Doing;
  readonly random: () => number;
}

export class Deeds {
  readonly #work: Work;
  #count = 0;

  constructor(work: Work) {
    this.#work = work;
  }

  of(client: string): Deed {
    const kind = this.#work.random();
    if (this.#work.doing === 'receipts' || kind < 0.7) return this.#receipt(client);
    return kind < 0.95 ? this.#loan(client) : this.#draft();
  }

  #receipt(client: string): Deed {
    const reference = this.#reference('f');
    const amount = { minor_units: 1 + Math.floor(this.#work.random() * 500), currency: 'MXN' };
    const isReversed = this.#work.doing === 'everything' && this.#work.random() < 0.25;
    return {
      namespace: 'receipts',
      reference,
      bookId: clientBookId(client),
      path: '/receipts',
      body: { reference, client_id: client, amount, value_date: '2026-03-01' },
      made: ({ receipt }) => receipt?.id,
      ...(isReversed ? { next: () => this.#reversal(client, reference) } : {}),
    };
  }

  #reversal(client: string, receipt: string): Deed {
    return this.#act(client, `/receipts/${receipt}/reversal`, { reason: 'returned_by_bank' });
  }

  #loan(client: string): Deed {
    const reference = this.#reference('l');
    return {
      namespace: 'loans',
      reference,
      bookId: clientBookId(client),
      path: '/loans',
      body: anInstalmentLoan(this.#work.pin, client, reference, {
        principal: { minor_units: 500_00, currency: 'MXN' },
      }),
      made: ({ id }) => id,
      next: ({ id }) =>
        this.#work.random() < 0.5 ? this.#quote(client, String(id)) : this.#suspension(client, String(id)),
    };
  }

  #quote(client: string, loan: string): Deed {
    return { ...this.#act(client, `/loans/${loan}/payoff-quotes`, { on: '2026-06-01' }), made: ({ id }) => id };
  }

  #suspension(client: string, loan: string): Deed {
    const made = ({ events }: Answered): string | undefined => events?.findLast(({ kind }) => kind === 'suspended')?.id;
    return {
      ...this.#act(client, `/loans/${loan}/suspension`, { on: '2026-06-01', to: '2026-06-30' }),
      made,
      next: (told) => this.#act(client, `/loans/${loan}/retraction`, { on: '2026-07-01', event_id: made(told) }),
    };
  }

  #act(client: string, path: string, stated: object): Deed {
    const reference = this.#reference('a');
    const body = { reference, actor: 'ana', basis: 'as agreed', ...stated };
    return { namespace: 'acts', reference, bookId: clientBookId(client), path, body };
  }

  /** The one book that all of them share. */
  #draft(): Deed {
    const reference = this.#reference('p');
    const body = { reference, actor: 'ana', basis: 'as agreed', content };
    return { namespace: 'credit', reference, bookId: tenancyBookId, path: '/credit-policies/retail/versions', body };
  }

  #reference(kind: string): string {
    this.#count += 1;
    return `${kind}-${this.#work.prefix}-${this.#count}`;
  }
}
