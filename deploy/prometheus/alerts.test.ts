/** Alerts, dashboards and runbooks agree with each other and with the metrics of the services. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { parse } from 'yaml';
import { projectDir } from '../dev/dev-files.ts';
import { cellDashboard } from '../grafana/dashboard.ts';
import { findProgram } from '../tools/programs.ts';
import { metricCatalogue, seriesNames } from './metric-catalogue.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface AlertTest {
  readonly alertname: string;
  readonly exp_alerts?: readonly object[];
}

const rulesFile = join(import.meta.dirname, 'alerts.yaml');
const testsFile = join(import.meta.dirname, 'alerts.test.yaml');
const dashboardFile = join(projectDir, 'deploy', 'grafana', 'lending-cell.json');
const operations = join(projectDir, 'docs', 'operations');
const runbooks = join(operations, 'runbooks');
const { groups } = parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);

/** The expected text of a generated file, written first where the documents are updated. */
function generated(file: string, text: string): string {
  if (process.env['UPDATE_DOCS'] === 'true') writeFileSync(file, text);
  return readFileSync(file, 'utf8');
}

generated(dashboardFile, JSON.stringify(cellDashboard()));
// As the linter wants it.
if (process.env['UPDATE_DOCS'] === 'true') {
  execFileSync(join(projectDir, 'node_modules', '.bin', 'biome'), ['format', '--write', dashboardFile]);
}

describe('the metrics', () => {
  const ofNode = new Registry();
  collectDefaultMetrics({ register: ofNode });
  const series = new Set([
    ...metricCatalogue().flatMap(seriesNames),
    ...ofNode.getMetricsAsArray().map(({ name }) => name),
  ]);

  test.each([rulesFile, testsFile, dashboardFile])('that %s names are exported by the services', (file) => {
    const names = readFileSync(file, 'utf8').match(/\b(?:lending|process|nodejs)_\w+/g) ?? [];
    expect(names.length).toBeGreaterThan(10);
    expect([...new Set(names)].filter((name) => !series.has(name))).toEqual([]);
  });

  test('of a gateway with several processes have the longest block of all of them', async () => {
    const name = 'nodejs_eventloop_lag_max_seconds';
    const all = await ofNode.getMetricsAsJSON();
    const afterBlock = (value: number) =>
      all.map((metric) => (metric.name === name ? { ...metric, values: [{ value, labels: {} }] } : metric));
    const ofGateway = AggregatorRegistry.aggregate([afterBlock(0.01), afterBlock(1), afterBlock(0.02)]);
    expect(await ofGateway.getSingleMetricAsString(name)).toMatch(/ 1$/);
  });

  test('are all shown on the dashboard or used by an alert', () => {
    const used = readFileSync(dashboardFile, 'utf8') + readFileSync(rulesFile, 'utf8');
    const unused = metricCatalogue().filter((metric) => !seriesNames(metric).some((name) => used.includes(name)));
    expect(unused.map(({ name }) => name)).toEqual([]);
  });
});

test('the dashboard is the one that its source describes', () => {
  expect(JSON.parse(readFileSync(dashboardFile, 'utf8'))).toEqual(cellDashboard());
});

function dashboardQueries(): string[] {
  const { panels } = JSON.parse(readFileSync(dashboardFile, 'utf8')) as { panels: { targets?: { expr: string }[] }[] };
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  return queries.map((query) => query.replaceAll('$__rate_interval', '5m'));
}

describe('runbooks', () => {
  const files = readdirSync(runbooks).filter((name) => name !== 'README.md');
  const textOf = (file: string): string => readFileSync(join(runbooks, file), 'utf8');
  const alertsIn = (file: string) => [...textOf(file).matchAll(/^Alert: `(\w+)`$/gm)].map(([, name]) => name);

  test.each(alerts)('$alert names a runbook that names it', ({ alert, annotations }) => {
    expect(annotations.runbook_url).toMatch(/^docs\/operations\/runbooks\/[a-z-]+\.md$/);
    expect(existsSync(join(projectDir, annotations.runbook_url))).toBe(true);
    expect(alertsIn(basename(annotations.runbook_url))).toContain(alert);
  });

  test.each(files)('%s names only alerts that lead to it, and says how to check, act and see the end', (file) => {
    const leading = alerts.filter(({ annotations }) => basename(annotations.runbook_url) === file);
    expect(alertsIn(file)).toEqual(leading.map(({ alert }) => alert));
    for (const heading of ['## Symptom', '## Check', '## Remedy', '## Over when'])
      expect(textOf(file)).toContain(heading);
  });

  test.each(files)('%s names metrics that exist', (file) => {
    const known = new Set(metricCatalogue().flatMap((metric) => [metric.name, ...seriesNames(metric)]));
    const named = [...textOf(file).matchAll(/\blending_[a-z_]+/g)].map(([name]) => name);
    expect(named.filter((name) => !known.has(name) && !name.startsWith('lending_service'))).toEqual([]);
  });
});

