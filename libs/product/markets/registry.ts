import type { Market, Markets } from '#libs/product/markets/market.ts';
import { MX } from '#libs/product/markets/mx.ts';

/** Every market supplied. A test that needs another law hands over a map of its own. */
export const MARKETS: Markets = new Map([[MX.jurisdiction, MX]]);

export function marketOf(jurisdiction: string, markets: Markets = MARKETS): Market | undefined {
  return markets.get(jurisdiction);
}
