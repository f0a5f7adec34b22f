import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import { compressionFor } from './compression.ts';

const { GZIP, None } = kafkajs.CompressionTypes;

async function compress(buffer: Buffer): Promise<Buffer> {
  const codec = kafkajs.CompressionCodecs[GZIP]() as { compress(encoder: { buffer: Buffer }): Promise<Buffer> };
  return codec.compress({ buffer });
}

function events(count: number): Buffer {
  const lines = Array.from(
    { length: count },
    (_, index) => `{"reference":"receipt-${index * 7919}","minor_units":${index}}`,
  );
  return Buffer.from(lines.join('\n'));
}

test('only batches of 4 KiB and more are compressed', () => {
  expect(compressionFor(4_095)).toBe(None);
  expect(compressionFor(4_096)).toBe(GZIP);
});

test('a batch takes less, and every gzip reader restores it', async () => {
  const batch = events(1_000);
  const compressed = await compress(batch);
  expect(compressed.length).toBeLessThan(batch.length / 2);
  expect(gunzipSync(compressed).equals(batch)).toBe(true);
});

test('a batch never grows more than tenfold where it is read', async () => {
  const repetitive = Buffer.alloc(1024 * 1024, 'a');
  const stored = await compress(repetitive);
  expect(stored.length * 10).toBeGreaterThan(repetitive.length);
  expect(gunzipSync(stored).equals(repetitive)).toBe(true);
});
