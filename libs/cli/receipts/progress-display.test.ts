import { expect, test } from '@jest/globals';
import { formatRemedy } from '../format-error.ts';
import type { Outcome } from './outcomes.ts';
import { PostProgress } from './progress-display.ts';
import type { ReceiptLine } from './receipt-files.ts';

const receiptLine = (line: number): ReceiptLine => ({ line, reference: `r-${line}`, body: '{}' });
const refused = (code: string, details?: Outcome['details']): Outcome => ({
  status: 422,
  code,
  ...(details === undefined ? {} : { details }),
});

test('lists the reasons for refusals, the most frequent first, with the first line and field of each', () => {
  const progress = new PostProgress(process.stderr, undefined);
  progress.addOutcome(receiptLine(2), { status: 201 });
  progress.addOutcome(receiptLine(3), refused('unknown_client', { field: '/receipts/0/client_id' }));
  progress.addOutcome(
    receiptLine(4),
    refused('invalid_field', {
      field: '/value_date',
      bound: 'a day',
      observed: 'today',
      fields: [
        { field: '/value_date', code: 'invalid_field' },
        { field: '/rail', code: 'invalid_field' },
      ],
    }),
  );
  progress.addOutcome(receiptLine(5), refused('invalid_field', { field: '/amount/minor_units', bound: 1 }));
  progress.addOutcome(receiptLine(6), refused('contended'));
  progress.addInvalid({ line: 7, reference: undefined, fault: 'minor_units is a whole number, not "ten"' });
  expect(progress.describeRefusals().filter((line) => !line.startsWith('    '))).toEqual([
    '  2 422 invalid_field, first in line 4: field: /value_date, allowed: a day, also /rail: invalid_field',
    '  1 422 unknown_client, first in line 3: field: /receipts/0/client_id',
    '  1 422 contended, first in line 6',
    '  1 unreadable, first in line 7: minor_units is a whole number, not "ten"',
  ]);
  expect(progress.describeRefusals().join('\n')).toContain(
    `1 422 contended, first in line 6\n${formatRemedy('contended', '    ').join('\n')}\n`,
  );
});
