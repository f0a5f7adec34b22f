import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { servicesUrlIn } from './services-login.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-login-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('the services log in under a name and a password of their own, the same at every start', () => {
  const owner = 'postgres://lending:owners@127.0.0.1:5432/lending';
  const url = new URL(servicesUrlIn(dir, owner));
  expect(url.username).toBe('lending_services');
  expect(url.password).toMatch(/^[\w-]{24}$/);
  expect(servicesUrlIn(dir, owner)).toBe(url.href);
  expect(statSync(join(dir, 'services-password')).mode & 0o777).toBe(0o600);
});
