/** The files that are generated, by name. */
import { readFileSync } from 'node:fs';
import { readDocument } from './openapi.ts';
import { routesText } from './routes.ts';
import { generated, shapesText } from './shapes.ts';

export const contractFolder = new URL('../src/contract/', import.meta.url);
const eventSchema = new URL('../../../schemas/book-event.avsc', import.meta.url);

export function contractFiles(): Readonly<Record<string, string>> {
  const document = readDocument();
  const avsc = JSON.parse(readFileSync(eventSchema, 'utf8')) as object;
  return {
    'shapes.ts': shapesText(document),
    'routes.ts': routesText(document),
    'book-event-schema.ts': `${generated('The schema records of the topic are read as.')}export const bookEventSchema = ${JSON.stringify(avsc, null, 2)};\n`,
  };
}
