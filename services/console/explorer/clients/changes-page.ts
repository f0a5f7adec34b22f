/** What changed between two versions of a Client's book: each figure that differs, and the facts that changed it. */
import type { BookChanges } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../../amounts.ts';
import { isMoney } from '../../as-sent.ts';
import { asPickerValue, type Clocks } from '../../clocks.ts';
import type { Visit } from '../../console-context.ts';
import { formatTimestamp } from '../../dates.ts';
import { factLink, loanLink } from '../../figures.ts';
import { errorList, field } from '../../form.ts';
import { type Content, type Html, html } from '../../html.ts';
import { refusalText } from '../../refusal-text.ts';
import { table } from '../../table.ts';
import { wordFor } from '../../terms.ts';
import type { Texts } from '../../texts/en.ts';
import type { ChangesView } from './read-changes.ts';

type Change = BookChanges['changes'][number];
type Words = Readonly<Record<string, string>>;

/** More would make the page slow and help no reader. */
const maxShownFigures = 300;

export function changesPage(visit: Visit, clocks: Clocks, view: ChangesView): Html {
  const words = visit.texts.explorer.changes;
  const { problem, changes } = view;
  return html`<div>
    <p>${words.intro}</p>
    ${problem && errorList([problemText(visit.texts, problem)])}
    ${view.isTooLarge && errorList([words.tooLarge])}
    ${view.isMomentRefused && errorList([words.momentRefused])}
    ${versionForm(visit, clocks, view)} ${presets(visit, clocks, view)} ${changes && changesFound(visit, view.references, changes)}
  </div>`;
}

/** The bound is the last version that can be compared with the first one. */
function problemText(texts: Texts, { code, details }: NonNullable<ChangesView['problem']>): string {
  const { bound, ...rest } = details;
  const sentence = refusalText(texts, { code, details: rest });
  return bound === undefined ? sentence : `${sentence} ${texts.explorer.changes.upTo(String(bound))}`;
}

function versionForm({ texts, path }: Visit, { on }: Clocks, { from, to, latest }: ChangesView): Html {
  const words = texts.explorer.changes;
  return html`<form method="get" action=${path} class="clocks">
    ${field({ name: 'on', label: texts.explorer.clocks.on, type: 'date', value: on })}
    ${field({ name: 'from_facts', label: words.from, type: 'number', value: from })}
    ${field({ name: 'to_facts', label: words.to(latest), type: 'number', value: to })}
    <button class="secondary">${words.compare}</button>
  </form>`;
}

/** The comparisons that people ask for most, and the one with what was known at a moment. */
function presets({ texts, path }: Visit, { on, isDefaultDay }: Clocks, { latest, since, until }: ChangesView): Html {
  const words = texts.explorer.changes;
  const day = isDefaultDay ? {} : { on };
  const between = (from: number): string =>
    `${path}?${new URLSearchParams({ ...day, from_facts: String(from), to_facts: String(latest) })}`;
  const counts = [1, 5, 20].filter((count) => count < latest);
  return html`<div class="presets">
    <p>
      ${counts.map((count) => html`<a href=${between(latest - count)}>${words.last(count)}</a> `)}
      <a href=${between(0)}>${words.everything}</a>
    </p>
    <form method="get" action=${path} class="clocks">
      ${!isDefaultDay && html`<input type="hidden" name="on" value=${on} />`}
      ${field({ name: 'since', label: words.since, type: 'datetime-local', step: '0.001', value: asPickerValue(since) })}
      ${field({ name: 'until', label: words.until, type: 'datetime-local', step: '0.001', value: asPickerValue(until) })}
      <button class="secondary">${words.compareSince}</button>
    </form>
  </div>`;
}

function changesFound(
  visit: Visit,
  references: ChangesView['references'],
  { on, from_facts, to_facts, changes }: BookChanges,
): Content {
  const { texts } = visit;
  const words = texts.explorer.changes;
  const groups = Map.groupBy(changes.slice(0, maxShownFigures), ({ figure }) => groupOf(figure));
  return html`<section>
    <h2>${words.found(changes.length, from_facts, to_facts)}</h2>
    <p>${words.onDay(formatDay(texts, on))}</p>
    ${changes.length > maxShownFigures && html`<p>${words.notShown(changes.length - maxShownFigures)}</p>`}
    ${[...groups].map((group) => changeGroup(visit, references, group))}
  </section>`;
}

