/** The samples of an operation, in the order of the languages. */
import { type RouteName, routes } from '#libs/api/routes.ts';
import { type SampleLanguage, sampleLanguages } from './languages.ts';
import { examples } from './recorded-examples.ts';
import { sampleRequest } from './sample-request.ts';
import { streamSamples } from './stream.ts';

export interface Sample {
  readonly language: SampleLanguage;
  readonly code: string;
}

/**
 * Without any where nothing is recorded yet: the services render the site before an example can be recorded.
 * Parameters of the path replace those of the recorded request.
 */
export function samplesOf(operation: RouteName, params: Readonly<Record<string, string>> = {}): readonly Sample[] {
  const codeIn = codeOf(operation, params);
  return sampleLanguages.flatMap((language) => {
    const code = codeIn(language);
    return code === undefined ? [] : [{ language, code }];
  });
}

function codeOf(
  operation: RouteName,
  params: Readonly<Record<string, string>>,
): (language: SampleLanguage) => string | undefined {
  const { isPublic, path } = routes[operation];
  // The SDKs have no method for what needs no key.
  if (isPublic) return ({ id }) => (id === 'curl' ? `curl "$LENDING_URL${path}"` : undefined);
  if (operation === 'streamFeed') return ({ id }) => streamSamples[id];
  const example = examples[operation];
  if (example === undefined) return () => undefined;
  const request = sampleRequest(operation, { ...example, params: { ...example.params, ...params } });
  return ({ render }) => render(request);
}
