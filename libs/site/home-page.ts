/** The first page. It has an anchor for each operation, where the earlier one-page reference had its section. */
import type { RouteName } from '#libs/api/routes.ts';
import { html } from './html.ts';
import { guideUrl, homeUrl } from './navigation.ts';
import type { Page } from './page.ts';
import { referenceOperations } from './reference/api-document.ts';
import { resources } from './reference/resources.ts';
import { samplesOf } from './samples/operation-samples.ts';
import { sampleTabs } from './samples/sample-tabs.ts';

const description =
  'A lending ledger as a service. You record what happened: a Loan was issued, money arrived, a debt was written off. The service answers what follows from it, for any day.';

const cards: readonly (readonly [file: string, title: string, text: string])[] = [
  ['quick-start', 'Quick start', 'From an empty machine to a Loan that is paid off, in five minutes.'],
  ['concepts', 'Concepts', 'Clients, Loans, Receipts, acts and books, and what other ledgers call them.'],
  ['signing', 'Signing', 'Sign a request step by step, with every intermediate value.'],
  ['receipts', 'Receipts and allocation', 'How money is divided over what is owed, in pictures.'],
  ['two-clocks', 'Two clocks', 'Ask for a day, and for what was known at a moment.'],
  ['corrections', 'Corrections', 'Reverse, retract, and explain why a figure changed.'],
];

export function homePage(): Page {
  const operations = referenceOperations();
  const summary = (name: RouteName) => operations.get(name)?.summary ?? name;
  return {
    url: homeUrl,
    title: 'Lending documentation',
    description,
    isWide: true,
    headings: [],
    records: [{ url: homeUrl, title: 'Overview', page: 'Lending documentation', text: description }],
    content: html`<div class="home">
      <div class="hero">
        <div>
          <p class="lead">${description}</p>
          <p>No balance and no state is stored. Every figure is computed from the signed facts on each read, so an answer cannot disagree with them. Two markets exist: <strong>Mexico</strong> (<code>MX</code>) with its law, and the test market <strong>ZZ</strong>, which is no law and has the rules that Mexico lacks.</p>
          <p class="actions"><a class="button" href=${guideUrl('quick-start')}>Start here</a> <a class="button plain" href="/docs/reference/loans">API reference</a></p>
        </div>
        <div>${sampleTabs(samplesOf('reportReceipt'), 'home')}</div>
      </div>
      <h2 id="guides">Guides</h2>
      <ul class="cards">
        ${cards.map(([file, title, text]) => html`<li><a href=${guideUrl(file)}><strong>${title}</strong><span>${text}</span></a></li>`)}
      </ul>
      <h2 id="operations">All operations</h2>
      <div class="link-index">
        ${resources.map(
          ({ slug, title, operations: names }) => html`<section>
            <h3><a href=${`/docs/reference/${slug}`}>${title}</a></h3>
            <ul>
              ${names.map((name) => html`<li id=${name}><a href=${`/docs/reference/${slug}#${name}`}>${summary(name)}</a></li>`)}
            </ul>
          </section>`,
        )}
      </div>
    </div>`,
  };
}
