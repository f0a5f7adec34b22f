/** Content that is the same for all callers while the process runs: its bytes are prepared once for each encoding. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PublicRequest, RouteHandler, RouteResponse } from '#libs/http/handler.ts';
import { matchesTag } from '#services/query/entity-tag.ts';

type Encoding = 'br' | 'gzip' | 'identity';
/** Brotli is the smallest. */
const compressions = ['br', 'gzip'] as const;
const variesBy = ['Accept-Encoding'];
/** The highest quality takes twenty times as long for a tenth fewer bytes. */
const brotliQuality = 9;

export class StaticContent {
  readonly #digest: string;
  readonly #prepared = new Map<Encoding, Promise<Buffer>>();
  readonly #plain: Buffer;

  constructor(content: string | Uint8Array) {
    this.#plain = Buffer.from(content);
    this.#digest = hash('sha256', this.#plain, 'base64url').slice(0, 27);
  }

  /** Compressed on a thread of Node's pool at the first request for the encoding. */
  bytes(encoding: Encoding): Promise<Buffer> {
    const prepared = this.#prepared.get(encoding) ?? this.#encode(encoding);
    this.#prepared.set(encoding, prepared);
    return prepared;
  }

  /** A strong tag names exact bytes, so that each encoding has its own. */
  tag(encoding: Encoding): string {
    return `"${this.#digest}-${encoding}"`;
  }

  async #encode(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'gzip') return promisify(gzip)(this.#plain, { level: constants.Z_BEST_COMPRESSION });
    if (encoding === 'identity') return this.#plain;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_SIZE_HINT]: this.#plain.length,
    };
    return promisify(brotliCompress)(this.#plain, { params });
  }
}

/** Answers with the content in the best encoding that the caller accepts, or 304 if the caller has it. */
export function staticHandler(
  bytes: string | Uint8Array,
  { type, headers = {} }: Pick<RouteResponse, 'type' | 'headers'> = {},
): RouteHandler<PublicRequest> {
  const content = new StaticContent(bytes);
  return async ({ header, acceptsEncoding }) => {
    const encoding = compressions.find(acceptsEncoding) ?? 'identity';
    const tag = content.tag(encoding);
    if (matchesTag(header('If-None-Match'), tag)) return { status: 304, variesBy, headers: { ...headers, ETag: tag } };
    return {
      variesBy,
      status: 200,
      bytes: await content.bytes(encoding),
      ...(type === undefined ? {} : { type }),
      headers: { ...headers, ETag: tag, ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }) },
    };
  };
}
