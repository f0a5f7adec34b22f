import { expect, test } from '@jest/globals';
import { parsePostgresUrl } from './postgres-url.ts';

test('an address with one host is one URL', () => {
  const url = 'postgres://u:p%40s@h:5433/lending?sslmode=verify-full';
  expect(parsePostgresUrl(url)).toEqual({ urls: [url], requiresPrimary: false });
});

test('an address with several hosts is a URL for each, with the same login and parameters', () => {
  const url = 'postgresql://u:p@h1:5432,h2,[::1]:5434/lending?sslmode=require&target_session_attrs=read-write';
  expect(parsePostgresUrl(url)).toEqual({
    urls: [
      'postgresql://u:p@h1:5432/lending?sslmode=require',
      'postgresql://u:p@h2/lending?sslmode=require',
      'postgresql://u:p@[::1]:5434/lending?sslmode=require',
    ],
    requiresPrimary: true,
  });
});

test.each(['primary', 'read-write'])('target_session_attrs=%s requires the primary', (attributes) => {
  expect(parsePostgresUrl(`postgres://h/d?target_session_attrs=${attributes}`)?.requiresPrimary).toBe(true);
});

test('a socket in a parameter has no host', () => {
  expect(parsePostgresUrl('postgres:///d?host=/run/postgres')?.urls).toEqual(['postgres:///d?host=/run/postgres']);
});

test.each([
  'mysql://h/d',
  'h1:5432,h2:5432',
  'postgres://h1:5432,/d',
  'postgres://h1:x,h2/d',
  // A service cannot work on a standby.
  'postgres://h1,h2/d?target_session_attrs=standby',
])('%s is invalid', (url) => {
  expect(parsePostgresUrl(url)).toBeUndefined();
});
