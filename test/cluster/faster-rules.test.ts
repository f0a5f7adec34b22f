import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { fasterRules } from './faster-rules.ts';

test('every duration of a rule is divided, and nothing else changes', () => {
  const text = `groups:
  - name: lending
    rules:
      - { alert: A, expr: 'rate(x{status="5m"}[5m]) > 2 and y offset 15m > 10', for: 2m, labels: { severity: page } }
      - { alert: B, expr: 'x > 0' }
`;
  const rules = [
    {
      alert: 'A',
      expr: 'rate(x{status="5m"}[15s]) > 2 and y offset 45s > 10',
      for: '6s',
      labels: { severity: 'page' },
    },
    { alert: 'B', expr: 'x > 0' },
  ];
  expect(fasterRules(text, 20)).toEqual({ groups: [{ name: 'lending', rules }] });
});

test('no rule keeps a duration of minutes', () => {
  const text = readFileSync(join(projectDir, 'deploy', 'prometheus', 'alerts.yaml'), 'utf8');
  expect(JSON.stringify(fasterRules(text, 20))).not.toMatch(/\[\d+m\]|offset \d+m|"for":"\d+m"/);
});
