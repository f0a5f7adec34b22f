/** Chooses which versions are shown: one, or two side by side. */
import type { Visit } from '../console-context.ts';
import { type Html, html } from '../html.ts';

export interface ChosenVersions {
  readonly latestVersion: number;
  readonly version: number;
  readonly other: number | undefined;
}

export function versionForm({ texts, path }: Visit, { latestVersion, version, other }: ChosenVersions): Html {
  const words = texts.products;
  const input = (name: string, label: string, value: number | undefined): Html => html`<label>
    ${label}
    <input type="number" name=${name} min="1" max=${latestVersion} value=${value} />
  </label>`;
  return html`<form method="get" action=${path} class="version-form">
    ${input('version', words.version, version)} ${input('with', words.besideVersion, other)}
    <button class="secondary">${words.compare}</button>
  </form>`;
}

/** The versions that a query asks for: by default the latest, beside the one before it. Undefined where one is none. */
export function chosenVersions(
  query: Readonly<Record<string, unknown>>,
  latestVersion: number,
): ChosenVersions | undefined {
  const version = numberIn(query['version']) ?? latestVersion;
  const isChosen = query['version'] !== undefined || query['with'] !== undefined;
  const other = isChosen ? numberIn(query['with']) : version - 1 || undefined;
  const exists = (number: number): boolean => number >= 1 && number <= latestVersion;
  if (!exists(version) || (other !== undefined && !exists(other))) return undefined;
  return { latestVersion, version, other };
}

function numberIn(value: unknown): number | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return /^\d{1,9}$/.test(value) ? Number(value) : 0;
}
