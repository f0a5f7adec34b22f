// The way into the house from a clean clone: runs on whatever Node the machine has, brings the pinned packages (the
// pinned Node among them) and hands over to it. usage: node deploy/bootstrap/main.mjs SCRIPT [ARGUMENT…]
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));
const node = join(project, 'node_modules', '.bin', 'node');
const [script, ...args] = process.argv.slice(2);

if (!isInstalled()) await install();
await handOver();

/** Whether every package is there in the version of the lock file, by the list npm keeps of what it laid out. */
function isInstalled() {
  const laidOut = join(project, 'node_modules', '.package-lock.json');
  if (!existsSync(node)) return false;
  const there = packagesOf(laidOut);
  const { packages: wanted } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || there[path]?.version === version,
  );
}

/** None where the list is not there, or written by half by an install that was broken off. */
function packagesOf(laidOut) {
  try {
    return JSON.parse(readFileSync(laidOut, 'utf8')).packages;
  } catch {
    return {};
  }
}

async function install() {
  const began = Date.now();
  const say = (line) => console.log(`install  ${line}`);
  say('packages from npm: about a minute the first time');
  const ticking = setInterval(
    () => say(`packages from npm: ${Math.round((Date.now() - began) / 1000)} s so far`),
    5000,
  );
  // The npm that runs this script, where one does. Its warnings are about the Node it runs on, not the one it brings.
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  // With what is only developed with, whatever NODE_ENV says: the embedded Postgres is among it.
  const ci = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, isTold } = await attended(spawn(command, [...first, ...ci], { cwd: project, stdio: 'inherit' }));
  clearInterval(ticking);
  if (isTold) process.exit(130);
  if (code !== 0) process.exit(code);
  if (!existsSync(node)) {
    // npm gives this setting on to what it runs; the pinned Node lays itself out with a script of its package.
    say(
      'npm brought no Node, as where it is set to run no scripts of packages (ignore-scripts): npm ci --ignore-scripts=false',
    );
    process.exit(1);
  }
  say(`packages from npm: done in ${Math.round((Date.now() - began) / 1000)} s`);
}

async function handOver() {
  // A channel, so that the script learns of our end even where we are killed.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(node, ['--disable-warning=TimeoutNegativeWarning', join(project, script), ...args], {
    stdio,
    env: { ...process.env, ...nearby() },
  });
  process.exit((await attended(child)).code);
}

/** How a child ended, which was told whatever we were told meanwhile; it decides itself when it is done. */
async function attended(child) {
  let isTold = false;
  const tell = (name) => {
    isTold = true;
    child.kill(name);
  };
  // A terminal tells it as well; it knows that twice is once.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const name of signals) process.on(name, tell);
  // npm dies with its terminal or by a kill without telling: then nobody waits for us any more.
  const before = starters();
  const watching = setInterval(() => starters() !== before && tell('SIGTERM'), 500);
  const code = await ended(child);
  clearInterval(watching);
  for (const name of signals) process.off(name, tell);
  return { code, isTold };
}

/** What listens here is not behind a proxy, also where Node is told to take the one of the environment. */
function nearby() {
  const told = process.env.no_proxy || process.env.NO_PROXY;
  const list = [...(told ? [told] : []), '127.0.0.1', 'localhost'].join(',');
  return told === '*' ? {} : { NO_PROXY: list, no_proxy: list };
}

/** Who started us, and npm where a shell stands between; of that the system tells only on Linux. */
function starters() {
  const parent = process.ppid;
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8');
    const grandparent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    const isNpm = readFileSync(`/proc/${grandparent}/comm`, 'utf8').startsWith('npm');
    return isNpm ? `${parent} ${grandparent}` : `${parent}`;
  } catch {
    return `${parent}`;
  }
}

function ended(child) {
  return new Promise((resolve) => {
    child.once('error', (cause) => {
      console.error(cause.message);
      resolve(1);
    });
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}
