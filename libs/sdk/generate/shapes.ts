/** The shapes of bodies and answers as TypeScript. */
import type { Document, Schema } from './openapi.ts';

export const generated = (what: string): string =>
  `/** ${what} Generated from the service's own document: npm run generate:sdk. */\n`;

export function shapesText({ components }: Document): string {
  const shapes = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema, '')}export type ${name} = ${typeOf(schema)};\n`,
  );
  return `${generated('What is sent and answered.')}\n${shapes.join('\n')}`;
}

const prefix = '#/components/schemas/';
const anyWord = '(string & {})';

/** The type of a value of a schema. Keywords that bound a value without typing it are the service's to check. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(prefix.length);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return enumeration(schema);
  const several = schema.oneOf ?? schema.anyOf;
  if (several !== undefined) return union(several.map((each) => typeOf(each, indent)));
  if (schema.allOf !== undefined) return unique(schema.allOf.map((each) => typeOf(each, indent))).join(' & ');
  if (typeof schema.type === 'object') return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  return ofType(schema, indent);
}

function ofType(schema: Schema, indent: string): string {
  switch (schema.type) {
    case 'object':
      return objectType(schema, indent);
    case 'array':
      return `readonly ${wrapped(typeOf(schema.items ?? {}, indent))}[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case undefined:
      return schema.properties === undefined ? 'unknown' : objectType(schema, indent);
    default:
      throw new Error(`${String(schema.type)} is no type of JSON`);
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(schema, inner)}${inner}readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`;
  });
  const open = additionalProperties === true ? 'unknown' : additionalProperties && typeOf(additionalProperties, indent);
  const others = open ? `{ readonly [name: string]: ${open} }` : undefined;
  if (members.length === 0) return others ?? 'Record<string, never>';
  const own = `{\n${members.join('')}${indent}}`;
  return others === undefined ? own : `${own} & ${others}`;
}

/** Of an open one more members may come: a caller that branches on it is made to think of them. */
function enumeration({ enum: members = [], 'x-enum-open': open }: Schema): string {
  const known = members.map(literal).join(' | ');
  // One alone tells which of several shapes it is.
  return open === true && members.length > 1 ? `${known} | ${anyWord}` : known;
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

function wrapped(type: string): string {
  return /[|&]/.test(type.replace(/\{[\s\S]*\}/g, '')) || type.startsWith('readonly ') ? `(${type})` : type;
}

/** Any text beside known words stays any text, but does not make a reader of the type forget the words. */
function union(types: readonly string[]): string {
  const members = types.flatMap((type) => (/^'/.test(type) ? type.split(' | ') : [type]));
  const words = members.some((member) => member.startsWith("'"));
  return unique(members.map((member) => (words && member === 'string' ? anyWord : member))).join(' | ');
}

function unique(types: readonly string[]): string[] {
  return [...new Set(types)];
}

function comment({ description, deprecated }: Schema, indent: string): string {
  const said = [description, deprecated === true ? '@deprecated' : undefined].filter((each) => each !== undefined);
  return said.length === 0 ? '' : docComment(said.join('\n'), indent);
}

export function docComment(text: string, indent: string): string {
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