/** The periods of plans are most of what differs, and follow from the figures above them. */
function changeGroup(
  visit: Visit,
  references: ChangesView['references'],
  [group, changes]: readonly [string, readonly Change[]],
): Html {
  const words = visit.texts.explorer.changes;
  const { title, heading } = groupNames(visit, references, group);
  const isOfPlan = ({ figure }: Change): boolean => figure.startsWith(`${group}/schedule/`);
  const ofPlan = changes.filter(isOfPlan);
  const others = changes.filter((change) => !isOfPlan(change));
  const planTitle = words.ofPlan(ofPlan.length);
  return html`<h3>${heading}</h3>
    ${others.length > 0 && changeTable(visit, `${words.title}: ${title}`, group, others)}
    ${
      ofPlan.length > 0 &&
      html`<details>
        <summary>${planTitle}</summary>
        ${changeTable(visit, `${title}: ${planTitle}`, `${group}/schedule`, ofPlan)}
      </details>`
    }`;
}

/** `/loans/<id>` or `/obligations`. */
function groupOf(figure: string): string {
  const depth = figure.startsWith('/loans/') ? 3 : 2;
  return figure.split('/').slice(0, depth).join('/');
}

/** As text, and with a link to the Loan. */
function groupNames(
  visit: Visit,
  references: ChangesView['references'],
  group: string,
): { readonly title: string; readonly heading: Content } {
  const { loans, obligations } = visit.texts.explorer;
  const [, kind = '', loanId] = group.split('/');
  if (loanId === undefined) {
    const title = kind === 'obligations' ? obligations.title : kind;
    return { title, heading: title };
  }
  const reference = references.get(loanId) ?? loanId;
  return {
    title: `${loans.loan} ${reference}`,
    heading: html`${loans.loan} ${loanLink(visit, { loanId, reference })}`,
  };
}

function changeTable(visit: Visit, caption: string, group: string, changes: readonly Change[]): Html {
  const { texts } = visit;
  const words = texts.explorer.changes;
  return table<Change>(
    caption,
    [
      { title: words.figure, cell: ({ figure }) => figureName(texts, figure.slice(group.length + 1)) },
      { title: words.before, cell: ({ figure, from }) => figureValue(texts, figure, from), isNumber: true },
      { title: words.after, cell: ({ figure, to }) => figureValue(texts, figure, to), isNumber: true },
      {
        title: words.facts,
        cell: ({ facts }) =>
          facts.map(
            ({ type, id, facts: number, recorded_at }) =>
              html`<div>
                ${words.fact(number)} ${factLink(visit, { type, id })}
                <small class="parts">${formatTimestamp(texts, recorded_at)}</small>
              </div>`,
          ),
      },
    ],
    changes,
  );
}

/** Segments of the pointer in words where there are some; names and numbers stay as they are. */
function figureName(texts: Texts, pointer: string): string {
  const words = memberWords(texts);
  const segments = pointer.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  return segments.map((segment) => wordFor(words, segment)).join(' › ');
}

export function memberWords({ explorer }: Texts): Words {
  return { ...explorer.changes.members, ...explorer.charges };
}

/** The words of what the contract lists, by the member that holds it. Other texts are as the lender wrote them. */
export function valueWords({ explorer, refusals }: Texts): Readonly<Record<string, Words>> {
  const { states, charges, figures, origins, anomalies, changes } = explorer;
  return {
    state: states,
    charge: charges,
    settled_by: figures,
    origin: origins,
    kind: { ...refusals, ...anomalies.kinds, ...states },
    type: changes.factTypes,
  };
}

function figureValue(texts: Texts, pointer: string, value: unknown): Content {
  if (value === undefined) return html`<span class="absent">${texts.explorer.changes.absent}</span>`;
  if (typeof value === 'boolean') return value ? texts.explorer.yes : texts.explorer.no;
  if (typeof value === 'number') return new Intl.NumberFormat(texts.locale).format(value);
  if (isMoney(value)) return formatMoney(texts, value);
  if (typeof value !== 'string') return html`<code>${JSON.stringify(value)}</code>`;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(texts, value);
  const member = pointer.slice(pointer.lastIndexOf('/') + 1);
  // Sentences of the API are in English.
  if (member === 'detail') return html`<span lang="en">${value}</span>`;
  return wordFor(valueWords(texts)[member] ?? {}, value);
}
