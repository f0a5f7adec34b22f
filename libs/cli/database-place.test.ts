import { describe, expect, test } from '@jest/globals';
import { databasePlace } from './database-place.ts';

test.each([
  ['postgres://services:pass@db.example:5433/lending?sslmode=require', 'db.example:5433/lending'],
  ['postgres://services@a:5432,b:5433/lending?target_session_attrs=read-write', 'a:5432,b:5433/lending'],
  ['postgresql://127.0.0.1/lending', '127.0.0.1/lending'],
])('%s is at %s', (url, place) => {
  expect(databasePlace(url)).toBe(place);
});

describe('no part of a password is shown', () => {
  test.each([
    'postgres://services:top@secret@db.example/lending',
    'postgres://services:top/secret@db.example/lending',
    'postgres://services:17/secret@db.example/lending',
    'postgres://services:top?secret@db.example/lending',
    'postgres://services:top#secret@db.example/lending',
    'postgres://db.example/lending?password=top@secret',
    'services:top@secret',
  ])('of %s', (url) => {
    expect(databasePlace(url)).not.toMatch(/top|secret|17/);
  });
});
