/** What a user of `npm start` reads and may ask for. */
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { chooseHttpPort, isFree } from './ports.ts';
import { parseStartArguments } from './start-arguments.ts';
import { describeReady } from './start-summary.ts';

const services = {
  dir: '/nowhere',
  baseUrl: 'http://127.0.0.1:18080',
  consoleUrl: 'http://127.0.0.1:8090',
  operations: { processor: 'http://127.0.0.1:1', gateway: 'http://127.0.0.1:2', console: 'http://127.0.0.1:3' },
};

test('a start names the busy port, the one it took instead, and how to choose another one', async () => {
  const server = createServer();
  if (await isFree(8080)) await new Promise<void>((resolve) => server.listen(8080, '127.0.0.1', resolve));
  const apiPort = await chooseHttpPort({});
  server.close();
  expect(apiPort).toMatchObject({ busy: 8080, variable: 'PORT' });
  expect(apiPort.port).not.toBe(8080);
  const consolePort = { port: 8090, what: 'the console', variable: 'CONSOLE_PORT' };
  const ready = { seconds: 9.53, services, signInUrl: `${services.consoleUrl}/sign-in/link/x` };
  const text = describeReady({ ...ready, ports: [apiPort, consolePort] });
  expect(text).toContain(`Port 8080 is in use, so the API listens on ${apiPort.port}; PORT=9000 npm start`);
  expect(text).not.toContain('CONSOLE_PORT');
  expect(text).toMatch(/^ {2}API +http:\/\/127\.0\.0\.1:18080$/m);
  expect(text).toMatch(/^ {2}Sign in +http:\/\/127\.0\.0\.1:8090\/sign-in\/link\/x$/m);
});

test('the arguments of a start choose whether the demo Tenancy is filled, and nothing else is accepted', () => {
  expect(parseStartArguments([])).toEqual({ backingServicesOnly: false, demo: 'auto' });
  expect(parseStartArguments(['--demo'])).toEqual({ backingServicesOnly: false, demo: 'fill' });
  expect(parseStartArguments(['--no-demo'])).toEqual({ backingServicesOnly: false, demo: 'leave empty' });
  expect(parseStartArguments(['backing-services'])).toEqual({ backingServicesOnly: true, demo: 'auto' });
  for (const args of [['--dmeo'], ['demo'], ['--demo=yes'], ['backing-services', 'x']]) {
    expect(() => parseStartArguments(args)).toThrow('usage: npm start -- [--demo | --no-demo]');
  }
});
