/** A Tenancy with Clients and Loans to report receipts of, and the requests that do. */
import { mintKey, type Signer, signerFromText } from '#libs/auth/sign.ts';
import { openAdministration } from '#libs/submission/client.ts';
import { Line, requestBytes } from './caller.ts';

export interface Lender {
  readonly tenantId: string;
  readonly signer: Signer;
  readonly clients: readonly string[];
  /** One receipt of a Client, under a reference of its own. */
  receipt(client: string): Buffer;
  /** So many receipts of so many Clients in one request. */
  batch(many: number): Buffer;
}

const boundless = { concurrent: 10_000, patience_ms: 2_000, per_second: 1_000_000, burst: 1_000_000 };
const atOnce = 32;
const knownWithinMs = 1_000;

export async function openLender(
  addresses: Parameters<typeof openAdministration>[0],
  port: number,
  many: number,
  anchorOf: (nth: number) => string = () => '2026-01-15',
): Promise<Lender> {
  const tenantId = `bench${Date.now()}`;
  const signer = await admit(addresses, tenantId);
  const lines = await Promise.all(Array.from({ length: atOnce }, () => Line.open(port)));
  const clients = Array.from({ length: many }, (_, at) => `client-${at}`);
  const say = async (line: Line | undefined, method: string, path: string, body: object): Promise<{ id: string }> => {
    const told = await line?.send(requestBytes(signer, method, `/v1/tenants/${tenantId}${path}`, body));
    if (told === undefined || told.status > 201) throw new Error(`${method} ${path}: ${told?.status} ${told?.body}`);
    return JSON.parse(told.body) as { id: string };
  };
  const { id } = await say(lines[0], 'POST', '/product-configurations', product);
  let begun = 0;
  await Promise.all(
    lines.map(async (line) => {
      for (let nth = begun++; nth < many; nth = begun++) {
        const client = clients[nth] as string;
        await say(line, 'PUT', `/clients/${client}`, { actor: 'bench', basis: 'a bench' });
        await say(line, 'POST', '/loans', loan(id, client, anchorOf(nth)));
      }
      line.close();
    }),
  );
  const target = `/v1/tenants/${tenantId}/receipts`;
  let count = 0;
  const next = (client: string): object => {
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
  return {
    tenantId,
    signer,
    clients,
    receipt: (client) => requestBytes(signer, 'POST', target, next(client)),
    batch(receipts) {
      const body = { receipts: Array.from({ length: receipts }, () => next(clients[count % many] as string)) };
      return requestBytes(signer, 'POST', `${target}/batch`, body);
    },
  };
}

async function admit(addresses: Parameters<typeof openAdministration>[0], tenantId: string): Promise<Signer> {
  const silent = { warn: () => undefined, error: () => undefined };
  const { administration, close } = await openAdministration(addresses, silent);
  const opening = { tenantId, name: 'Bench', live: false, jurisdiction: 'MX', timeZone: 'America/Mexico_City' };
  await administration.openTenancy('bench', opening);
  await administration.setBounds('bench', tenantId, boundless);
  const { secret, publicKey } = mintKey('test');
  await administration.mintKey('bench', { tenantId, publicKey, scope: 'write', holder: 'service', label: 'bench' });
  await close();
  await new Promise((resolve) => setTimeout(resolve, knownWithinMs));
  const signer = signerFromText(secret);
  if (signer === undefined) throw new Error('a minted secret is one');
  return signer;
}

const product = {
  archetype: 'instalment',
  values: {
    principal_min: { minor_units: 100_00, currency: 'MXN' },
    principal_max: { minor_units: 50_000_00, currency: 'MXN' },
    rate_min: '12',
    rate_max: '60',
    terms: [12],
  },
};

function loan(configurationId: string, client: string, anchor: string): object {
  return {
    reference: `loan-${client}`,
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
