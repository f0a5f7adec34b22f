/** What helm makes of the chart, over several sets of values. `npm run test:deploy` installs helm and the validator. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { allSettings } from '#libs/runtime/settings.ts';
import { findProgram } from '../tools/programs.ts';

const helm = findProgram('helm');
const validator = findProgram('kubernetes-validate');
const chart = join(import.meta.dirname, 'lending');
const valuesDir = join(import.meta.dirname, 'values');
const operations = join(import.meta.dirname, '..', '..', 'docs', 'operations');
const kubernetesVersion = '1.34';

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly volumeMounts: readonly { readonly mountPath: string }[];
  readonly securityContext: object;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: object;
  readonly containers: readonly [Container];
  readonly volumes: readonly object[];
}

interface CronJob {
  readonly spec: { readonly jobTemplate: { readonly spec: Manifest['spec'] } };
}

function podOf(manifest: Manifest): PodSpec {
  const { spec } = manifest.kind === 'CronJob' ? (manifest as unknown as CronJob).spec.jobTemplate : manifest;
  return spec.template.spec;
}

function render(args: readonly string[], folder = chart): string {
  const command = ['template', 'cell', folder, '--kube-version', kubernetesVersion, ...args];
  return execFileSync(helm ?? '', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) =>
    document.contents === null ? [] : [document.toJS() as Manifest],
  );
}

/** The arguments of the helm commands in a document, without the command, the release, the chart, its values and the pipe. */
function helmCommands(document: string): string[][] {
  const text = readFileSync(join(operations, document), 'utf8').replaceAll(/\\\n\s*/g, '');
  return [
    ...text.matchAll(/^helm (?:upgrade|template) cell deploy\/helm\/lending --values values.yaml ([^|\n]*)/gm),
  ].map(([, options = '']) =>
    options
      .trim()
      .split(/ +/)
      .map((option) => option.replaceAll("'", '')),
  );
}

const needsHelm = helm === undefined || validator === undefined ? describe.skip : describe;

