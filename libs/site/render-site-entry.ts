/** A worker thread that renders the site, sends its files and ends. */
import { parentPort } from 'node:worker_threads';
import { siteFiles } from './site.ts';

parentPort?.postMessage(siteFiles());
