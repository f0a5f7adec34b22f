import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CsvLine, type CsvOptions, decodeUtf8, isReceipt, isReversed, readCsv } from './receipt-files.ts';

async function* split(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(file: string | Uint8Array, options: Partial<CsvOptions> = {}, chunkSize = 7): Promise<CsvLine[]> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  const found: CsvLine[] = [];
  const text = decodeUtf8(split(bytes, chunkSize), () => undefined);
  for await (const row of readCsv(text, { isDecimal: false, delimiter: ',', ...options })) found.push(row);
  return found;
}

/** The bodies, and for an invalid line its fault. */
async function bodies(file: string | Uint8Array, options: Partial<CsvOptions> = {}): Promise<unknown[]> {
  return (await read(file, options)).map((row) => {
    if (isReversed(row)) return 'reversed';
    return isReceipt(row) ? JSON.parse(row.body) : row.fault;
  });
}

const header = 'reference,client_id,minor_units,currency,value_date';
const one = {
  reference: 'r-1',
  client_id: 'ada',
  amount: { minor_units: 100, currency: 'MXN' },
  value_date: '2026-02-15',
};

describe('a CSV of receipts', () => {
  test('names its columns in any order; an empty cell leaves the field out', async () => {
    const columns = 'value_date,rail,currency,payoff_intent,minor_units,client_id,designated_loan_id,reference';
    const rows = ['2026-02-15,,MXN,,100,ada,,r-1', '2026-02-15,cash,MXN,true,100,ada,loan,r-2'];
    expect(await bodies([columns, ...rows].join('\n'))).toEqual([
      one,
      { ...one, reference: 'r-2', rail: 'cash', payoff_intent: true, designated_loan_id: 'loan' },
    ]);
  });

  test.each([
    ['a byte order mark', `\uFEFF${header}\nr-1,ada,100,MXN,2026-02-15\n`],
    ['the line ends of Windows', `${header}\r\nr-1,ada,100,MXN,2026-02-15\r\n`],
    ['two kinds of line ends', `${header}\r\nr-1,ada,100,MXN,2026-02-15\n\r\n`],
    ['no line end behind the last line', `${header}\nr-1,ada,100,MXN,2026-02-15`],
    ['blank lines', `\n${header}\n\nr-1,ada,100,MXN,2026-02-15\n\n`],
    ['quotes and spaces around cells', `${header}\n"r-1", ada ,"100",MXN,"2026-02-15"\n`],
  ])('may have %s', async (_, file) => {
    expect(await bodies(file)).toEqual([one]);
  });

  test('may be an export, of which reversed Receipts are not read', async () => {
    const rows = ['r-1,ada,100,MXN,2026-02-15,x,t,false', 'r-2,ada,100,MXN,2026-02-15,x,t,true'];
    const damaged = 'r-3,ada,100,MXN,2026-02-15,x,t,VERDADERO';
    expect(await bodies([`${header},id,reported_at,reversed`, ...rows, damaged].join('\n'))).toEqual([
      one,
      'reversed',
      'reversed is true or false, not "VERDADERO"',
    ]);
  });

  test('may hold contexts, whose numbers stay as they are written', async () => {
    const [line] = await read(`${header},context\nr-1,ada,100,MXN,2026-02-15,"{""score"":1.50}"`);
    expect(line).toMatchObject({ body: expect.stringMatching(/,"context":\{"score":1\.50\}\}$/) });
    expect(await bodies(`${header},context\nr-1,ada,100,MXN,2026-02-15,none`)).toEqual([
      'context is not a JSON object',
    ]);
  });

  test('may separate cells by semicolons', async () => {
    const file = `${header}\nr-1,ada,100,MXN,2026-02-15`.replaceAll(',', ';');
    expect(await bodies(file, { delimiter: ';' })).toEqual([one]);
  });

  test('is read the same for any content and any chunk size', async () => {
    const cell = fc
      .string({ unit: fc.constantFrom('a', '"', ',', '\n', 'é', '€', '🙂', ' ', '-') })
      .map((text) => text.trim());
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        async (references, chunkSize) => {
          const rows = references.map((reference) => `${quoted(reference)},ada,100,MXN,2026-02-15`);
          const found = await read([header, ...rows].join('\n'), {}, chunkSize);
          expect(found.map(({ reference = '' }) => reference)).toEqual(references);
          expect(found.map(({ line }) => line)).toEqual(references.map((_, at) => at + 2));
        },
      ),
    );
  });

  test.each([
    ['r-1,ada,1.5,MXN,2026-02-15', 'minor_units is a whole number, not "1.5"'],
    ['r-1,ada,"1,000",MXN,2026-02-15', 'minor_units is a whole number, not "1,000"'],
    ['r-1,ada,9007199254740993,MXN,2026-02-15', 'minor_units is a whole number, not "9007199254740993"'],
    ['r-1,ada,100,MXN', '4 cells, expected 5 as in the first line'],
    ['r-1,ada,100,MXN,2026-02-15,', '6 cells, expected 5 as in the first line'],
  ])('reports what is wrong with %j and continues', async (row, fault) => {
    expect(await bodies(`${header}\n${row}\nr-1,ada,100,MXN,2026-02-15`)).toEqual([fault, one]);
  });

  test('leaves missing fields and unknown currencies to the service', async () => {
    expect(await bodies(`${header}\nr-1,,,XYZ,`)).toEqual([{ reference: 'r-1', amount: { currency: 'XYZ' } }]);
  });

  test('accepts only true and false as payoff_intent', async () => {
    const file = `${header},payoff_intent\nr-1,ada,100,MXN,2026-02-15,yes\nr-1,ada,100,MXN,2026-02-15,false`;
    expect(await bodies(file)).toEqual(['payoff_intent is true or false, not "yes"', { ...one, payoff_intent: false }]);
  });

  test.each([
    ['', 'the file is empty'],
    ['reference,client_id,minor_units,currency\n', 'does not name the columns value_date'],
    [`${header},colour\n`, 'unknown column "colour"'],
    [`${header},amount\n`, 'unknown column "amount" (for decimal amounts use --decimal)'],
    [header.replaceAll(',', ';'), `(for cells separated by semicolons use --delimiter ';')`],
    [`${header},reference\n`, 'duplicate column reference'],
    [`${header}\n"r-1"x,ada,100,MXN,2026-02-15\n`, 'invalid CSV'],
    [`${header}\n"r-1,ada,100,MXN,2026-02-15\n`, 'invalid CSV'],
    [Buffer.from(`${header}\nJos\xe9,ada,100,MXN,2026-02-15\n`, 'latin1'), 'not UTF-8'],
    [Buffer.concat([Buffer.from(`${header}\nJos`), Buffer.from([0xc3])]), 'not UTF-8'],
  ])('is refused as a whole when it is %j', async (file, message) => {
    await expect(read(file)).rejects.toThrow(message);
  });
});

