/** Every metric that the services export, found in their sources, for the documentation and the tests of alerts and dashboards. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../dev/dev-files.ts';
import { sourceFiles } from '../image/image-files.ts';

type MetricType = 'counter' | 'gauge' | 'histogram';

export interface Metric {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  readonly labels: readonly string[];
}

const definitions = [
  /new (?<type>Counter|Gauge|Histogram)\(\{\s*name: '(?<name>lending_\w+)',\s*help: (?<quote>['"])(?<help>.+?)\k<quote>,(?<rest>[\s\S]*?)registers/g,
  /(?<type>counter)\(\s*'(?<name>lending_\w+)',\s*(?<quote>['"])(?<help>.+?)\k<quote>,?\s*\)/g,
  /(?<type>stageTimes)\(\s*\{\s*name: '(?<name>lending_\w+)',\s*help: (?<quote>['"])(?<help>.+?)\k<quote>/g,
];

export function metricCatalogue(): Metric[] {
  const sources = sourceFiles().filter((file) => file.endsWith('.ts'));
  const texts = sources.map((file) => readFileSync(join(projectDir, file), 'utf8'));
  const metrics = texts.flatMap((text) =>
    definitions.flatMap((definition) => [...text.matchAll(definition)].map(({ groups }) => toMetric(groups ?? {}))),
  );
  return metrics.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toMetric(groups: { readonly [name: string]: string | undefined }): Metric {
  const { type = '', name = '', help = '', rest = '' } = groups;
  if (type === 'stageTimes') return { name, help, type: 'histogram', labels: ['stage'] };
  const labels = /labelNames: \[([^\]]*)\]/.exec(rest)?.[1] ?? '';
  return {
    name,
    help,
    type: type.toLowerCase() as MetricType,
    labels: [...labels.matchAll(/'(\w+)'/g)].map(([, label]) => label ?? ''),
  };
}

/** The series of a metric, as queries name them. */
export function seriesNames({ name, type }: Metric): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}
