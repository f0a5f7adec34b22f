import { expect, test } from '@jest/globals';
import { catalogue } from '#libs/schema/refusals.ts';
import { refusalText } from '../refusal-text.ts';
import { en } from './en.ts';
import { es } from './es.ts';

type Leaf = readonly [path: string, text: string];

/** Texts with arguments by their source. */
function leavesOf(value: unknown, path = ''): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, `${path}/${name}`));
}

/** Spanish has the same word, or it is no word. */
const sameInBoth = new Set([
  ...['Id', 'no', 'total', 'Total', 'provisional', 'Provisional', 'Roles', 'min.', 'hexadecimal', 'base64', '–'],
  ...['30 / 360', '30E / 360', 'Idempotency-Key', 'JSON: [{"kind":"anchored_monthly"}, …]'],
]);

/** They only place their arguments. */
const withoutWords = ['/explanation/perCent', '/explanation/ruleTitle', '/simulation/rowTitle'];

test('no text is left in English in Spanish', () => {
  const english = new Map(leavesOf(en));
  const untranslated = leavesOf(es).filter(
    ([path, text]) => english.get(path) === text && !sameInBoth.has(text) && !withoutWords.includes(path),
  );
  expect(untranslated).toEqual([]);
});

test('every refusal has a sentence in both languages, with the field and the code', () => {
  for (const [code, { message }] of Object.entries(catalogue)) {
    expect(refusalText(en, { code })).toBe(`${message} (${code})`);
    expect([code, es.refusals[code]]).toEqual([code, expect.stringMatching(/^\p{Lu}.+\.$/u)]);
  }
  expect(refusalText(es, { code: 'no_quote', details: { field: '/quote', bound: 2 } })).toBe(
    'El Préstamo no tiene esa cotización de liquidación. Se acepta: 2. (no_quote · /quote)',
  );
  expect(refusalText(es, { code: 'of_a_newer_release' })).toBe('El servicio lo rechazó. (of_a_newer_release)');
});

const everyMonth = [{ kind: 'anchored_monthly' }];

test.each([
  ['loan_closed', ['active', 'written_off'], 'active, written off', 'activo, castigado'],
  ['charge_not_waivable', ['late_fee', 'fee'], 'late fee, fee', 'comisión por atraso, comisión'],
  ['waiver_exceeds_charge', { minor_units: 120_050, currency: 'MXN' }, '$1,200.50', '$1,200.50'],
  ['body_too_large', 1_048_576, '1,048,576', '1,048,576'],
  ['invalid_event', '2026-02-01', 'Feb 1, 2026', '1 feb 2026'],
  ['schedule_not_offered', everyMonth, 'every month, on the day of the anchor', 'cada mes, el día del ancla'],
  ['outside_facility_window', ['2026-02-01', '2026-03-01'], 'Feb 1, 2026; Mar 1, 2026', '1 feb 2026, 1 mar 2026'],
  ['of_a_newer_release', [{ least: 'active', most: true }], 'active, true', 'activo, true'],
])('what %s accepts is in words', (code, bound, english, spanish) => {
  expect(refusalText(en, { code, details: { bound } })).toContain(` Accepted: ${english}. (`);
  expect(refusalText(es, { code, details: { bound } })).toContain(` Se acepta: ${spanish}. (`);
});

test('Spanish has a word for what is released and another for what is waived', () => {
  expect([es.explorer.movements.released, es.explorer.statement.totals.released]).toEqual(['liberado', 'Liberado']);
  expect([es.explorer.schedule.waived, es.explanation.waived]).toEqual(['Condonado', 'Condonado']);
});

test.each([
  ['renovación', /prórroga/i],
  ['interés moratorio', /\bmora\b/i],
  ['Cobro', /\bPago\b(?! nivelado)/],
  ['plan de pagos', /tabla de pagos/i],
  ['remanente tolerado', /banda de tolerancia/i],
  ['enganche', /pago a la compra/i],
])('Spanish says %s everywhere', (_, other) => {
  expect(leavesOf(es).filter(([, text]) => other.test(text))).toEqual([]);
});
