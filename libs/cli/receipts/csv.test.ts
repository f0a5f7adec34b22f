import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CsvOptions, readCsv } from './csv.ts';
import { isReadable, type Read } from './row.ts';
import { decoded } from './utf8.ts';

async function* cut(bytes: Uint8Array, many: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += many) yield bytes.subarray(at, at + many);
}

async function read(file: string | Uint8Array, options: Partial<CsvOptions> = {}, pieces = 7): Promise<Read[]> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  const found: Read[] = [];
  const text = decoded(cut(bytes, pieces), () => undefined);
  for await (const row of readCsv(text, { isDecimal: false, delimiter: ',', ...options })) found.push(row);
  return found;
}

/** The bodies alone, and in the place of what cannot be read its fault. */
async function bodies(file: string | Uint8Array, options: Partial<CsvOptions> = {}): Promise<unknown[]> {
  return (await read(file, options)).map((row) => (isReadable(row) ? JSON.parse(row.body) : row.fault));
}

const header = 'reference,client_id,minor_units,currency,value_date';
const one = {
  reference: 'r-1',
  client_id: 'ada',
  amount: { minor_units: 100, currency: 'MXN' },
  value_date: '2026-02-15',
};

describe('a table of receipts', () => {
  test('names its columns in any order, and what a cell leaves empty is left out', async () => {
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

  test('may be cut by semicolons', async () => {
    const file = `${header}\nr-1,ada,100,MXN,2026-02-15`.replaceAll(',', ';');
    expect(await bodies(file, { delimiter: ';' })).toEqual([one]);
  });

  test('is read the same however it is written and wherever it is cut', async () => {
    const cell = fc
      .string({ unit: fc.constantFrom('a', '"', ',', '\n', 'é', '€', '🙂', ' ', '-') })
      .map((text) => text.trim());
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        async (references, pieces) => {
          const rows = references.map((reference) => `${quoted(reference)},ada,100,MXN,2026-02-15`);
          const found = await read([header, ...rows].join('\n'), {}, pieces);
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
    ['r-1,ada,100,MXN', '4 cells where the first line names 5 columns'],
    ['r-1,ada,100,MXN,2026-02-15,', '6 cells where the first line names 5 columns'],
  ])('tells what is wrong with %j and reads on', async (row, fault) => {
    expect(await bodies(`${header}\n${row}\nr-1,ada,100,MXN,2026-02-15`)).toEqual([fault, one]);
  });

  test('leaves to the service what the service knows better: a field that is missing, a currency there is none of', async () => {
    expect(await bodies(`${header}\nr-1,,,XYZ,`)).toEqual([{ reference: 'r-1', amount: { currency: 'XYZ' } }]);
  });

  test('says a payoff is meant with true or false and nothing else', async () => {
    const file = `${header},payoff_intent\nr-1,ada,100,MXN,2026-02-15,yes\nr-1,ada,100,MXN,2026-02-15,false`;
    expect(await bodies(file)).toEqual(['payoff_intent is true or false, not "yes"', { ...one, payoff_intent: false }]);
  });

  test.each([
    ['', 'the file is empty'],
    ['reference,client_id,minor_units,currency\n', 'does not name value_date'],
    [`${header},colour\n`, 'no column "colour"'],
    [`${header},amount\n`, 'no column "amount" (decimals are read under --decimal)'],
    [header.replaceAll(',', ';'), `(cells between semicolons are read under --delimiter ';')`],
    [`${header},reference\n`, 'the column reference is there twice'],
    [`${header}\n"r-1"x,ada,100,MXN,2026-02-15\n`, 'no CSV any more'],
    [`${header}\n"r-1,ada,100,MXN,2026-02-15\n`, 'no CSV any more'],
    [Buffer.from(`${header}\nJos\xe9,ada,100,MXN,2026-02-15\n`, 'latin1'), 'not UTF-8'],
    [Buffer.concat([Buffer.from(`${header}\nJos`), Buffer.from([0xc3])]), 'not UTF-8'],
  ])('is not read at all where it is none: %j', async (file, said) => {
    await expect(read(file)).rejects.toThrow(said);
  });
});

describe('amounts in major units', () => {
  const decimal = header.replace('minor_units', 'amount');
  const amounts = (rows: string[]) => bodies([decimal, ...rows].join('\n'), { isDecimal: true });

  test('have as many decimals as their currency', async () => {
    const stated = ['1035.61,MXN', '1035.6,MXN', '1035,MXN', '0.05,MXN', '1035,JPY', '1.234,KWD', '-1.5,MXN'];
    const found = await amounts(stated.map((amount) => `r-1,ada,${amount},2026-02-15`));
    const units = found.map((body) => (body as typeof one).amount.minor_units);
    expect(units).toEqual([103561, 103560, 103500, 5, 1035, 1234, -150]);
  });

  test('are never rounded or guessed', async () => {
    const stated = [
      '1.005,MXN',
      '1.5,JPY',
      '"1,000.00",MXN',
      '1e3,MXN',
      '.5,MXN',
      '90071992547409.93,MXN',
      '1,ABC',
      '1,',
    ];
    expect(await amounts(stated.map((amount) => `r-1,ada,${amount},2026-02-15`))).toEqual([
      'MXN has 2 decimals, and 1.005 states more',
      'JPY has 0 decimals, and 1.5 states more',
      'amount is a decimal such as 1035.61, not "1,000.00"',
      'amount is a decimal such as 1035.61, not "1e3"',
      'amount is a decimal such as 1035.61, not ".5"',
      '90071992547409.93 is beyond what can be carried exactly',
      '"ABC" is no currency an amount could be in',
      '"" is no currency an amount could be in',
    ]);
  });

  test('do not stand beside minor units', async () => {
    await expect(read(`${header}\n`, { isDecimal: true })).rejects.toThrow('"minor_units" (not under --decimal)');
  });
});
