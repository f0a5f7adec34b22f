import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { rendered, visitOfOperator } from '../../testing/rendered-page.ts';
import { en } from '../../texts/en.ts';
import { es } from '../../texts/es.ts';
import { changesPage, memberWords, valueWords } from './changes-page.ts';
import type { ChangesView } from './read-changes.ts';

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const contract = JSON.parse(readFileSync('schemas/openapi.json', 'utf8')) as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** Members that are not compared, with what they hold; an amount of money is one value. */
const notCompared = ['any_other_amount', 'client_id', 'cursor'];

type Member = readonly [name: string, values: readonly string[]];

function membersOf({ $ref, items, properties = {} }: Schema): readonly Member[] {
  const name = $ref?.split('/').at(-1) ?? '';
  if (name === 'Money') return [];
  const own = Object.entries(properties)
    .filter(([member]) => !notCompared.includes(member))
    .flatMap(([member, schema]) => [[member, schema.enum ?? []] as const, ...membersOf(schema)]);
  const named = contract.components.schemas[name];
  return [...own, ...(items ? membersOf(items) : []), ...(named ? membersOf(named) : [])];
}

const compared = ['LoanPaymentOptions', 'LoanSchedule', 'Obligations'].flatMap((name) =>
  membersOf({ $ref: `#/components/schemas/${name}` }),
);

test.each([en, es])(
  'every figure that may differ, and every value that the contract lists, has a word ($language)',
  (texts) => {
    const names = memberWords(texts);
    const values = valueWords(texts);
    expect(compared.length).toBeGreaterThan(60);
    const missing = compared.flatMap(([member, listed]) => [
      ...(Object.hasOwn(names, member) ? [] : [member]),
      ...listed.filter((value) => !Object.hasOwn(values[member] ?? {}, value)).map((value) => `${member}: ${value}`),
    ]);
    expect(missing).toEqual([]);
  },
);

test('what changed is in words, also for screen readers', () => {
  const loan = '/loans/01a21684-a73f-764a-b656-5f433d4e1b02';
  const figures = [
    { figure: `${loan}/payment_options/instalment/settled_by`, from: 'instalment', to: 'overdue' },
    { figure: `${loan}/payment_options/waivers/held/reference`, to: 'held' },
    { figure: `${loan}/schedule/periods/3/origin`, from: 'issued', to: 'called' },
    { figure: '/obligations/receipts/constructor', to: 'constructor' },
  ];
  const view: ChangesView = {
    ...{ latest: 2, from: '1', to: '2', since: '', until: '' },
    ...{ isMomentRefused: false, isTooLarge: false },
    changes: {
      ...{ client_id: 'c', on: '2026-03-01', from_facts: 1, to_facts: 2 },
      changes: figures.map((figure) => ({ ...figure, facts: [] })),
    },
    references: new Map([[loan.split('/')[2] ?? '', 'loan-1']]),
  };
  const clocks = { on: '2026-03-01', isDefaultDay: false, timeZone: 'UTC' };
  const page = rendered(changesPage(visitOfOperator({ texts: es }), clocks, view));
  expect([...page.matchAll(/aria-label="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    'Qué cambió: Préstamo loan-1',
    'Préstamo loan-1: Cifras del plan de pagos que difieren: 1',
    'Qué cambió: A favor del Cliente',
  ]);
  const cells = [...page.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
    cell.replace(/<[^>]*>/g, '').trim(),
  );
  expect(cells.filter((cell) => cell !== '')).toEqual([
    ...['opciones de pago › próximo pago › se paga como', 'próximo pago', 'vencido'],
    ...['opciones de pago › condonación › held › referencia', 'ninguna', 'held'],
    ...['periodo › 3 › origen', 'emitido', 'anticipado'],
    ...['Cobros › constructor', 'ninguna', 'constructor'],
  ]);
});
