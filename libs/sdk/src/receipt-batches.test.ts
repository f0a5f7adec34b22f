import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  closeConnection,
  instantClock,
  refuseWith,
  replyWith,
  type ScriptedReply,
  type ScriptedService,
  startScriptedService,
} from '../testing/scripted-service.ts';
import type { ReceiptBatchOutcome, ReceiptToReport } from './contract/shapes.ts';
import { Lending, type LendingOptions } from './lending-sdk.ts';

const key = 'lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';

let service: ScriptedService | undefined;
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
  maxInFlight = 0;
  largest = 0;

  taking(outcomeOf: (receipt: ReceiptToReport) => object | undefined = () => undefined): ScriptedReply {
    return ({ body }, response) => {
      const { receipts } = JSON.parse(body) as { receipts: ReceiptToReport[] };
      this.inFlight += 1;
      this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
      this.largest = Math.max(this.largest, receipts.length);
      const outcomes = receipts.map((each) => ({
        reference: each.reference,
        ...(outcomeOf(each) ?? this.#take(each)),
      }));
      setImmediate(() => {
        this.inFlight -= 1;
        replyWith(200, { outcomes })({ method: '', target: '', headers: {}, body: '' }, response);
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

async function lendingAt(script: readonly ScriptedReply[], options: Partial<LendingOptions> = {}): Promise<Lending> {
  service = await startScriptedService(...script);
  return new Lending({ baseUrl: service.baseUrl, tenant: 't', key, clock: instantClock(), ...options });
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const as = (code: string, retry: string) => ({ status: 409, code, retry, error: 'It is.' });

describe('receipts', () => {
  test('have their outcomes in the order of the input, and each book records them in that order', async () => {
    const clients = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 120 });
    const sizes = fc.record({ inFlight: fc.integer({ min: 1, max: 5 }), together: fc.integer({ min: 1, max: 30 }) });
    await fc.assert(
      fc.asyncProperty(clients, sizes, fc.boolean(), async (places, options, slow) => {
        const book = new Book();
        const lending = await lendingAt([book.taking()]);
        const input = places.map((client, at) => receipt(at, `c-${client}`));
        async function* source() {
          for (const each of input) {
            if (slow && each.reference.endsWith('3')) await new Promise((resolve) => setTimeout(resolve, 1));
            yield each;
          }
        }
        const results = await all(lending.receipts.batch(source(), options));
        expect(results.map(({ index }) => index)).toEqual(input.map((_, at) => at));
        expect(results.map(({ stated }) => stated)).toEqual(input);
        expect(results.map(({ outcome }) => outcome.reference)).toEqual(input.map(({ reference }) => reference));
        for (const [client, references] of book.byClient)
          expect(references).toEqual(input.filter((each) => each.client_id === client).map((each) => each.reference));
        expect(book.largest).toBeLessThanOrEqual(options.together);
        expect(book.maxInFlight).toBeLessThanOrEqual(options.inFlight);
        await service?.close();
      }),
      { numRuns: 30 },
    );
  });

  test('are sent in batches', async () => {
    const lending = await lendingAt([new Book().taking()]);
    expect(await all(lending.receipts.batch(many(4_000)))).toHaveLength(4_000);
    expect(service?.sent.length).toBeLessThanOrEqual(8);
  });

  test.each([{ inFlight: 0 }, { together: 0 }, { together: 1.5 }, { inFlight: Number.NaN }])(
    'are refused with %j, which could send none',
    async (options) => {
      const lending = await lendingAt([new Book().taking()]);
      expect(() => lending.receipts.batch(many(1), options)).toThrow('expected a whole number of 1 or more');
    },
  );

  test('are read no faster than their outcomes are consumed', async () => {
    let read = 0;
    function* endless() {
      for (; ; read += 1) yield receipt(read);
    }
    const lending = await lendingAt([new Book().taking()]);
    const results = lending.receipts.batch(endless(), { inFlight: 2, together: 10 });
    for (let at = 0; at < 5; at += 1) await results.next();
    expect(read).toBeLessThanOrEqual(5 + 2 * 10 * 2);
    await results.return();
  });

  test('that may be sent again are repeated alone', async () => {
    const book = new Book();
    const busy = new Set(['r-2', 'r-9']);
    const once: ScriptedReply = book.taking(({ reference }) =>
      busy.has(reference) ? as('contended', 'as_is') : undefined,
    );
    const lending = await lendingAt([once, book.taking()]);
    const results = await all(lending.receipts.batch(many(20), { inFlight: 1 }));
    expect(results.map(({ outcome }) => outcome.status)).toEqual(many(20).map(() => 201));
    const again = (JSON.parse(service?.sent[1]?.body ?? '{}') as { receipts: ReceiptToReport[] }).receipts;
    expect(again.map(({ reference }) => reference)).toEqual(['r-2', 'r-9']);
  });

  test('that are refused do not stop the others', async () => {
    const unknown = (each: ReceiptToReport) =>
      each.reference === 'r-3' ? as('unknown_client', 'after_record') : undefined;
    const lending = await lendingAt([new Book().taking(unknown)]);
    const results = await all(lending.receipts.batch(many(6)));
    expect(
      results
        .filter(({ outcome }) => outcome.status !== 201)
        .map(({ stated, outcome }) => [stated.reference, outcome.code]),
    ).toEqual([['r-3', 'unknown_client']]);
  });

  test('that stay contended until the retry time has passed keep that outcome', async () => {
    const contended = new Book().taking(({ reference }) =>
      reference === 'r-1' ? as('contended', 'as_is') : undefined,
    );
    const lending = await lendingAt([contended], { patience: { withinMs: 5_000 } });
    const results = await all(lending.receipts.batch(many(3)));
    expect(results.map(({ outcome }) => (outcome as ReceiptBatchOutcome).code)).toEqual([
      undefined,
      'contended',
      undefined,
    ]);
  });

  test('without a response are sent again under their references', async () => {
    const book = new Book();
    const lostAnswer: ScriptedReply = (sent, response) => {
      book.taking()(sent, { writeHead: () => response, end: () => response } as never);
      closeConnection(sent, response);
    };
    const lending = await lendingAt([lostAnswer, book.taking()]);
    const results = await all(lending.receipts.batch(many(10), { inFlight: 1 }));
    expect(results.map(({ outcome }) => outcome.status)).toEqual(many(10).map(() => 200));
  });

  test('end with the refusal of a batch, after the outcomes before it', async () => {
    const lending = await lendingAt([new Book().taking(), refuseWith(403, 'not_permitted_scope', 'after_change')]);
    const results = lending.receipts.batch(many(20), { inFlight: 1, together: 10 });
    for (let at = 0; at < 10; at += 1) expect((await results.next()).value?.index).toBe(at);
    await expect(results.next()).rejects.toMatchObject({ code: 'not_permitted_scope' });
    expect(service?.sent).toHaveLength(2);
  });

  test('end with an error of the input', async () => {
    async function* broken() {
      yield receipt(0);
      throw new Error('line 2 is not a receipt');
    }
    const lending = await lendingAt([new Book().taking()]);
    await expect(all(lending.receipts.batch(broken()))).rejects.toThrow('line 2 is not a receipt');
  });

  test("end with the caller's signal", async () => {
    const stop = new AbortController();
    const lending = await lendingAt([() => stop.abort(new Error('enough'))]);
    await expect(all(lending.receipts.batch(many(3), { signal: stop.signal }))).rejects.toThrow('enough');
  });

  test('close their input when the caller leaves the loop', async () => {
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