describe('with several cells in one Prometheus', () => {
  test.each(alerts)('$alert is raised for each cell', ({ expr }) => {
    const aggregations = expr.match(/\b(?:sum|max|min|avg|count|group)\b[^(]*\([^()]*/g) ?? [];
    expect(aggregations.filter((text) => !/ by \(cell\b/.test(text))).toEqual([]);
  });

  test('the dashboard shows the cell that is chosen', () => {
    const selectors = dashboardQueries().flatMap(
      (query) => query.match(/\b(?:lending|process|nodejs)_\w+[^[)\s]*/g) ?? [],
    );
    expect(selectors.length).toBeGreaterThan(30);
    expect(selectors.filter((selector) => !selector.includes('{cell=~"$cell"'))).toEqual([]);
  });
});

/** `{{ $labels.instance }}` as *instance*, a value as *n*. */
function withoutTemplates(summary: string): string {
  return summary.replaceAll(/\{\{ \$(?:labels\.(\w+)|value)[^}]*\}\}/g, (_all, label?: string) => `*${label ?? 'n'}*`);
}

test('the list of alerts is the one of the rules', () => {
  const rows = alerts.map(({ alert, for: since = 'at once', labels, annotations }) => {
    const runbook = annotations.runbook_url.replace('docs/operations/', '');
    return `| [${alert}](${runbook}) | ${labels.severity} | ${since} | ${withoutTemplates(annotations.summary)} |`;
  });
  const text = `# Alerts

The rules are in \`deploy/prometheus/alerts.yaml\`, their tests in \`alerts.test.yaml\` beside it. Each alert names its runbook. \`page\`: act
now. \`ticket\`: within a day. Runbooks without an alert: [runbooks](runbooks/README.md).

Generated from the rules by \`UPDATE_DOCS=true npm run jest -- deploy/prometheus/alerts\`.

| Alert | Severity | After | Meaning |
| - | - | - | - |
${rows.join('\n')}
`;
  expect(generated(join(operations, 'alerts.md'), text)).toBe(text);
});

describe('the tests of the rules', () => {
  const { tests } = parse(readFileSync(testsFile, 'utf8')) as { tests: { alert_rule_test: AlertTest[] }[] };
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);

  test.each(alerts)('raise $alert and let it resolve', ({ alert }) => {
    const states = cases
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts = [] }) => exp_alerts.length > 0);
    expect(states).toEqual(expect.arrayContaining([true, false]));
  });

  const promtool = findProgram('promtool');
  const needsPromtool = promtool === undefined ? test.skip : test;
  needsPromtool('pass (skipped without promtool: run npm run test:deploy)', () => {
    execFileSync(promtool ?? '', ['test', 'rules', testsFile], { stdio: 'pipe' });
  });

  needsPromtool('and the example of the scraping is valid (skipped without promtool)', () => {
    const dir = mkdtempSync(join(tmpdir(), 'lending-scraping-'));
    const config = parse(readFileSync(join(import.meta.dirname, 'prometheus.yaml'), 'utf8')) as {
      scrape_configs: { kubernetes_sd_configs?: object }[];
    };
    // Debian's Prometheus does not know Kubernetes.
    for (const scraped of config.scrape_configs) delete scraped.kubernetes_sd_configs;
    writeFileSync(join(dir, 'prometheus.json'), JSON.stringify({ ...config, rule_files: [rulesFile] }));
    execFileSync(promtool ?? '', ['check', 'config', join(dir, 'prometheus.json')], { stdio: 'pipe' });
    rmSync(dir, { recursive: true });
  });

  needsPromtool('and the queries of the dashboard are valid (skipped without promtool)', () => {
    const dir = mkdtempSync(join(tmpdir(), 'lending-queries-'));
    const file = join(dir, 'queries.json');
    const rules = dashboardQueries().map((expr, index) => ({ record: `query_${index}`, expr }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    execFileSync(promtool ?? '', ['check', 'rules', '--lint=none', file], { stdio: 'pipe' });
    rmSync(dir, { recursive: true });
  });
});
