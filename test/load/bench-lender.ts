/** A Tenancy with Clients and Loans for benchmarks, and signed requests that report Receipts. */
import { generateKey, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { openAdministration } from '#libs/submission/open-submission-client.ts';
import { requestBytes } from '#test/support/signed-request.ts';
import { Connection } from './connection.ts';

export interface BenchLender {
  readonly tenantId: string;
  readonly signer: Signer;
  readonly clients: readonly string[];
  /** A request that reports one new Receipt of a Client. */
  receipt(client: string): Buffer;
  /** The same, of each Client in turn. */
  readonly receiptOfNextClient: () => Buffer;
  /** A request that reports this many Receipts, of each Client in turn or of the Clients that are given. */
  batch(receiptCount: number, clientOf?: () => string, contextOf?: () => object): Buffer;
}

export const wideBounds = { concurrent: 10_000, patience_ms: 2_000, per_second: 1_000_000, burst: 1_000_000 };
const setupConnections = 32;
/** Every instance learns of a new key within this time. */
const keyPropagationMs = 1_000;

export async function createBenchLender(
  addresses: Parameters<typeof openAdministration>[0],
  port: number,
  clientCount: number,
  anchorOf: (index: number) => string = () => '2026-01-15',
): Promise<BenchLender> {
  const tenantId = `bench${Date.now()}`;
  const signer = await openBenchTenancy(addresses, tenantId);
  const connections = await Promise.all(Array.from({ length: setupConnections }, () => Connection.open(port)));
  const clients = Array.from({ length: clientCount }, (_, index) => `client-${index}`);
  const send = (connection: Connection, method: string, path: string, body: object): Promise<{ id: string }> =>
    record(connection, signer, method, `/v1/tenants/${tenantId}${path}`, body);
  const { id } = await send(connections[0] as Connection, 'POST', '/product-configurations', benchProduct);
  await inParallel(connections, clientCount, async (connection, index) => {
    const client = clients[index] as string;
    await send(connection, 'PUT', `/clients/${client}`, { actor: 'bench', basis: 'benchmark' });
    await send(connection, 'POST', '/loans', benchLoan(id, client, `loan-${client}`, anchorOf(index)));
  });
  for (const connection of connections) connection.close();
  const target = `/v1/tenants/${tenantId}/receipts`;
  let count = 0;
  const newReceipt = (client: string): object => {
    count += 1;
    const amount = { minor_units: 1_00, currency: 'MXN' };
    return {
      reference: `receipt-${count}`,
      client_id: client,
      amount,
      value_date: '2026-03-01',
      rail: 'bank_transfer',
    };
  };
  const nextClient = (): string => clients[count % clientCount] as string;
  const receipt = (client: string): Buffer => requestBytes(signer, 'POST', target, newReceipt(client));
  return {
    tenantId,
    signer,
    clients,
    receipt,
    receiptOfNextClient: () => receipt(nextClient()),
    batch(receiptCount, clientOf = nextClient, contextOf) {
      const receipts = Array.from({ length: receiptCount }, () => ({
        ...newReceipt(clientOf()),
        context: contextOf?.(),
      }));
      return requestBytes(signer, 'POST', `${target}/batch`, { receipts });
    },
  };
}

/** Fails where the service does not record it. */
export async function record(
  connection: Connection,
  signer: Signer,
  method: string,
  path: string,
  body: object,
): Promise<{ id: string }> {
  const response = await connection.send(requestBytes(signer, method, path, body));
  if (response.status > 201) throw new Error(`${method} ${path}: ${response.status} ${response.body}`);
  return JSON.parse(response.body) as { id: string };
}

/** Sends with each number below `count` once; each connection sends one at a time. */
export async function inParallel<Sender>(
  connections: readonly Sender[],
  count: number,
  send: (connection: Sender, index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (let index = next++; index < count; index = next++) await send(connection, index);
    }),
  );
}

export async function openBenchTenancy(
  addresses: Parameters<typeof openAdministration>[0],
  tenantId: string,
): Promise<Signer> {
  const { administration, close } = await openAdministration(addresses, silentLogger);
  const tenancy = { tenantId, name: 'Bench', live: false, jurisdiction: 'MX', timeZone: 'America/Mexico_City' };
  await administration.openTenancy('bench', tenancy);
  await administration.setBounds('bench', tenantId, wideBounds);
  const { secret, publicKey } = generateKey('test');
  await administration.mintKey('bench', { tenantId, publicKey, scope: 'write', holder: 'service', label: 'bench' });
  await close();
  await new Promise((resolve) => setTimeout(resolve, keyPropagationMs));
  const signer = parseSigner(secret);
  if (signer === undefined) throw new Error('the minted secret cannot be parsed');
  return signer;
}

export const benchProduct = {
  archetype: 'instalment',
  values: {
    principal_min: { minor_units: 100_00, currency: 'MXN' },
    principal_max: { minor_units: 50_000_00, currency: 'MXN' },
    rate_min: '12',
    rate_max: '60',
    terms: [12],
  },
};

export function benchLoan(configurationId: string, client: string, reference: string, anchor: string): object {
  return {
    reference,
    client_id: client,
    configuration_id: configurationId,
    configuration_version: 1,
    principal: { minor_units: 50_000_00, currency: 'MXN' },
    term_periods: 12,
    rate: '36',
    penalty_rate: '0',
    anchor,
    jurisdiction: 'MX',
    tax: { rate: '16', on: ['interest'] },
  };
}
