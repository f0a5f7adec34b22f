/** The generated files, by name. */
import { readFileSync } from 'node:fs';
import { withFactBodies } from './fact-bodies.ts';
import { javaFiles, javaMethodTable } from './java.ts';
import { readDocument } from './openapi.ts';
import { pythonFiles } from './python.ts';
import { typescriptRemedies } from './remedies.ts';
import { routesText } from './routes.ts';
import { generatedHeader, indent, maxOneLineLength, shapesText } from './shapes.ts';

const contractFolder = new URL('../src/contract/', import.meta.url);
const pythonFolder = new URL('../../sdk-python/src/lending/contract/', import.meta.url);
const javaFolder = new URL('../../sdk-java/src/main/java/lending/contract/', import.meta.url);
const javaResources = new URL('../../sdk-java/src/main/resources/lending/contract/', import.meta.url);
const repository = new URL('../../../', import.meta.url).pathname;
const schemasFolder = new URL('../../../schemas/', import.meta.url);
const eventSchema = new URL('book-event.avsc', schemasFolder);
const movementSchema = new URL('movement.avsc', schemasFolder);

interface ContractFile {
  readonly url: URL;
  readonly text: string;
}

export function contractFiles(): Readonly<Record<string, ContractFile>> {
  const document = withFactBodies(readDocument());
  const avsc = JSON.parse(readFileSync(eventSchema, 'utf8')) as unknown;
  const movementAvsc = JSON.parse(readFileSync(movementSchema, 'utf8')) as unknown;
  const typescript = {
    'shapes.ts': shapesText(document),
    'routes.ts': routesText(document),
    'remedies.ts': typescriptRemedies,
    'book-event-schema.ts': schemaText('bookEventSchema', avsc),
    'movement-schema.ts': schemaText('movementSchema', movementAvsc),
  };
  const topicSchemas = {
    'book-event-schema.json': withoutDocumentation(avsc),
    'movement-schema.json': withoutDocumentation(movementAvsc),
  };
  return {
    ...filesIn(contractFolder, typescript),
    ...filesIn(pythonFolder, { ...pythonFiles(document), ...topicSchemas }),
    ...filesIn(javaFolder, javaFiles(document)),
    ...filesIn(javaResources, topicSchemas),
    ...filesIn(schemasFolder, { 'java-methods.json': javaMethodTable(document) }),
  };
}

/** By their paths: the same schema is in several packages. */
function filesIn(folder: URL, texts: Readonly<Record<string, string>>): Readonly<Record<string, ContractFile>> {
  const files = Object.entries(texts).map(([name, text]) => ({ url: new URL(name, folder), text }));
  return Object.fromEntries(files.map((file) => [file.url.pathname.slice(repository.length), file]));
}

function withoutDocumentation(schema: unknown): string {
  return `${JSON.stringify(schema, (name, value: unknown) => (name === 'doc' ? undefined : value), 2)}\n`;
}

function schemaText(name: string, schema: unknown): string {
  const header = generatedHeader('The schema into which records of the topic are decoded.');
  return `${header}export const ${name} = ${valueText(schema)};\n`;
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
