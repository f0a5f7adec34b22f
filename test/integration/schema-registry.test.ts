/** What keeps readers of the public record able to read it. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '#deploy/stack/ports.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { bookEventAvro, submissionAvro } from '#libs/kafka/schemas.ts';
import { type House, house } from './tenant.ts';

let here: House;
let registry: SchemaRegistry;
beforeAll(() => {
  here = house();
  registry = new SchemaRegistry(here.stack.schemaRegistryUrl);
});

const received = { type: 'record', name: 'Received', fields: [{ name: 'amount', type: 'long' }] };
const withField = (field: object) => ({ ...received, fields: [...received.fields, field] });
const aSubject = () => `journey-${randomUUID()}-value`;

async function levelOf(subject: string): Promise<unknown> {
  return (await fetch(`${here.stack.schemaRegistryUrl}/config/${subject}`)).json();
}

describe('a schema', () => {
  test('is read back under the id its records carry, which stays its id however often it is registered', async () => {
    const subject = aSubject();
    const id = await registry.register(subject, received, 'FULL_TRANSITIVE');
    expect(await registry.schemaOf(subject, id)).toEqual(received);
    const another = new SchemaRegistry(`${here.stack.schemaRegistryUrl}/`);
    expect(await another.register(subject, received, 'FULL_TRANSITIVE')).toBe(id);
  });

  test('that older readers could not read is refused, and the one before it still stands', async () => {
    const subject = aSubject();
    const id = await registry.register(subject, received, 'FULL_TRANSITIVE');
    const broken = registry.register(subject, withField({ name: 'payer', type: 'string' }), 'FULL_TRANSITIVE');
    await expect(broken).rejects.toMatchObject({ name: 'SchemaRegistryError', status: 409 });
    expect(await registry.register(subject, received, 'FULL_TRANSITIVE')).toBe(id);
  });

  test('that every reader can read succeeds the one before it under another id', async () => {
    const subject = aSubject();
    const id = await registry.register(subject, received, 'FULL_TRANSITIVE');
    const grown = withField({ name: 'payer', type: 'string', default: '' });
    const next = await registry.register(subject, grown, 'FULL_TRANSITIVE');
    expect(next).not.toBe(id);
    expect(await registry.schemaOf(subject, next)).toEqual(grown);
  });

  test('that nobody registered is not found', async () => {
    await expect(registry.schemaOf(aSubject(), 2_000_000_000)).rejects.toMatchObject({ status: 404 });
  });
});

test('the schemas of the house stand under the levels they promise', async () => {
  expect(await levelOf(bookEventAvro.subject)).toEqual({ compatibilityLevel: 'FULL_TRANSITIVE' });
  expect(await levelOf(submissionAvro.subject)).toEqual({ compatibilityLevel: 'BACKWARD' });
});

test('a registry that is not there is told at once, without what was asked of it', async () => {
  const away = new SchemaRegistry(`http://127.0.0.1:${await freePort()}`);
  const error = await away.register(aSubject(), received, 'BACKWARD').catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: 'SchemaRegistryError', status: undefined });
  expect(Object.keys(error as object).sort()).toEqual(['name', 'status']);
});
