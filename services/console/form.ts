/** Parts of forms: the CSRF field, labelled inputs, the list of what to correct. */
import type { Request } from 'express';
import { csrfToken } from '#libs/people/secret-tokens.ts';
import { csrfField, passwordFields } from './form-field-names.ts';
import { type Content, type Html, html } from './html.ts';

/** In every form that changes something. */
export function csrfInput(browserToken: string): Html {
  return html`<input type="hidden" name=${csrfField} value=${csrfToken(browserToken)} />`;
}

/** What was entered in a form, to send it once more. Passwords are entered again. */
export function repeatedFields(body: unknown): readonly Html[] {
  return Object.entries((body ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([name]) => !passwordFields.includes(name))
    .flatMap(([name, values]) =>
      [values].flat().map((value) => html`<input type="hidden" name=${name} value=${value} />`),
    );
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'date' | 'datetime-local' | 'search';
  readonly value?: string | number | undefined;
  readonly hint?: string;
  /** What is wrong with the value, in place of the hint. */
  readonly problem?: string | undefined;
  readonly autocomplete?: string;
  /** Of a number or a moment. */
  readonly step?: string;
  /** Of a number. */
  readonly min?: number;
  readonly max?: number;
  readonly required?: boolean;
  readonly maxLength?: number;
}

export function field({
  name,
  label,
  type = 'text',
  value,
  hint,
  problem,
  autocomplete,
  required = true,
  ...rest
}: Field): Html {
  const note = problem ?? hint;
  const hintId = note === undefined ? undefined : `${name}-hint`;
  return html`<label>
    ${label}
    <input
      name=${name}
      type=${type}
      value=${value}
      required=${required}
      autocomplete=${autocomplete ?? 'off'}
      maxlength=${rest.maxLength}
      step=${rest.step}
      min=${rest.min}
      max=${rest.max}
      aria-invalid=${problem === undefined ? undefined : 'true'}
      aria-describedby=${hintId}
    />
    ${note && html`<small id=${hintId} role=${problem === undefined ? undefined : 'alert'}>${note}</small>`}
  </label>`;
}

export interface TextArea {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  readonly hint?: string;
}

/** For text of several lines. Browsers send its line ends as CR LF. */
export function textArea({ name, label, value, rows, hint }: TextArea): Html {
  const hintId = hint === undefined ? undefined : `${name}-hint`;
  // A browser drops a line feed at the beginning of a text area.
  return html`<label>
    ${label}
    <textarea name=${name} rows=${rows} spellcheck="false" autocomplete="off" aria-describedby=${hintId}>${`\n${value}`}</textarea>
    ${hint && html`<small id=${hintId}>${hint}</small>`}
  </label>`;
}

/** Announced to screen readers; nothing where the form is in order. */
export function errorList(problems: readonly string[]): Content {
  return problems.length === 0
    ? null
    : html`<div role="alert" class="error">
        <ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul>
      </div>`;
}

/** A field of a posted form as text: a field that was sent twice counts as empty. */
export function formText(body: unknown, name: string): string {
  const value = (body as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}

/** A parameter of the address as text: one that was sent twice counts as empty. */
export function queryText(request: Request<object>, name: string): string {
  const value = request.query[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** The cursor of the address, as a parameter of a listing; none for its first page. */
export function cursorIn(request: Request<object>): { readonly cursor?: string } {
  const cursor = queryText(request, 'cursor');
  return cursor === '' ? {} : { cursor };
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

export function choice(name: string, label: string, choices: readonly Choice[], chosen?: string): Html {
  return html`<label>
    ${label}
    <select name=${name}>
      ${choices.map(({ value, text }) => html`<option value=${value} selected=${value === chosen}>${text}</option>`)}
    </select>
  </label>`;
}