needsHelm('the chart (skipped without helm: run npm run test:deploy)', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'lending-chart-'));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  const sets: [string, string[]][] = [
    ['the default values', []],
    ...readdirSync(valuesDir).map((file): [string, string[]] => [file, ['--values', join(valuesDir, file)]]),
  ];

  test.each(sets)('with %s passes helm lint and the schemas of Kubernetes', (_name, args) => {
    execFileSync(helm ?? '', ['lint', chart, '--strict', '--kube-version', kubernetesVersion, ...args]);
    const text = render(args);
    const files = manifestsOf(text).map((manifest, index) => {
      const file = join(dir, `${index}.yaml`);
      writeFileSync(file, JSON.stringify(manifest));
      return file;
    });
    execFileSync(validator ?? '', ['--strict', '--kubernetes-version', kubernetesVersion, ...files]);
  });

  test('prepares a cell with partitions on several databases', () => {
    const manifests = manifestsOf(render(['--values', join(valuesDir, 'several-databases.yaml')]));
    const job = manifests.find(({ kind, metadata }) => kind === 'Job' && metadata.name === 'cell-prepare');
    const [container] = podOf(job as Manifest).containers;
    const expected = ['prepare', '--yes', '--replicas', '3', '--partitions', '48', '--place', 'north=16-23,40-47'];
    expect(container.args.slice(-expected.length)).toEqual(expected);
  });

  test.each(sets)('with %s runs without root and names only settings and files that exist', (_name, args) => {
    const known = new Set(allSettings.flatMap(({ variable }) => [variable, `${variable}_FILE`]));
    const workloads = manifestsOf(render(args)).filter(({ kind }) => ['Deployment', 'Job', 'CronJob'].includes(kind));
    expect(workloads.length).toBeGreaterThan(1);
    for (const workload of workloads) {
      const { securityContext, containers, terminationGracePeriodSeconds } = podOf(workload);
      const [container] = containers;
      expect(securityContext).toMatchObject({ runAsNonRoot: true });
      expect(container.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
      for (const { name, value } of container.env) {
        expect(known).toContain(name);
        if (value.startsWith('/run/')) expect(mounts).toContain(value.slice(0, value.lastIndexOf('/')));
      }
      const drainMs = Number(container.env.find(({ name }) => name === 'DRAIN_MS')?.value ?? 0);
      if (terminationGracePeriodSeconds !== undefined) {
        expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(drainMs + 20_000);
      }
    }
  });

  test.each([
    ...sets,
    ['a setting of all services', ['--set', 'settings.GATEWAY_PROCESSES=3', '--set', 'heapPercentage=50']],
  ])('with %s divides the memory for objects between the processes of a pod', (_name, args) => {
    const heapPercentage = args.includes('heapPercentage=50') ? 50 : 60;
    const services = manifestsOf(render(args)).filter(({ kind }) => kind === 'Deployment');
    for (const { spec } of services) {
      const { name, args, env } = spec.template.spec.containers[0];
      const [share] = args.flatMap((argument) => /^--max-old-space-size-percentage=(.+)$/.exec(argument)?.[1] ?? []);
      const workers = Number(env.find((setting) => setting.name === 'GATEWAY_PROCESSES')?.value ?? 1);
      const processes = name === 'processor' ? 1.5 : name === 'gateway' ? workers : 1;
      expect(Number(share)).toBeGreaterThanOrEqual(1);
      expect(Number(share) * processes).toBeLessThanOrEqual(heapPercentage);
    }
  });

  test('refuses more processes of a gateway than its memory can be divided between', () => {
    expect(() => render(['--set', 'services.gateway.settings.GATEWAY_PROCESSES=61'])).toThrow(
      /GATEWAY_PROCESSES is 61/,
    );
  });

  test('gives each service its own login of Kafka, also where the common Secret has one', () => {
    const production = ['--values', join(valuesDir, 'production.yaml')];
    for (const args of [
      production,
      [...production, '--set', 'secret.keys={DATABASE_URL,KAFKA_USERNAME,KAFKA_PASSWORD}'],
    ]) {
      const workloads = manifestsOf(render(args)).filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
      const logins = workloads.map(({ spec }) => {
        const { env } = spec.template.spec.containers[0];
        expect(new Set(env.map(({ name }) => name)).size).toBe(env.length);
        return env
          .find(({ name }) => name === 'KAFKA_USERNAME_FILE')
          ?.value.split('/')
          .at(-2);
      });
      expect(logins.sort()).toEqual(
        ['console', 'ingress', 'operator', 'processor', 'query'].map((name) => `lending-${name}`),
      );
    }
  });

  test('runs a command of an operator in a job of its own, which is no part of a release', () => {
    const [command = [], ...others] = helmCommands('kubernetes.md');
    expect(others).toEqual([]);
    const [job] = manifestsOf(render([...command, '--values', join(valuesDir, 'production.yaml')]));
    const file = join(dir, 'command.yaml');
    // `kubectl create` completes the name.
    writeFileSync(
      file,
      JSON.stringify({ ...job, metadata: { ...job?.metadata, name: 'cell-command-x', generateName: undefined } }),
    );
    execFileSync(validator ?? '', ['--strict', '--kubernetes-version', kubernetesVersion, file]);
    const container = job?.spec.template.spec.containers[0];
    expect(container?.args).toEqual(['--max-old-space-size-percentage=60', 'libs/cli/main.ts', 'topic', 'check']);
    const env = new Map(container?.env.map(({ name, value }) => [name, value]));
    expect(env.get('DATABASE_OWNER_URL_FILE')).toBe('/run/secrets/lending-operator/DATABASE_OWNER_URL');
    expect(env.get('KAFKA_USERNAME_FILE')).toBe('/run/secrets/lending-operator/KAFKA_USERNAME');
    expect(manifestsOf(render([])).map(({ metadata }) => metadata.name)).not.toContainEqual(undefined);
  });

  test('runs an audit and a check of the topic every night as an operator, which record their results', () => {
    const production = ['--values', join(valuesDir, 'production.yaml')];
    const checks = (args: readonly string[]) =>
      manifestsOf(render(args)).flatMap((manifest) => (manifest.kind === 'CronJob' ? [podOf(manifest)] : []));
    const commands = checks(production).map(({ containers: [{ args, env }] }) => {
      expect(env.find(({ name }) => name === 'KAFKA_USERNAME_FILE')?.value).toBe(
        '/run/secrets/lending-operator/KAFKA_USERNAME',
      );
      return args.slice(2);
    });
    expect(commands).toEqual([
      ['audit', '--record'],
      ['topic', 'check', '--record'],
    ]);
    const folderOf = (image: string) => {
      const [audit] = checks(['--set', 'checks.audit.claimName=audit', '--set', `image.tag=${image}`]);
      expect(audit?.volumes).toContainEqual({ name: 'tmp', persistentVolumeClaim: { claimName: 'audit' } });
      return audit?.containers[0].args.join(' ');
    };
    expect(folderOf('one')).toMatch(/audit --record --state \/tmp\/[0-9a-f]{12}$/);
    // Another release must not continue an audit.
    expect(folderOf('one')).not.toBe(folderOf('two'));
    expect(checks(['--set', 'checks.audit.enabled=false', '--set', 'checks.topic.enabled=false'])).toEqual([]);
  });

  test('replaces the processors before everything else in an upgrade, and after it in a rollback', () => {
    const [previous, next] = [`lending@sha256:${'1'.repeat(64)}`, `lending@sha256:${'2'.repeat(64)}`];
    const steps = helmCommands('upgrade.md').map((command) => {
      expect(command).toContain('--wait');
      const args = command
        .filter((argument) => !['--wait', '--timeout', '15m'].includes(argument))
        .map((argument) =>
          argument
            .replace('$OLD_IMAGE', previous)
            .replace('$OLD_DIGEST', previous.replace('lending@', ''))
            .replace('$NEW_DIGEST', next.replace('lending@', '')),
        );
      const images = manifestsOf(render(args))
        .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
        .map(({ spec }) => spec.template.spec.containers[0])
        .map(({ name, image }) => [name, image === next ? 'next' : image === previous ? 'previous' : image]);
      return Object.fromEntries(images);
    });
    const all = (release: string) => ({ console: release, gateway: release, processor: release });
    const mixed = { ...all('previous'), processor: 'next' };
    expect(steps).toEqual([{ ...mixed, prepare: 'next' }, { ...all('next'), prepare: 'next' }, mixed, all('previous')]);
  });

  test('keeps the pods of a service whose image stays when the version of the chart changes', () => {
    const next = join(dir, 'next-chart');
    cpSync(chart, next, { recursive: true });
    const description = join(next, 'Chart.yaml');
    writeFileSync(description, readFileSync(description, 'utf8').replace(/^version: .*$/m, 'version: 9.9.9'));
    const podsOf = (text: string) =>
      manifestsOf(text)
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ metadata, spec }) => [metadata.name, spec.template]);
    expect(podsOf(render([], next))).toEqual(podsOf(render([])));
  });

  test('runs one service from another image, for an upgrade in order', () => {
    const text = render(['--set', 'services.gateway.image=lending:previous']);
    expect(text.match(/image: .*/g)?.sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'image: lending:latest'),
      'image: lending:previous',
    ]);
  });

  test('listens on IPv6 where HOST says so', () => {
    const services = manifestsOf(render(['--set', 'settings.HOST=::'])).filter(({ kind }) => kind === 'Deployment');
    for (const service of services) {
      expect(podOf(service).containers[0].env).toContainEqual({ name: 'HOST', value: '::' });
    }
    expect(services.length).toBeGreaterThan(1);
  });

  test('lets pods reach ports by TCP, or by the protocol that is named', () => {
    const ports = ['--set', 'networkPolicy.egressPorts={9093,5432}'];
    const dns = ['--set', 'networkPolicy.egressPorts[2].port=5353,networkPolicy.egressPorts[2].protocol=UDP'];
    const policies = manifestsOf(render([...ports, ...dns])).filter(({ kind }) => kind === 'NetworkPolicy');
    const [ofCell] = policies as unknown as { readonly spec: { readonly egress: readonly { ports: object[] }[] } }[];
    expect(ofCell?.spec.egress[0]?.ports.slice(2)).toEqual([
      { protocol: 'TCP', port: 9093 },
      { protocol: 'TCP', port: 5432 },
      { protocol: 'UDP', port: 5353 },
    ]);
    expect(() => render(['--set', 'networkPolicy.egressPorts[0].protocol=UDP'])).toThrow(/egressPorts/);
  });

  test('refuses a setting that the code does not read', () => {
    expect(() => render(['--set', 'settings.LOG_LEVL=info'])).toThrow(/LOG_LEVL/);
    expect(() => render(['--set', 'secret.keys={DATABASE_URI}'])).toThrow(/secret/);
  });
});
