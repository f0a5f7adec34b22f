/** Style sheets, scripts and icons: read and compressed once, at addresses that change with their content. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import { packageAssets } from './package-assets.ts';

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as const;
const folder = join(import.meta.dirname, 'assets');

export interface Assets {
  /** The address of an asset; throws for a name that does not exist. */
  url(name: string): string;
  readonly router: RequestHandler;
}

interface Asset {
  readonly type: string;
  readonly encodings: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>;
}

export function loadAssets(): Assets {
  const published = Object.entries(packageAssets).map(([name, file]) => [name, packageFile(file)] as const);
  const own = readdirSync(folder).map((name) => [name, join(folder, name)] as const);
  const urls = new Map<string, string>();
  const byUrl = new Map<string, Asset>();
  for (const [name, file] of [...published, ...own]) {
    const [stem = '', extension = ''] = name.split('.');
    const type = types[extension as keyof typeof types];
    if (type === undefined) throw new Error(`asset ${name}: no media type is known for .${extension}`);
    const bytes = readFileSync(file);
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const url = `/assets/${stem}.${digest}.${extension}`;
    const encodings = { br: brotliCompressSync(bytes), gzip: gzipSync(bytes), identity: bytes };
    urls.set(name, url);
    byUrl.set(url, { type, encodings });
  }
  return {
    url(name) {
      const url = urls.get(name);
      if (url === undefined) throw new Error(`there is no asset ${name}`);
      return url;
    },
    router: assetRouter(byUrl),
  };
}

/** Also where the package does not export the file. */
function packageFile(file: string): string {
  const [, name = '', path = ''] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(file) ?? [];
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`package ${name} of asset ${file} is not installed`);
  return join(dirname(manifest), path);
}

function assetRouter(byUrl: ReadonlyMap<string, Asset>): RequestHandler {
  const router = Router();
  router.get('/assets/:name', (request, response, next) => {
    const asset = byUrl.get(request.path);
    if (asset === undefined) return next();
    const encoding = (request.acceptsEncodings('br', 'gzip', 'identity') || 'identity') as 'br' | 'gzip' | 'identity';
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.setHeader('Vary', 'Accept-Encoding');
    response.setHeader('Content-Type', asset.type);
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.end(asset.encodings[encoding]);
  });
  return router;
}
