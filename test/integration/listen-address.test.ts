/** The ports of a service and of the development stack are reached from this machine alone, unless `HOST` opens them. */
import { createConnection } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import { serviceEnvironment } from '#deploy/dev/services.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';

let environment: TestEnvironment;
beforeAll(() => {
  environment = testEnvironment();
});

/** Every address 127.x.y.z of Linux is this machine, and a port that listens on 127.0.0.1 alone refuses the others. */
const otherAddress = '127.0.0.2';
const testOnLinux = process.platform === 'linux' ? test : test.skip;

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

testOnLinux("the API, the operators' ports and the embedded backing services listen on 127.0.0.1 alone", async () => {
  const { stack, services } = environment;
  const urls = [
    services.baseUrl,
    ...Object.values(services.operations),
    stack.schemaRegistryUrl,
    stack.databaseUrl,
    stack.redisUrl,
    `kafka://${stack.kafkaBrokers.split(',')[0]}`,
  ];
  const local = urls.map((url) => new URL(url)).filter(({ hostname }) => hostname === '127.0.0.1');
  expect(local.length).toBeGreaterThan(1);
  for (const { port, protocol } of local) {
    const reached = [await accepts('127.0.0.1', Number(port)), await accepts(otherAddress, Number(port))];
    expect({ protocol, reached }).toEqual({ protocol, reached: [true, false] });
  }
});

testOnLinux("HOST opens the API and the operators' port of a service to other addresses", async () => {
  const service = await ServiceProcess.start('gateway', {
    ...serviceEnvironment(environment.stack),
    HOST: '0.0.0.0',
    LOG_LEVEL: 'silent',
  });
  await service.waitUntilReady();

  expect(await accepts(otherAddress, service.port)).toBe(true);
  expect(await accepts(otherAddress, Number(new URL(service.operationsUrl).port))).toBe(true);

  await service.stop();
});
