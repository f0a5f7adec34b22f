/** Sends an answer in pieces, as they are read. */
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** Ends without an error where the browser closed the connection. */
export async function sendPieces(response: Response, pieces: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(pieces, response);
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('ERR_STREAM_')) throw error;
  }
}
