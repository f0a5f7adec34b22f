import { expect, test } from '@jest/globals';
import { contract } from '#libs/api/contract-versions.ts';
import { changelogPage } from './changelog-page.ts';
import { renderPage } from './layout.ts';

test('a deprecated field is shown with its method and path, and with the day from which it is refused', () => {
  const text = renderPage(changelogPage(contract));
  expect(text).toContain(
    'vat_rate_bps of PUT /v1/tenants/{tenant_id}/company-profile is accepted and ignored before 2027-01-15 and refused from that day on.',
  );
  expect(text).not.toContain('putCompanyProfile');
});

test('every kind of change is shown under its own anchor with the day on which it takes effect', () => {
  const change = (changelogAnchor: string) => ({
    changedIn: '2026-10-16',
    window: { announcedOn: '2026-10-16', endsOn: '2027-02-01', changelogAnchor },
  });
  const route = 'listLoans';
  const text = renderPage(
    changelogPage({
      ...contract,
      entries: [
        { kind: 'route', route, ...change('a') },
        { kind: 'query_parameter', route, parameter: 'state', ...change('b') },
        { kind: 'request_field', change: 'required', route: 'reportReceipt', field: 'rail', ...change('c') },
        { kind: 'answer_field', route, holder: 'loans/*', field: 'old', before: (loan) => loan, ...change('d') },
        {
          kind: 'meaning',
          of: 'answer',
          route,
          holder: 'loans/*',
          field: 'state',
          convert: (loan) => loan,
          ...change('e'),
        },
      ],
    }),
  );
  const loans = 'GET /v1/tenants/{tenant_id}/loans';
  for (const shown of [
    `href="#a">Deprecated: ${loans}</a></h2><ul><li>${loans} is served before 2027-02-01 and unknown from that day on.`,
    `href="#b">Deprecated: state</a></h2><ul><li>state of ${loans} is read before 2027-02-01 and refused from that day on.`,
    'rail of POST /v1/tenants/{tenant_id}/receipts is optional before 2027-02-01 and required from that day on.',
    `old of ${loans} is answered before 2027-02-01 and absent from that day on.`,
    `href="#e">Changes: state</a></h2><ul><li>state of ${loans} keeps its meaning before 2027-02-01 and changes it on that day.`,
  ]) {
    expect(text).toContain(shown);
  }
});
