/** A GET request to a server of the cluster, whose certificate is signed by the cluster's own authority. */
import { get } from 'node:https';

const timeoutMs = 2_000;

export function getJson(port: number, path: string, ca: Buffer): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, ca, timeout: timeoutMs }, async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      } catch (cause) {
        reject(cause as Error);
      }
    });
    request.on('timeout', () => request.destroy(new Error(`no answer from port ${port} within ${timeoutMs} ms`)));
    request.on('error', reject);
  });
}
