/** Generates the TypeScript types of bodies and answers. */
import type { OpenApiDocument, OpenApiSchema } from './openapi.ts';

export const generatedHeader = (what: string): string =>
  `/** ${what} Generated from schemas/openapi.json: npm run schemas:sdk. */\n`;

export function shapesText({ components }: OpenApiDocument): string {
  const shapes = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema, '')}export type ${name} = ${typeText(schema)};\n`,
  );
  return `${generatedHeader('Bodies and answers.')}\n${shapes.join('\n')}`;
}

const prefix = '#/components/schemas/';
const anyWord = '(string & {})';

/** The type of a schema. Bounds without a type are checked by the service. */
export function typeText(schema: OpenApiSchema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(prefix.length);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return enumeration(schema);
  const several = schema.oneOf ?? schema.anyOf;
  if (several !== undefined) return union(several.map((each) => typeText(each, indent)));
  if (schema.allOf !== undefined) return unique(schema.allOf.map((each) => typeText(each, indent))).join(' & ');
  if (typeof schema.type === 'object') return union(schema.type.map((type) => typeText({ ...schema, type }, indent)));
  return primitiveType(schema, indent);
}

function primitiveType(schema: OpenApiSchema, indent: string): string {
  switch (schema.type) {
    case 'object':
      return objectType(schema, indent);
    case 'array':
      return `readonly ${wrapped(typeText(schema.items ?? {}, indent))}[]`;
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
      throw new Error(`unknown JSON type ${String(schema.type)}`);
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: OpenApiSchema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(schema, inner)}${inner}readonly ${key}${required.includes(name) ? '' : '?'}: ${typeText(schema, inner)};\n`;
  });
  const open =
    additionalProperties === true ? 'unknown' : additionalProperties && typeText(additionalProperties, indent);
  const others = open ? `{ readonly [name: string]: ${open} }` : undefined;
  if (members.length === 0) return others ?? 'Record<string, never>';
  const own = `{\n${members.join('')}${indent}}`;
  return others === undefined ? own : `${own} & ${others}`;
}

/** An open enumeration may get more values: callers that branch on it must handle others. */
function enumeration({ enum: members = [], 'x-enum-open': open }: OpenApiSchema): string {
  const known = members.map(literal).join(' | ');
  // A single value is a discriminator.
  return open === true && members.length > 1 ? `${known} | ${anyWord}` : known;
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

function wrapped(type: string): string {
  return /[|&]/.test(type.replace(/\{[\s\S]*\}/g, '')) || type.startsWith('readonly ') ? `(${type})` : type;
}

/** `string & {}` allows any text and keeps the known values visible in editors. */
function union(types: readonly string[]): string {
  const members = types.flatMap((type) => (/^'/.test(type) ? type.split(' | ') : [type]));
  const words = members.some((member) => member.startsWith("'"));
  return unique(members.map((member) => (words && member === 'string' ? anyWord : member))).join(' | ');
}

function unique(types: readonly string[]): string[] {
  return [...new Set(types)];
}

function comment({ description, deprecated }: OpenApiSchema, indent: string): string {
  const lines = [description, deprecated === true ? '@deprecated' : undefined].filter((each) => each !== undefined);
  return lines.length === 0 ? '' : docComment(lines.join('\n'), indent);
}

export function docComment(text: string, indent: string): string {
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
