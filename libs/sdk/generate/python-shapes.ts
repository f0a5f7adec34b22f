/** Generates the Python types of bodies and answers: a TypedDict for each object, with its texts as docstrings. */
import type { OpenApiDocument, OpenApiSchema } from './openapi.ts';

const prefix = '#/components/schemas/';
/** A class body cannot declare these members. */
const keywords = new Set([
  'from',
  'is',
  'in',
  'not',
  'class',
  'def',
  'import',
  'lambda',
  'pass',
  'global',
  'with',
  'as',
]);

export const pythonHeader = (what: string): string =>
  `"""${what} Generated from schemas/openapi.json: npm run schemas:sdk."""\n\n` +
  'from __future__ import annotations\n\n';

export function pythonName(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return keywords.has(words) ? `${words}_` : words;
}

export function docstring(text: string, indentation: string): string {
  const lines = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").split('\n');
  const [first = ''] = lines;
  if (lines.length === 1 && !first.endsWith('"')) return `${indentation}"""${first}"""\n`;
  return `${indentation}"""\n${lines.map((line) => `${indentation}${line}`.trimEnd()).join('\n')}\n${indentation}"""\n`;
}

/** Writes types, and collects a definition for each object that has no name in the document. */
export class PythonTypes {
  readonly definitions: string[] = [];
  /** The names of the collected definitions by their bodies: the same object is defined once. */
  readonly #nameOf = new Map<string, string>();
  readonly #taken: Set<string>;
  /** Before the name of a type, in files that import the shapes as a module. */
  readonly #module: string;

  constructor({ components }: OpenApiDocument, module = '') {
    this.#taken = new Set(Object.keys(components.schemas));
    this.#module = module;
  }

  define(name: string, schema: OpenApiSchema): void {
    this.definitions.push(
      schema.properties === undefined
        ? `${name}: TypeAlias = ${quoteAlias(this.type(schema, name))}\n`
        : objectText(name, schema, this),
    );
  }

  /** `path` names an object that has no name of its own. */
  type(schema: OpenApiSchema, path: string): string {
    if (schema.$ref !== undefined) return `${this.#module}${schema.$ref.slice(prefix.length)}`;
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum !== undefined) return enumeration(schema);
    const several = schema.oneOf ?? schema.anyOf;
    if (several !== undefined)
      return union(several.map((each, at) => this.type(each, at === 0 ? path : `${path}${at + 1}`)));
    if (typeof schema.type === 'object') return union(schema.type.map((type) => this.type({ ...schema, type }, path)));
    return this.#plainType(schema, path);
  }

  #plainType(schema: OpenApiSchema, path: string): string {
    switch (schema.type) {
      case 'array':
        return `list[${this.type(schema.items ?? {}, path)}]`;
      case 'integer':
        return 'int';
      case 'boolean':
        return 'bool';
      case 'string':
        return 'str';
      case 'null':
        return 'None';
      case 'object':
      case undefined:
        return schema.type === undefined && schema.properties === undefined ? 'object' : this.#objectType(schema, path);
      default:
        throw new Error(`${path} has the JSON type ${String(schema.type)}; expected one without fractions`);
    }
  }

  #objectType(schema: OpenApiSchema, path: string): string {
    const { properties = {}, additionalProperties } = schema;
    if (Object.keys(properties).length === 0) {
      const open = typeof additionalProperties === 'object' ? this.type(additionalProperties, path) : 'object';
      return `dict[str, ${open}]`;
    }
    const body = JSON.stringify(schema);
    const known = this.#nameOf.get(body);
    if (known !== undefined) return `${this.#module}${known}`;
    let name = path;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${path}${count}`;
    this.#taken.add(name);
    this.#nameOf.set(body, name);
    this.definitions.push(objectText(name, schema, this));
    return `${this.#module}${name}`;
  }
}

export function pythonTypeName(path: string): string {
  return path.replace(/(^|_)([a-z])/g, (_, _separator, letter: string) => letter.toUpperCase());
}

function objectText(name: string, schema: OpenApiSchema, types: PythonTypes): string {
  const { properties = {}, required = [], description } = schema;
  const members = Object.entries(properties).map(([member, each]) => {
    const type = types.type(each, `${name}${pythonTypeName(member)}`);
    return { member, type: required.includes(member) ? type : `NotRequired[${type}]`, text: memberText(each) };
  });
  if (!members.some(({ member }) => keywords.has(member))) {
    const lines = members.map(
      ({ member, type, text }) => `    ${member}: ${type}\n${text === '' ? '' : docstring(text, '    ')}`,
    );
    const doc = description === undefined ? '' : `${docstring(description, '    ')}\n`;
    return `class ${name}(TypedDict):\n${doc}${lines.join('')}`;
  }
  // A member is a keyword of Python, which a class body cannot declare.
  const lines = members.map(
    ({ member, type, text }) => `${comment(text)}        ${JSON.stringify(member)}: ${quoteAlias(type)},\n`,
  );
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`;
}

/** Evaluated when the module is loaded, before the names in it are defined. */
function quoteAlias(type: string): string {
  return JSON.stringify(type.replaceAll('"', "'"));
}

function memberText({ description, deprecated }: OpenApiSchema): string {
  return [description, deprecated === true ? 'Deprecated.' : undefined].filter((each) => each !== undefined).join('\n');
}

function comment(text: string): string {
  return text === ''
    ? ''
    : `${text
        .split('\n')
        .map((line) => `        # ${line}`.trimEnd())
        .join('\n')}\n`;
}

function literal(values: readonly (string | number | boolean | null)[]): string {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
  return `Literal[${values.map((value) => words[String(value)] ?? JSON.stringify(value)).join(', ')}]`;
}

/** An open enumeration may get more values: callers that branch on it must handle others. */
function enumeration({ enum: members = [], 'x-enum-open': open }: OpenApiSchema): string {
  return open === true && members.length > 1 ? `${literal(members)} | str` : literal(members);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
