import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * When a process was born, as its system tells it: with the pid it names one process for good, pids alone come back.
 * Empty where it was dead before that could be asked: no process is born then.
 */
export type Born = string;

const hasProc = existsSync('/proc/self/stat');
// Linux counts a birth from the boot: after the next one the same count with the same pid is somebody else.
const boot = hasProc ? bootId() : '';

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

/** Undefined where no such process lives; a zombie does not. */
export function bornOf(pid: number): Born | undefined {
  return hasProc ? bornByProc(pid) : bornByPs(pid);
}

function bornByProc(pid: number): Born | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is the command in brackets and may hold spaces: count from its end. Field 3 is the state, 22 the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isDead = fields[0] === 'Z' || fields[0] === 'X';
  return isDead ? undefined : `${boot} ${fields[19]}`;
}

function bornByPs(pid: number): Born | undefined {
  try {
    const out = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [state, ...start] = out.split(/\s+/);
    return state === undefined || state === '' || state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}
