/** One parked book: what waits in it, and the form that releases it. */
import type { ParkedBook } from '#libs/database/parked-submissions.ts';
import { presentPasswordField } from '../account/pages.ts';
import type { Visit } from '../console-context.ts';
import { csrfInput, errorList, field } from '../form.ts';
import { type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { tenancyPath } from '../tenancy-path.ts';
import { instantText } from './pages.ts';

/** A longer backlog is released on the command line, or in portions. */
export const maxListedSubmissions = 200;

export interface ReleaseForm {
  readonly basis: string;
  readonly drop: readonly string[];
  readonly problems: readonly string[];
}

export const emptyRelease: ReleaseForm = { basis: '', drop: [], problems: [] };

/** What has to be typed: it names the Tenancy, too. */
export function bookName({ tenantId, bookId }: Pick<ParkedBook, 'tenantId' | 'bookId'>): string {
  return `${tenantId}/${bookId}`;
}

/** To the request log: the request was answered, with 500. */
function requestLink(tenantId: string, requestId: string): Html {
  return html`<a href=${tenancyPath(tenantId, ['requests', requestId])}><code>${requestId}</code></a>`;
}

export function parkedBookPage({ texts, browserToken }: Visit, book: ParkedBook, form: ReleaseForm): Html {
  const { health: words } = texts;
  const { submissions } = book;
  const drop = ({ place }: ParkedBook['submissions'][number]): Html =>
    html`<input
      type="checkbox"
      name="drop"
      value=${place}
      checked=${form.drop.includes(place)}
      aria-label=${`${words.releaseDrop}: ${place}`}
    />`;
  return html`<form method="post">
    ${csrfInput(browserToken)}
    <p>${words.releaseHint}</p>
    ${table<ParkedBook['submissions'][number]>(
      words.waiting,
      [
        { title: words.releaseDrop, cell: drop },
        { title: words.position, cell: ({ place }) => html`<code>${place}</code>` },
        { title: words.parkedSince, cell: ({ parkedAt }) => instantText(texts, parkedAt) },
        { title: words.operation, cell: ({ operation }) => operation ?? words.undecoded },
        { title: words.reference, cell: ({ reference }) => reference },
        { title: words.request, cell: ({ requestId }) => requestId && requestLink(book.tenantId, requestId) },
        { title: words.cause, cell: ({ fault }) => html`<span lang="en">${fault}</span>` },
      ],
      submissions,
    )}
    ${submissions.length === maxListedSubmissions && html`<p>${words.moreWaiting(String(maxListedSubmissions))}</p>`}
    <p><small>${words.releaseDropHint}</small></p>
    ${errorList(form.problems)}
    <div class="narrow-form">
      ${field({ name: 'basis', label: words.basis, value: form.basis, maxLength: 500 })}
      ${field({ name: 'confirmation', label: words.typeName(bookName(book)) })} ${presentPasswordField(texts)}
      <div class="actions">
        <button class="danger">${words.release}</button>
        <a class="button secondary outline" href="/health">${words.back}</a>
      </div>
    </div>
  </form>`;
}
