import type { Market, Markets } from '#libs/product/markets/market.ts';
import { MX } from '#libs/product/markets/mx.ts';

/** The markets of this release. Tests that need another law pass their own map. */
export const MARKETS: Markets = new Map([[MX.jurisdiction, MX]]);

export function marketOf(jurisdiction: string, markets: Markets = MARKETS): Market | undefined {
  return markets.get(jurisdiction);
}
