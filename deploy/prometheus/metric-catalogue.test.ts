import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectDir } from '../dev/dev-files.ts';
import { sourceFiles } from '../image/image-files.ts';
import { metricCatalogue } from './metric-catalogue.ts';

const file = join(projectDir, 'docs', 'operations', 'metrics.md');

function document(): string {
  const rows = metricCatalogue().map(
    ({ name, type, help, labels }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return `# Metrics

Every service exports them at \`/metrics\` of the port for operators (\`METRICS_PORT\`), with the label \`service\`, and beside them the
metrics of Node (\`process_*\`, \`nodejs_*\`). [Alerts](alerts.md) and the dashboards in \`deploy/grafana\` use them.

Generated from the sources by \`UPDATE_DOCS=true npm run jest -- deploy/prometheus/metric-catalogue\`.

| Metric | Type | Labels | Meaning |
| - | - | - | - |
${rows.join('\n')}
`;
}

test('every metric that the sources define is documented', () => {
  if (process.env['UPDATE_DOCS'] === 'true') writeFileSync(file, document());
  expect(metricCatalogue().length).toBeGreaterThan(20);
  expect(readFileSync(file, 'utf8')).toBe(document());
});

test('no metric is defined twice, or in a form that the catalogue misses', () => {
  const found = metricCatalogue().map(({ name }) => name);
  const sources = sourceFiles().map((source) => readFileSync(join(projectDir, source), 'utf8'));
  const named = sources.flatMap((text) => [...text.matchAll(/name: '(lending_\w+)'/g)].map(([, name]) => name));
  expect(found).toEqual(expect.arrayContaining(named));
  expect(new Set(found).size).toBe(found.length);
});
