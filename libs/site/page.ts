/** What every page of the site consists of. */
import type { Content } from './html.ts';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: 2 | 3;
}

/** One result that the search may find: a page or a part of it. */
export interface SearchRecord {
  readonly url: string;
  readonly title: string;
  readonly page: string;
  readonly text: string;
  /** Other words that lead here; they are not shown. */
  readonly keywords?: string;
}

export interface Page {
  readonly url: string;
  readonly title: string;
  /** One sentence for search engines and previews. */
  readonly description: string;
  readonly content: Content;
  readonly headings: readonly Heading[];
  readonly records: readonly SearchRecord[];
  /** Pages with samples beside their text need the whole width. */
  readonly isWide?: boolean;
}
