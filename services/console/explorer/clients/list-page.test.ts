import { expect, test } from '@jest/globals';
import { rendered, visitOfOperator } from '../../testing/rendered-page.ts';
import { en } from '../../texts/en.ts';
import { es } from '../../texts/es.ts';
import { clientListPage } from './list-page.ts';

test.each([
  [en, ['Policies', 'Decisions']],
  [es, ['políticas', 'Decisiones']],
] as const)('a search without a result says what is searched and what is not', (texts, notSearched) => {
  const search = { name: 'clave-1', found: [] };
  const page = rendered(clientListPage(visitOfOperator({ texts }), search, { clients: [] }, true));
  const [, notice = ''] = /<p role="status" class="notice">([^<]*)/.exec(page) ?? [];
  const { client, loan, receipt } = texts.explorer.clients.kinds;
  for (const text of ['clave-1', client, loan, receipt, ...notSearched]) expect(notice).toContain(text);
});
