/** The schema registry keeps consumers of the topics able to read them. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '#deploy/dev/ports.ts';
import { prepare } from '#libs/cli/prepare.ts';
import { bookEventSchema } from '#libs/kafka/book-event.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { submissionSchema } from '#libs/kafka/submission-record.ts';
import { Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';

let environment: TestEnvironment;
let registry: SchemaRegistry;
beforeAll(() => {
  environment = testEnvironment();
  registry = new SchemaRegistry(environment.stack.schemaRegistryUrl);
});

const received = { type: 'record', name: 'Received', fields: [{ name: 'amount', type: 'long' }] };
const withField = (field: object) => ({ ...received, fields: [...received.fields, field] });
const aSubject = () => `test-${randomUUID()}-value`;

async function levelOf(subject: string): Promise<unknown> {
  return (await fetch(`${environment.stack.schemaRegistryUrl}/config/${subject}`)).json();
}

describe('a schema', () => {
  test('is read under the id in its records and keeps that id when it is registered again', async () => {
    const subject = aSubject();
    const id = await registry.register(subject, received, 'FULL_TRANSITIVE');
    expect(await registry.getSchema(subject, id)).toEqual(received);
    const another = new SchemaRegistry(`${environment.stack.schemaRegistryUrl}/`);
    expect(await another.register(subject, received, 'FULL_TRANSITIVE')).toBe(id);
  });

  test('that older readers could not read is refused, and the previous one stays', async () => {
    const subject = aSubject();
    const id = await registry.register(subject, received, 'FULL_TRANSITIVE');
    const broken = registry.register(subject, withField({ name: 'payer', type: 'string' }), 'FULL_TRANSITIVE');
    await expect(broken).rejects.toMatchObject({ name: 'SchemaRegistryError', status: 409 });
    expect(await registry.register(subject, received, 'FULL_TRANSITIVE')).toBe(id);
  });

  test('that every reader can read is registered under a new id', async () => {
    const subject = aSubject();
    const id = await registry.register(subject, received, 'FULL_TRANSITIVE');
    const grown = withField({ name: 'payer', type: 'string', default: '' });
    const next = await registry.register(subject, grown, 'FULL_TRANSITIVE');
    expect(next).not.toBe(id);
    expect(await registry.getSchema(subject, next)).toEqual(grown);
  });

  test('is found by its text under its own id, also when a later one was registered, and is not registered by that', async () => {
    const subject = aSubject();
    const grown = withField({ name: 'payer', type: 'string', default: '' });
    await expect(registry.findId(subject, received)).rejects.toMatchObject({ name: 'SchemaNotRegisteredError' });
    expect(await registry.hasSubject(subject)).toBe(false);
    const id = await registry.register(subject, received, 'FULL_TRANSITIVE');
    await expect(registry.findId(subject, grown)).rejects.toMatchObject({ name: 'SchemaNotRegisteredError' });
    const next = await registry.register(subject, grown, 'FULL_TRANSITIVE');
    const another = new SchemaRegistry(environment.stack.schemaRegistryUrl);
    expect([await another.findId(subject, received), await another.findId(subject, grown)]).toEqual([id, next]);
    expect(await another.hasSubject(subject)).toBe(true);
  });

  test('that was never registered is not found', async () => {
    await expect(registry.getSchema(aSubject(), 2_000_000_000)).rejects.toMatchObject({ status: 404 });
  });
});

test('the schemas of the service have their promised compatibility levels', async () => {
  expect(await levelOf(bookEventSchema.subject)).toEqual({ compatibilityLevel: 'FULL_TRANSITIVE' });
  expect(await levelOf(submissionSchema.subject)).toEqual({ compatibilityLevel: 'BACKWARD' });
});

test('a registry that lost its data gets no schema of `lending prepare` while a topic holds records, which name other ids', async () => {
  const requests: (string | undefined)[] = [];
  const empty = createServer((request, response) => {
    requests.push(request.method);
    response.writeHead(404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ error_code: 40_401, message: 'no such subject' }));
  });
  await new Promise<void>((resolve) => empty.listen(0, '127.0.0.1', resolve));
  const schemaRegistryUrl = `http://127.0.0.1:${(empty.address() as AddressInfo).port}`;
  const tenant = await Tenant.open(environment);
  try {
    expect((await tenant.put('/clients/ana', { actor: 'me', basis: 'agreed' })).status).toBe(201);
    await expect(prepare({ ...environment.stack, schemaRegistryUrl })).rejects.toThrow(
      'lending.submissions holds records, but the schema registry has no schema for lending.submissions-value',
    );
    expect(requests).toEqual(['GET']);
  } finally {
    await tenant.close();
    empty.closeAllConnections();
    empty.close();
  }
});

test('an unreachable registry fails at once, and the error does not contain the schema', async () => {
  const away = new SchemaRegistry(`http://127.0.0.1:${await freePort()}`);
  const error = await away.register(aSubject(), received, 'BACKWARD').catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: 'SchemaRegistryError', status: undefined });
  expect(Object.keys(error as object).sort()).toEqual(['name', 'status']);
});
