/** Profiles of the services of a benchmark: each process writes its own when it exits. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CpuProfile, flameGraph, frameTree } from './flame-graph.ts';
import type { PhaseResult } from './peer-round.ts';

const rawDir = (dir: string): string => join(dir, 'raw');
/** By a file that only this process loads. */
const services = { gateway: 'services/gateway/main.ts', processor: 'services/processor/main.ts' };

/** Applies to the services that start after this call. */
export function profileServices(dir: string): void {
  rmSync(rawDir(dir), { recursive: true, force: true });
  mkdirSync(rawDir(dir), { recursive: true });
  process.env['NODE_OPTIONS'] = `--cpu-prof --cpu-prof-dir=${rawDir(dir)}`;
}

/** A file for each service and phase. */
export function drawProfiles(dir: string, phases: readonly PhaseResult[]): void {
  for (const file of readdirSync(rawDir(dir))) {
    const profile = JSON.parse(readFileSync(join(rawDir(dir), file), 'utf8')) as CpuProfile;
    const service = Object.entries(services).find(([, main]) =>
      profile.nodes.some(({ callFrame }) => callFrame.url.endsWith(main)),
    )?.[0];
    if (service === undefined) continue;
    for (const { phase, window } of phases) {
      const name = `${phase.replaceAll(/[^a-z0-9]+/g, '-')}-${service}.svg`;
      writeFileSync(join(dir, name), flameGraph(frameTree(profile, ...window), `${service}: ${phase}`));
    }
  }
}
