/** The page on which an operator confirms an act on a person: what it does, and the operator's present password. */
import type { Person } from '#libs/people/persons.ts';
import { presentPasswordField } from '../account/pages.ts';
import type { Visit } from '../console-context.ts';
import { csrfInput, errorList } from '../form.ts';
import { type Html, html } from '../html.ts';

/** The end of the path under the person. */
export const personActions = [
  'operator',
  'operator/removal',
  'disable',
  'enable',
  'second-factor/removal',
  'sessions/removal',
  'link',
] as const;
export type PersonAction = (typeof personActions)[number];

const dangers: readonly PersonAction[] = ['operator/removal', 'disable', 'second-factor/removal', 'sessions/removal'];

export function isDanger(action: PersonAction): boolean {
  return dangers.includes(action);
}

interface Confirmation {
  readonly person: Person;
  readonly action: PersonAction;
  readonly problem: string | undefined;
}

export function confirmationPage(visit: Visit, { person, action, problem }: Confirmation): Html {
  const { texts, browserToken } = visit;
  const { people: words } = texts;
  const { button, hint } = words.actions[action];
  const scope = action === 'operator' ? person.credentialScope : null;
  return html`<form class="narrow" method="post">
    ${csrfInput(browserToken)} ${errorList(problem === undefined ? [] : [problem])}
    <p>${hint(person.email)}</p>
    ${scope && html`<p class="notice">${words.notInForce(scope)}</p>`}
    <input type="hidden" name="username" value=${visit.person?.email} autocomplete="username" />
    ${presentPasswordField(texts)}
    <div class="actions">
      <button class=${isDanger(action) ? 'danger' : ''}>${button}</button>
      <a class="button secondary outline" href=${`/people/${person.id}`}>${words.back}</a>
    </div>
  </form>`;
}
