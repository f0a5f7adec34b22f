#!/usr/bin/env node
// Entry of the command line. Where nothing is installed yet, or Node cannot run TypeScript, it says what to do first.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const installedNode = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url));
const isSecondTry = 'LENDING_INSTALLED_NODE' in process.env;

// A Node that cannot run TypeScript hands over to the installed one.
if (!process.features.typescript && !isSecondTry && existsSync(installedNode)) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  // Ctrl-C reaches the whole process group: the child ends in its own way, and this process after it.
  process.on('SIGINT', () => undefined);
  const env = { ...process.env, LENDING_INSTALLED_NODE: '1' };
  const { status, signal } = spawnSync(installedNode, args, { stdio: 'inherit', env });
  process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
}

// The compiled modules are kept between runs: without it, half of the time of a short command is compilation.
module.enableCompileCache?.();

const { runLending } = await import('./selected-cell.ts').catch((cause) => {
  if (!isNotInstalled(cause)) throw cause;
  console.error('Run npm start first: it installs the packages and the Node that the command line needs.');
  process.exit(1);
});
await runLending();

/** A Node that cannot run TypeScript, or a missing package; a missing file of the project is another error. */
function isNotInstalled({ code, message }) {
  return (
    code === 'ERR_UNKNOWN_FILE_EXTENSION' || (code === 'ERR_MODULE_NOT_FOUND' && /cannot find package/i.test(message))
  );
}
