/** A visit without a browser, and the HTML of what a page shows it. */
import { render } from 'preact-render-to-string';
import type { Person } from '#libs/people/persons.ts';
import type { Visit } from '../console-context.ts';
import { type Content, html } from '../html.ts';
import { en } from '../texts/en.ts';

const rights = { isOperator: true, roles: new Map() };

const operator: Person = {
  id: '01a21684-a73f-764a-b656-5f433d4e1b02',
  email: 'ana@lender.example',
  ...rights,
  granted: rights,
  language: null,
  passwordHash: null,
  totpSecret: null,
  isDisabled: false,
  credentialScope: null,
};

/** Of an operator, in English, on a page of the Tenancy `acme`. */
export function visitOfOperator(over: Partial<Visit> = {}): Visit {
  const path = over.path ?? '/tenancies/acme/loans';
  return {
    assets: { url: (name) => name, router: (_request, _response, next) => next() },
    texts: en,
    browserToken: 'A'.repeat(43),
    person: operator,
    path,
    target: path,
    clocks: {},
    tenantId: 'acme',
    isLive: false,
    address: '127.0.0.1',
    ...over,
  };
}

export function rendered(content: Content): string {
  return render(html`<main>${content}</main>` as Parameters<typeof render>[0]);
}
