/**
 * What the door costs: signed receipts through it, beside the floor of the same run (an express route that reads the
 * body, verifies the signature and parses). The load comes from a thread of its own.
 *
 *     node libs/http/bench.ts [connections] [seconds]
 */
import { createPublicKey, hash, verify } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import express from 'express';
import { KeyTable } from '#libs/auth/key-ring.ts';
import { authorize, mintKey, signerFromText } from '#libs/auth/sign.ts';
import { entranceTo } from '#libs/http/middleware.ts';
import { RequestPipeline } from '#libs/http/request-pipeline.ts';

const target = '/v1/tenants/acme/receipts';
const receipt = JSON.stringify({
  reference: 'r-1234567',
  client_id: 'c-123456',
  amount: { minor_units: 12345, currency: 'MXN' },
  value_date: '2026-11-05',
  designated_loan_id: '0192f0c1-2345-7abc-8def-0123456789ab',
  rail: 'bank_transfer',
  provider_reference: 'SPEI 2026110500012345',
});

interface Load {
  readonly port: number;
  readonly request: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Each connection sends its next request when it has the answer to the last. */
function load({ port, request, connections, seconds }: Load): void {
  const latencies: number[] = [];
  const until = performance.now() + seconds * 1000;
  let open = connections;
  const start = (): void => {
    let sentAt = 0;
    const next = (): void => {
      sentAt = performance.now();
      socket.write(request, 'latin1');
    };
    const socket = connect(port, '127.0.0.1', next);
    socket.setNoDelay(true);
    socket.on('data', (answer) => {
      if (answer.toString('latin1', 9, 12) !== '201') throw new Error(answer.toString());
      latencies.push(performance.now() - sentAt);
      if (performance.now() < until) next();
      else socket.end();
    });
    socket.on('close', () => {
      open -= 1;
      if (open === 0) parentPort?.postMessage(latencies.sort((one, other) => one - other));
    });
  };
  for (let at = 0; at < connections; at += 1) start();
}

async function measure(name: string, handle: RequestListener, load: Omit<Load, 'port'>): Promise<number> {
  const server = createServer(handle);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const cpuBefore = process.cpuUsage();
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...load, port } });
  const latencies = await new Promise<number[]>((done, failed) => worker.once('message', done).once('error', failed));
  const cpu = process.cpuUsage(cpuBefore);
  server.close();
  const perSecond = latencies.length / load.seconds;
  const p50 = latencies[Math.floor(latencies.length / 2)] as number;
  const p99 = latencies[Math.floor(latencies.length * 0.99)] as number;
  const cpuMicros = (cpu.user + cpu.system) / latencies.length;
  console.log(
    `${name}: ${perSecond.toFixed(0)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  ${cpuMicros.toFixed(0)} µs CPU, load included`,
  );
  return perSecond;
}

async function main(): Promise<void> {
  const [connections = 16, seconds = 5] = process.argv.slice(2).map(Number);
  const minted = mintKey('test');
  const signer = signerFromText(minted.secret);
  if (signer === undefined) throw new Error('a minted secret is not read');
  const authorization = authorize(signer, { method: 'POST', target, body: receipt, nowMs: Date.now() });
  const head = [`POST ${target} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json'];
  const request = `${head.join('\r\n')}\r\nContent-Length: ${receipt.length}\r\nAuthorization: ${authorization}\r\n\r\n${receipt}`;

  const ring = new KeyTable();
  ring.putTenancy({ id: 'acme', live: false, jurisdiction: 'MX', timeZone: 'UTC' });
  ring.putKey({ publicKey: minted.publicKey, tenantId: 'acme', scope: 'write', holder: 'service' });
  const bounds = { concurrent: 1000, patienceMs: 2000, perSecond: 1e9, burst: 1e9 };
  const answer = { status: 201, body: { receipt: { reference: 'r-1234567' } } };
  const door = entranceTo(new RequestPipeline({ keyRing: ring, bounds, handlers: { reportReceipt: () => answer } }));

  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), minted.publicKey]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const floor = express();
  floor.disable('x-powered-by');
  floor.disable('etag');
  floor.post(target, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const [, ts, sig] = /ts=(\d+),sig=(.*)/.exec(request.headers.authorization ?? '') ?? [];
      const canonical = `POST\n${request.originalUrl}\n${ts}\n${hash('sha256', body, 'hex')}`;
      const holds = verify(null, Buffer.from(canonical), key, Buffer.from(sig ?? '', 'base64url'));
      JSON.parse(body.toString());
      const text = JSON.stringify(answer.body);
      response.writeHead(holds ? 201 : 401, { 'Content-Type': 'application/json', 'Content-Length': text.length });
      response.end(text);
    });
  });

  const shared = { request, connections, seconds };
  await measure('warm-up', door, { ...shared, seconds: 1 });
  const bare = await measure('floor', floor, shared);
  const through = await measure('door', door, shared);
  console.log(`the door takes ${(bare / through).toFixed(2)} times the floor`);
}

if (isMainThread) await main();
else load(workerData as Load);
