/**
 * kafkajs connects again with what an interrupted connection has left in its buffer: the rest of an answer would be read as the
 * beginning of the next one, and a length from its bytes. Each connection begins with an empty buffer.
 */
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

export type Connection = {
  chunks: Buffer[];
  bytesBuffered: number;
  bytesNeeded: number;
  readonly socket?: Socket;
  isConnected(): boolean;
  connect(): Promise<true>;
  disconnect(): Promise<true>;
};

export const Connection = createRequire(import.meta.url)('kafkajs/src/network/connection.js') as {
  new (options: object): Connection;
  readonly prototype: Connection;
};

/** An answer begins with its length. */
const lengthBytes = 4;
const { prototype } = Connection;
const { connect } = prototype;

prototype.connect = function (this: Connection): Promise<true> {
  if (!this.isConnected()) {
    // Of the former connection, which may be closed on one side only.
    this.socket?.removeAllListeners('data').resume();
    Object.assign(this, { chunks: [], bytesBuffered: 0, bytesNeeded: lengthBytes });
  }
  return connect.call(this);
};
