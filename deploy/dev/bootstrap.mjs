// Runs a script of the project from a clean clone: installs the pinned packages, among them the pinned Node, and runs the
// script with that Node in a process group of its own. Works on Node 20. usage: node deploy/dev/bootstrap.mjs SCRIPT [ARGUMENT…]
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));
const node = join(project, 'node_modules', '.bin', 'node');
const parentCheckMs = 500;
const progressIntervalMs = 5000;
const [script, ...args] = process.argv.slice(2);
const startedAt = Date.now();

if (!isInstalled()) await install();
await runScript();

/** Whether every package is installed in the version of the lock file, according to npm's own list. */
function isInstalled() {
  if (!existsSync(node)) return false;
  const installed = packagesIn(join(project, 'node_modules', '.package-lock.json'));
  const { packages: required } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  return Object.entries(required).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

/** Empty where an install was interrupted before or while it wrote the list. */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return {};
  }
}

async function install() {
  const log = (line) => console.log(`install  packages from npm: ${line}`);
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  log('about a minute the first time');
  const progress = setInterval(() => log(`${seconds()} s so far`), progressIntervalMs);
  // The npm that runs this script, where one does.
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  // Development packages are needed whatever NODE_ENV says: the embedded Postgres is one. Warnings are hidden, because
  // they are about the Node that runs npm, not the installed one.
  const ci = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, wasSignalled } = await runChild(command, [...first, ...ci], { cwd: project, stdio: 'inherit' });
  clearInterval(progress);
  if (wasSignalled) process.exit(130);
  if (code !== 0) process.exit(code);
  if (!existsSync(node)) {
    // A script of its package installs the pinned Node.
    log('npm installed no Node because ignore-scripts is set; run: npm ci --ignore-scripts=false');
    process.exit(1);
  }
  log(`done in ${seconds()} s`);
}

async function runScript() {
  const command = [resolve(project, script), ...args];
  // The channel tells the script when this process has ended, even by SIGKILL.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  // With the time that the packages took, npm start says how long it was.
  const env = { ...process.env, ...withoutProxy(), LENDING_BOOTSTRAP_STARTED_AT: String(startedAt) };
  const { code } = await runChild(node, command, { stdio, env, detached: true });
  process.exit(code);
}

/** Runs a child and passes signals on to it; the child decides when it ends. */
async function runChild(command, childArgs, options) {
  let wasSignalled = false;
  const passOn = (signal) => {
    wasSignalled = true;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  // Before the child starts: a signal ends a process that does not listen for it.
  for (const signal of signals) process.on(signal, passOn);
  const child = spawn(command, childArgs, options);
  // npm may be killed without passing a signal on; then this process gets another parent.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && passOn('SIGTERM'), parentCheckMs);
  const code = await exitOf(child);
  clearInterval(watch);
  for (const signal of signals) process.off(signal, passOn);
  if (options.detached) killGroup(child.pid);
  return { code, wasSignalled };
}

/** What the script started and did not stop, as after a crash. */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}

/** Connections to this machine do not use a proxy, even where Node is configured to take the one of the environment. */
function withoutProxy() {
  const current = process.env.no_proxy || process.env.NO_PROXY;
  if (current === '*') return {};
  const list = [...(current ? [current] : []), '127.0.0.1', 'localhost'].join(',');
  return { NO_PROXY: list, no_proxy: list };
}

function exitOf(child) {
  return new Promise((done) => {
    child.once('error', (cause) => {
      console.error(cause.message);
      done(1);
    });
    child.once('exit', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}
