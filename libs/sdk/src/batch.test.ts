import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answer, breakLine, quickWorld, type Reply, refusal, type Scripted, scripted } from '../testing/scripted.ts';
import type { ReceiptBatchOutcome, ReceiptToReport } from './contract/shapes.ts';
import { Lending, type LendingOptions } from './lending-sdk.ts';

const key = 'lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';

let service: Scripted | undefined;
afterEach(() => service?.close());

function receipt(at: number, client = `c-${at % 7}`): ReceiptToReport {
  const amount = { minor_units: 100, currency: 'MXN' };
  return { reference: `r-${at}`, client_id: client, amount, value_date: '2026-03-01' };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => receipt(at));

/** A service that records what it is sent, by reference, in the order it was sent. */
class Book {
  readonly byClient = new Map<string, string[]>();
  readonly #recorded = new Set<string>();
  inFlight = 0;
  mostInFlight = 0;
  largest = 0;

  taking(outcomeOf: (receipt: ReceiptToReport) => object | undefined = () => undefined): Reply {
    return ({ body }, response) => {
      const { receipts } = JSON.parse(body) as { receipts: ReceiptToReport[] };
      this.inFlight += 1;
      this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
      this.largest = Math.max(this.largest, receipts.length);
      const outcomes = receipts.map((each) => ({
        reference: each.reference,
        ...(outcomeOf(each) ?? this.#take(each)),
      }));
      setImmediate(() => {
        this.inFlight -= 1;
        answer(200, { outcomes })({ method: '', target: '', headers: {}, body: '' }, response);
      });
    };
  }

  #take({ reference, client_id }: ReceiptToReport): object {
    if (this.#recorded.has(reference)) return { status: 200 };
    this.#recorded.add(reference);
    this.byClient.set(client_id, [...(this.byClient.get(client_id) ?? []), reference]);
    return { status: 201 };
  }
}

async function lendingAt(script: readonly Reply[], options: Partial<LendingOptions> = {}): Promise<Lending> {
  service = await scripted(...script);
  return new Lending({ baseUrl: service.baseUrl, tenant: 't', key, world: quickWorld(), ...options });
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const as = (code: string, retry: string) => ({ status: 409, code, retry, error: 'It is.' });

describe('receipts', () => {
  test('are told in the order they were given, each with what came of it, and a Client keeps that order in its book', async () => {
    const clients = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 120 });
    const sizes = fc.record({ inFlight: fc.integer({ min: 1, max: 5 }), together: fc.integer({ min: 1, max: 30 }) });
    await fc.assert(
      fc.asyncProperty(clients, sizes, fc.boolean(), async (places, options, slow) => {
        const book = new Book();
        const lending = await lendingAt([book.taking()]);
        const given = places.map((client, at) => receipt(at, `c-${client}`));
        async function* source() {
          for (const each of given) {
            if (slow && each.reference.endsWith('3')) await new Promise((resolve) => setTimeout(resolve, 1));
            yield each;
          }
        }
        const told = await all(lending.receipts.batch(source(), options));
        expect(told.map(({ index }) => index)).toEqual(given.map((_, at) => at));
        expect(told.map(({ stated }) => stated)).toEqual(given);
        expect(told.map(({ outcome }) => outcome.reference)).toEqual(given.map(({ reference }) => reference));
        for (const [client, references] of book.byClient)
          expect(references).toEqual(given.filter((each) => each.client_id === client).map((each) => each.reference));
        expect(book.largest).toBeLessThanOrEqual(options.together);
        expect(book.mostInFlight).toBeLessThanOrEqual(options.inFlight);
        await service?.close();
      }),
      { numRuns: 30 },
    );
  }, 30_000);

  test('go many together: a thousand of them are no thousand requests', async () => {
    const lending = await lendingAt([new Book().taking()]);
    expect(await all(lending.receipts.batch(many(4_000)))).toHaveLength(4_000);
    expect(service?.sent.length).toBeLessThanOrEqual(8);
  });

  test('are read no faster than they are taken', async () => {
    let read = 0;
    function* endless() {
      for (; ; read += 1) yield receipt(read);
    }
    const lending = await lendingAt([new Book().taking()]);
    const told = lending.receipts.batch(endless(), { inFlight: 2, together: 10 });
    for (let at = 0; at < 5; at += 1) await told.next();
    expect(read).toBeLessThanOrEqual(5 + 2 * 10 * 2);
    await told.return();
  });

  test('that the service asks to have again are sent again, those alone', async () => {
    const book = new Book();
    const busy = new Set(['r-2', 'r-9']);
    const once: Reply = book.taking(({ reference }) => (busy.has(reference) ? as('contended', 'as_is') : undefined));
    const lending = await lendingAt([once, book.taking()]);
    const told = await all(lending.receipts.batch(many(20), { inFlight: 1 }));
    expect(told.map(({ outcome }) => outcome.status)).toEqual(many(20).map(() => 201));
    const again = (JSON.parse(service?.sent[1]?.body ?? '{}') as { receipts: ReceiptToReport[] }).receipts;
    expect(again.map(({ reference }) => reference)).toEqual(['r-2', 'r-9']);
  });

  test('that are refused are told so, and stop nobody', async () => {
    const unknown = (each: ReceiptToReport) =>
      each.reference === 'r-3' ? as('unknown_client', 'after_record') : undefined;
    const lending = await lendingAt([new Book().taking(unknown)]);
    const told = await all(lending.receipts.batch(many(6)));
    expect(
      told
        .filter(({ outcome }) => outcome.status !== 201)
        .map(({ stated, outcome }) => [stated.reference, outcome.code]),
    ).toEqual([['r-3', 'unknown_client']]);
  });

  test('that stay contended until patience ends are told as they are', async () => {
    const contended = new Book().taking(({ reference }) =>
      reference === 'r-1' ? as('contended', 'as_is') : undefined,
    );
    const lending = await lendingAt([contended], { patience: { withinMs: 5_000 } });
    const told = await all(lending.receipts.batch(many(3)));
    expect(told.map(({ outcome }) => (outcome as ReceiptBatchOutcome).code)).toEqual([
      undefined,
      'contended',
      undefined,
    ]);
  });

  test('that nobody answered for are asked after under their references', async () => {
    const book = new Book();
    const lostAnswer: Reply = (sent, response) => {
      book.taking()(sent, { writeHead: () => response, end: () => response } as never);
      breakLine(sent, response);
    };
    const lending = await lendingAt([lostAnswer, book.taking()]);
    const told = await all(lending.receipts.batch(many(10), { inFlight: 1 }));
    expect(told.map(({ outcome }) => outcome.status)).toEqual(many(10).map(() => 200));
  });

  test('end with the refusal of a whole batch, after those before it were told', async () => {
    const lending = await lendingAt([new Book().taking(), refusal(403, 'not_permitted_scope', 'after_change')]);
    const told = lending.receipts.batch(many(20), { inFlight: 1, together: 10 });
    for (let at = 0; at < 10; at += 1) expect((await told.next()).value?.index).toBe(at);
    await expect(told.next()).rejects.toMatchObject({ code: 'not_permitted_scope' });
    expect(service?.sent).toHaveLength(2);
  });

  test('end with the fault of whoever gives them', async () => {
    async function* broken() {
      yield receipt(0);
      throw new Error('line 2 is no receipt');
    }
    const lending = await lendingAt([new Book().taking()]);
    await expect(all(lending.receipts.batch(broken()))).rejects.toThrow('line 2 is no receipt');
  });

  test("end with the caller's word", async () => {
    const stop = new AbortController();
    const lending = await lendingAt([() => stop.abort(new Error('enough'))]);
    await expect(all(lending.receipts.batch(many(3), { signal: stop.signal }))).rejects.toThrow('enough');
  });

  test('whose giver is left in the middle leave nothing open', async () => {
    let left = false;
    async function* source() {
      try {
        for (let at = 0; ; at += 1) yield receipt(at);
      } finally {
        left = true;
      }
    }
    const lending = await lendingAt([new Book().taking()]);
    for await (const { index } of lending.receipts.batch(source(), { together: 5 })) if (index === 7) break;
    await new Promise((resolve) => setImmediate(resolve));
    expect(left).toBe(true);
  });
});
