/** Renders the site on a thread of its own: it takes a second, in which the main thread serves signed requests. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SiteFile } from './site.ts';

export async function renderSite(): Promise<readonly SiteFile[]> {
  const thread = new Worker(new URL('./render-site-entry.ts', import.meta.url));
  thread.unref();
  // Rejects where the thread fails.
  const [files] = (await once(thread, 'message')) as [readonly SiteFile[]];
  return files;
}