describe('amounts in major units', () => {
  const decimal = header.replace('minor_units', 'amount');
  const amounts = (rows: string[]) => bodies([decimal, ...rows].join('\n'), { isDecimal: true });

  test('have at most the decimals of their currency', async () => {
    const decimals = ['1035.61,MXN', '1035.6,MXN', '1035,MXN', '0.05,MXN', '1035,JPY', '1.234,KWD', '-1.5,MXN'];
    const found = await amounts(decimals.map((amount) => `r-1,ada,${amount},2026-02-15`));
    const units = found.map((body) => (body as typeof one).amount.minor_units);
    expect(units).toEqual([103561, 103560, 103500, 5, 1035, 1234, -150]);
  });

  test('are never rounded or guessed', async () => {
    const decimals = [
      '1.005,MXN',
      '1.5,JPY',
      '"1,000.00",MXN',
      '1e3,MXN',
      '.5,MXN',
      '90071992547409.93,MXN',
      '1,ABC',
      '1,',
    ];
    expect(await amounts(decimals.map((amount) => `r-1,ada,${amount},2026-02-15`))).toEqual([
      'MXN has 2 decimals, and 1.005 has more',
      'JPY has 0 decimals, and 1.5 has more',
      'amount is a decimal such as 1035.61, not "1,000.00"',
      'amount is a decimal such as 1035.61, not "1e3"',
      'amount is a decimal such as 1035.61, not ".5"',
      '90071992547409.93 is too large to be exact',
      '"ABC" is not an ISO 4217 currency',
      '"" is not an ISO 4217 currency',
    ]);
  });

  test('cannot be combined with minor units', async () => {
    await expect(read(`${header}\n`, { isDecimal: true })).rejects.toThrow('"minor_units" (not with --decimal)');
  });
});
