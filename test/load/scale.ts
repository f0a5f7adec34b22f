/**
 * `npm run scale -- --receipts-per-year 1e9 [--set peakFactor=10]`: the machines, disks, costs and recovery times of a number
 * of Receipts a year, and which bound is reached first. Both options may be repeated. docs/scale.md explains the tables;
 * scale-assumptions.ts has the inputs.
 */
import { parseArgs } from 'node:util';
import { type Assumptions, assumptions, defaultAssumptions } from './scale-assumptions.ts';
import { scaleTables, scenarios } from './scale-tables.ts';

const { values } = parseArgs({
  options: {
    'receipts-per-year': { type: 'string', multiple: true },
    set: { type: 'string', multiple: true, default: [] },
  },
});
const receiptsPerYear = values['receipts-per-year']?.map((text) => positive('--receipts-per-year', text)) ?? scenarios;
const inputs: Assumptions = { ...defaultAssumptions(), ...Object.fromEntries(values.set.map(ownInput)) };
for (const [name, table] of scaleTables(receiptsPerYear, inputs)) console.log(`\n# ${name}\n\n${table}`);

function ownInput(text: string): [string, number] {
  const [name = '', value = ''] = text.split('=');
  if (!Object.hasOwn(assumptions, name))
    throw new Error(`--set names ${name}; expected an input of scale-assumptions.ts`);
  return [name, number(`--set ${name}`, value)];
}

function positive(option: string, text: string): number {
  const value = number(option, text);
  if (value === 0) throw new Error(`${option} is 0; expected more`);
  return value;
}

function number(option: string, text: string): number {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value) || value < 0) {
    throw new Error(`${option} is ${JSON.stringify(text)}; expected a number of 0 or more, such as 1e9`);
  }
  return value;
}
