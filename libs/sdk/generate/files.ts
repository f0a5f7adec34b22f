/** The generated files, by name. */
import { readFileSync } from 'node:fs';
import { readDocument } from './openapi.ts';
import { routesText } from './routes.ts';
import { generatedHeader, shapesText } from './shapes.ts';

export const contractFolder = new URL('../src/contract/', import.meta.url);
const eventSchema = new URL('../../../schemas/book-event.avsc', import.meta.url);

export function contractFiles(): Readonly<Record<string, string>> {
  const document = readDocument();
  const avsc = JSON.parse(readFileSync(eventSchema, 'utf8')) as object;
  return {
    'shapes.ts': shapesText(document),
    'routes.ts': routesText(document),
    'book-event-schema.ts': `${generatedHeader('The schema into which records of the topic are decoded.')}export const bookEventSchema = ${JSON.stringify(avsc, null, 2)};\n`,
  };
}
