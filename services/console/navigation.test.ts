import { expect, test } from '@jest/globals';
import { tenancyNavigation } from './navigation.ts';
import { rendered, visitOfOperator } from './testing/rendered-page.ts';
import { es } from './texts/es.ts';

test('each page of a Tenancy says whether it is real lending or a test', () => {
  const shown = (isLive: boolean) => rendered(tenancyNavigation(visitOfOperator({ isLive, texts: es })));
  expect(shown(true)).toContain('>de producción</small>');
  expect(shown(false)).toContain('>de prueba</small>');
});

test('each page of a Tenancy has the search of Clients, Loans and Receipts, once', () => {
  const shown = (path: string) => rendered(tenancyNavigation(visitOfOperator({ path })));
  expect(shown('/tenancies/acme/loans/1')).toContain('<form method="get" action="/tenancies/acme/clients">');
  expect(shown('/tenancies/acme/loans/1')).toContain('<button class="skip">Find</button>');
  // The page of Clients has a search of its own.
  expect(shown('/tenancies/acme/clients')).not.toContain('<form');
});
