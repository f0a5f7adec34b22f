import { expect, test } from '@jest/globals';
import type { Outcome } from './outcomes.ts';
import { Progress } from './progress.ts';
import type { Row } from './row.ts';

const row = (line: number): Row => ({ line, reference: `r-${line}`, body: '{}' });
const refused = (code: string, details?: Outcome['details']): Outcome => ({
  status: 422,
  code,
  ...(details === undefined ? {} : { details }),
});

test('what was refused is told the most frequent first, with where it was met first and what may stand there', () => {
  const progress = new Progress(process.stderr, undefined);
  progress.told(row(2), { status: 201 });
  progress.told(row(3), refused('unknown_client', { field: '/receipts/0/client_id' }));
  progress.told(row(4), refused('invalid_field', { field: '/value_date', bound: 'a day', observed: 'today' }));
  progress.told(row(5), refused('invalid_field', { field: '/amount/minor_units', bound: 1 }));
  progress.told(row(6), refused('contended'));
  progress.unreadable({ line: 7, reference: undefined, fault: 'minor_units is a whole number, not "ten"' });
  expect(progress.refusals()).toEqual([
    '  2 422 invalid_field, first in line 4: field: /value_date, bound: a day',
    '  1 422 unknown_client, first in line 3: field: /receipts/0/client_id',
    '  1 422 contended, first in line 6',
    '  1 unreadable, first in line 7: minor_units is a whole number, not "ten"',
  ]);
});
