import { expect, test } from '@jest/globals';
import { ConfigurationError } from '#libs/runtime/config.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { refusalBody } from '#libs/schema/refusal-json.ts';
import { catalogue, type RefusalCode, refuse } from '#libs/schema/refusals.ts';
import { InterruptedError, UsageError } from './command.ts';
import { NotConfirmedError } from './confirm.ts';
import { exitCodes } from './exit-codes.ts';
import { errorDocument, exitCodeOf, formatError, remedyOf } from './format-error.ts';
import { RefusedError } from './refused-error.ts';

test('an unavailable dependency is named with the reason of the driver', () => {
  const error = new DependencyUnavailableError('list_keys', { cause: new Error('Postgres is in recovery') });
  expect(formatError(error)).toBe('list_keys is unavailable: Postgres is in recovery');
});

test('a refusal for several fields names all of them, with what is allowed', () => {
  const fields = [
    { code: 'missing_field', field: '/client_id' },
    { code: 'invalid_field', field: '/value_date', bound: 'a day', observed: 7 },
  ];
  const details = { field: '/client_id', fields };
  const refusal = new RefusedError(422, {
    error: 'A required field is missing.',
    code: 'missing_field',
    retry: 'after_change',
    details,
  });
  expect(formatError(refusal).split('\n').slice(1, 3)).toEqual([
    '  field: /client_id',
    '  also /value_date: invalid_field (allowed: a day)',
  ]);
});

test('a refusal leads to its entry in the reference of the service, unless a proxy refused', () => {
  const { LENDING_URL } = process.env;
  process.env['LENDING_URL'] = 'https://lending.example/';
  const lineOf = (code: string) => {
    const refusal = new RefusedError(422, { error: 'It is refused.', code, retry: 'never' });
    return formatError(refusal)
      .split('\n')
      .find((line) => line.includes('https://'));
  };
  expect([lineOf('term_not_offered'), lineOf('unknown')]).toEqual([
    '  https://lending.example/docs/reference/errors#term_not_offered',
    undefined,
  ]);
  if (LENDING_URL === undefined) delete process.env['LENDING_URL'];
  else process.env['LENDING_URL'] = LENDING_URL;
});

test.each(Object.keys(catalogue) as RefusalCode[])('the refusal %s says what failed and what to do', (code) => {
  const cause = new RefusedError(catalogue[code].status, refusalBody(refuse(code), 'r-1'));
  const [first, next, ...rest] = formatError(cause).split('\n');
  expect(first).toContain('refused:');
  expect(first).toContain(`${catalogue[code].message} (${catalogue[code].status} ${code})`);
  expect(next).toMatch(/^ {2}(?:The same request|Something else must|The request must|Do not send).*\.$/);
  expect(rest.at(-1)).toBe('  request r-1');
  expect(exitCodeOf(cause)).toBe(1);
});

test.each(Object.keys(catalogue) as RefusalCode[])(
  'the refusal %s is printed with its remedy, also as JSON',
  (code) => {
    const cause = new RefusedError(catalogue[code].status, refusalBody(refuse(code), 'r-1'));
    const remedy = remedyOf(code) as string;
    expect(remedy).not.toContain('`');
    expect(formatError(cause).replaceAll(/\n {2}/g, ' ')).toContain(` ${remedy}`);
    expect(errorDocument(cause)).toEqual({
      ...refusalBody(refuse(code), 'r-1'),
      status: catalogue[code].status,
      remedy,
      exit_code: 1,
    });
  },
);

test('a refusal for good does not contradict its remedy', () => {
  const text = formatError(
    new RefusedError(409, refusalBody(refuse('already_written_off', { bound: ['active'] }), 'r-1')),
  );
  expect(text).toContain('Do not send the request again as it is.\n  Read the Loan. Retract the write-off first');
});

test('a code that this release does not know has no remedy', () => {
  const cause = new RefusedError(409, { error: 'It is refused.', code: 'of_a_later_release', retry: 'never' });
  expect(errorDocument(cause)).toEqual({
    error: 'It is refused.',
    code: 'of_a_later_release',
    retry: 'never',
    status: 409,
    exit_code: 1,
  });
  expect(formatError(cause)).toContain('Do not send the request again as it is.');
});

test.each<[string, number, Error]>([
  ['failed', 1, new Error('there is no such key')],
  ['not_confirmed', 1, new NotConfirmedError('not confirmed')],
  ['wrong_use', 2, new UsageError('name one key')],
  ['wrong_use', 2, new ConfigurationError(['DATABASE_URL is empty'])],
  ['interrupted', 130, new InterruptedError('ended by Ctrl-C')],
])('an error as JSON says by its code %s and the exit code %d what happened', (code, exitCode, cause) => {
  expect(errorDocument(cause)).toEqual({ error: formatError(cause), code, exit_code: exitCode });
  expect(exitCodeOf(cause)).toBe(exitCode);
  expect(exitCodes.map((each) => each.code)).toContain(exitCode);
});
