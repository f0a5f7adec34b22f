/**
 * Signed receipts per second through the whole pipeline, compared with a bare Express route that reads the body, verifies
 * the signature and parses. The load comes from another thread.
 *
 *     node test/load/http-pipeline.ts [connections] [seconds]
 */
import { createPublicKey, hash, verify } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import express from 'express';
import { InMemoryKeyRing } from '#libs/auth/key-ring.ts';
import { authorizationHeader, generateKey, parseSigner } from '#libs/auth/signer.ts';
import { VerificationWorker } from '#libs/auth/verification-worker.ts';
import { createApp } from '#libs/http/app.ts';

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
const answer = { status: 201, body: { receipt: { reference: 'r-1234567' } } };
const publicKeyDerPrefix = '302a300506032b6570032100';

interface Load {
  readonly port: number;
  readonly request: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Each connection sends its next request when it has the answer to the previous one. */
function generateLoad({ port, request, connections, seconds }: Load): void {
  const latenciesMs: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  let open = connections;
  const start = (): void => {
    let sentAt = 0;
    const sendNext = (): void => {
      sentAt = performance.now();
      socket.write(request, 'latin1');
    };
    const socket = connect(port, '127.0.0.1', sendNext);
    socket.setNoDelay(true);
    socket.on('data', (response) => {
      if (response.toString('latin1', 9, 12) !== '201') throw new Error(response.toString());
      latenciesMs.push(performance.now() - sentAt);
      if (performance.now() < endsAt) sendNext();
      else socket.end();
    });
    socket.on('close', () => {
      open -= 1;
      if (open === 0) parentPort?.postMessage(latenciesMs.sort((a, b) => a - b));
    });
  };
  for (let started = 0; started < connections; started += 1) start();
}

async function measure(name: string, listener: RequestListener, load: Omit<Load, 'port'>): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const cpuBefore = process.threadCpuUsage();
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...load, port } });
  const latenciesMs = await new Promise<number[]>((done, failed) => worker.once('message', done).once('error', failed));
  const { user, system } = process.threadCpuUsage(cpuBefore);
  server.close();
  const count = latenciesMs.length;
  const perSecond = count / load.seconds;
  const p50 = latenciesMs[Math.floor(count / 2)] as number;
  const p99 = latenciesMs[Math.floor(count * 0.99)] as number;
  const mainThreadMicros = (user + system) / count;
  console.log(
    `${name}: ${perSecond.toFixed(0)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  ` +
      `${mainThreadMicros.toFixed(0)} µs on the main thread`,
  );
  return perSecond;
}

function bareRoute(publicKey: Uint8Array): RequestListener {
  const der = Buffer.concat([Buffer.from(publicKeyDerPrefix, 'hex'), publicKey]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.post(target, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const [, ts, sig] = /ts=(\d+),sig=(.*)/.exec(request.headers.authorization ?? '') ?? [];
      const canonical = `POST\n${request.originalUrl}\n${ts}\n${hash('sha256', body, 'hex')}`;
      const isValid = verify(null, Buffer.from(canonical), key, Buffer.from(sig ?? '', 'base64url'));
      JSON.parse(body.toString());
      const text = JSON.stringify(answer.body);
      response.writeHead(isValid ? 201 : 401, { 'Content-Type': 'application/json', 'Content-Length': text.length });
      response.end(text);
    });
  });
  return app;
}

async function main(): Promise<void> {
  const [connections = 16, seconds = 5] = process.argv.slice(2).map(Number);
  const { secret, publicKey } = generateKey('test');
  const signer = parseSigner(secret);
  if (signer === undefined) throw new Error('the generated secret is malformed');
  const authorization = authorizationHeader(signer, { method: 'POST', target, body: receipt, nowMs: Date.now() });
  const head = [`POST ${target} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json'];
  head.push(`Content-Length: ${receipt.length}`, `Authorization: ${authorization}`);
  const load = { request: `${head.join('\r\n')}\r\n\r\n${receipt}`, connections, seconds };

  const keyRing = new InMemoryKeyRing();
  keyRing.putTenancy({ id: 'acme', live: false, jurisdiction: 'MX', timeZone: 'UTC' });
  keyRing.putKey({ publicKey, tenantId: 'acme', scope: 'write', holder: 'service' });
  const defaultBounds = { maxConcurrent: 1000, maxWaitMs: 2000, requestsPerSecond: 1e9, burst: 1e9 };
  const handlers = { reportReceipt: () => answer };
  const pipeline = createApp({ keyRing, defaultBounds, handlers });

  await measure('warm-up', pipeline, { ...load, seconds: 1 });
  const bare = await measure('bare route', bareRoute(publicKey), load);
  const pipelineRate = await measure('pipeline, verifying on the main thread', pipeline, load);
  const worker = new VerificationWorker((cause) => console.error(cause));
  await worker.started;
  const pipelineWithWorker = createApp({ keyRing, defaultBounds, handlers, verify: worker.verify });
  await measure('pipeline, verifying on the worker thread', pipelineWithWorker, load);
  await worker.close();
  console.log(`the pipeline reaches ${((100 * pipelineRate) / bare).toFixed(0)} % of the bare route`);
}

if (isMainThread) await main();
else generateLoad(workerData as Load);
