/** Words of readers that the texts do not use, by the page or section that answers them. */
import type { SearchRecord } from './page.ts';

const keywords: { readonly [url: string]: string } = {
  '/docs/guide/corrections': 'undo revert delete change edit mistake',
  '/docs/guide/limits#listings': 'pagination paging pages',
  '/docs/reference/acts#retractFact': 'undo revert cancel delete',
  '/docs/reference/clients#readObligations': 'refund overpayment',
  '/docs/reference/receipts#reverseReceipt': 'undo revert cancel delete refund',
  '/docs/reference/undoing#cancelLoan': 'undo delete',
  '/docs/reference/undoing#rescindLoan': 'undo refund',
};

export function withKeywords(records: readonly SearchRecord[]): readonly SearchRecord[] {
  const unknown = Object.keys(keywords).filter((url) => !records.some((record) => record.url === url));
  if (unknown.length > 0) throw new Error(`the search has keywords for ${unknown.join(', ')}, which no page has`);
  return records.map((record) => {
    const words = keywords[record.url];
    return words === undefined ? record : { ...record, keywords: words };
  });
}
