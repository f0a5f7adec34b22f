import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { freePort, isFree } from './ports.ts';

const hasSixth = Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === 'IPv6'));
const hosts = ['127.0.0.1', '0.0.0.0', ...(hasSixth ? ['::1', '::'] : [])];

describe('a port', () => {
  // A development server at `localhost` listens on one of them alone; a service of ours takes callers on all.
  test.each(hosts)('on which somebody listens at %s is not free', async (host) => {
    const other = createServer();
    const port = await freePort();
    await new Promise<void>((resolve, reject) => {
      other.once('error', reject);
      other.listen({ port, host, ipv6Only: host.includes(':') }, resolve);
    });
    try {
      expect(await isFree(port)).toBe(false);
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
    expect(await isFree(port)).toBe(true);
  });
});
