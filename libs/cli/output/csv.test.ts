import { expect, test } from '@jest/globals';
import { csvRow } from './csv.ts';

test('a row quotes what needs it, leaves missing values empty, and cannot be run as a formula', () => {
  expect(csvRow(['a,b', 'say "x"', undefined, -5, true, '=1+1', '-x'])).toBe(`"a,b","say ""x""",,-5,true,'=1+1,'-x\n`);
});
