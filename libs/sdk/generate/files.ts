/** The generated files, by name. */
import { readFileSync } from 'node:fs';
import { javaFiles } from './java.ts';
import { readDocument } from './openapi.ts';
import { pythonFiles } from './python.ts';
import { typescriptRemedies } from './remedies.ts';
import { routesText } from './routes.ts';
import { generatedHeader, indent, maxOneLineLength, shapesText } from './shapes.ts';

const contractFolder = new URL('../src/contract/', import.meta.url);
const pythonFolder = new URL('../../sdk-python/src/lending/contract/', import.meta.url);
const javaFolder = new URL('../../sdk-java/src/main/java/lending/contract/', import.meta.url);
const eventSchema = new URL('../../../schemas/book-event.avsc', import.meta.url);
const movementSchema = new URL('../../../schemas/movement.avsc', import.meta.url);

interface ContractFile {
  readonly url: URL;
  readonly text: string;
}

export function contractFiles(): Readonly<Record<string, ContractFile>> {
  const document = readDocument();
  const avsc = JSON.parse(readFileSync(eventSchema, 'utf8')) as unknown;
  const typescript = {
    'shapes.ts': shapesText(document),
    'routes.ts': routesText(document),
    'remedies.ts': typescriptRemedies,
    'book-event-schema.ts': eventSchemaText(avsc),
  };
  const movementAvsc = JSON.parse(readFileSync(movementSchema, 'utf8')) as unknown;
  const python = {
    ...pythonFiles(document),
    'book-event-schema.json': withoutDocumentation(avsc),
    'movement-schema.json': withoutDocumentation(movementAvsc),
  };
  return {
    ...filesIn(contractFolder, typescript),
    ...filesIn(pythonFolder, python),
    ...filesIn(javaFolder, javaFiles(document)),
  };
}

function filesIn(folder: URL, texts: Readonly<Record<string, string>>): Readonly<Record<string, ContractFile>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { url: new URL(name, folder), text }]));
}

function withoutDocumentation(schema: unknown): string {
  return `${JSON.stringify(schema, (name, value: unknown) => (name === 'doc' ? undefined : value), 2)}\n`;
}

function eventSchemaText(schema: unknown): string {
  const header = generatedHeader('The schema into which records of the topic are decoded.');
  return `${header}export const bookEventSchema = ${valueText(schema)};\n`;
}

/** A literal without documentation, which decoding does not need. It is on one line where that is short. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const members = Object.entries(value)
    .filter(([name]) => name !== 'doc')
    .map(([name, each]) => (isList ? valueText(each) : `${name}: ${valueText(each)}`));
  const line = members.join(', ');
  if (line.length <= maxOneLineLength && !line.includes('\n')) return isList ? `[${line}]` : `{ ${line} }`;
  const lines = members.map((member) => indent(`${member},\n`)).join('');
  return isList ? `[\n${lines}]` : `{\n${lines}}`;
}
