/** Generates the TypeScript types of bodies and answers. What several types have in common is written once. */
import { factBodies } from './fact-bodies.ts';
import {
  type DocumentedRoute,
  isCallerParameter,
  type OpenApiDocument,
  type OpenApiSchema,
  sentRoutes,
} from './openapi.ts';

type Schemas = OpenApiDocument['components']['schemas'];

/**
 * Names for what all of these types have in common, where no type of the document has just that. A type without a name
 * is that of a member, or of the items of one.
 */
const commonTypes: Readonly<Record<string, readonly string[]>> = {
  RecordAccount: ['PublicationAct', 'ReversalAct'],
  CommonProductValues: ['InstalmentValues', 'BnplValues', 'PaydayValues'],
  CommonLoanTerms: ['LoanToIssue', 'LoanToPreview'],
  LoanCondition: ['Loan', 'LoanRow'],
  StatedTerms: ['LoanPreview.terms', 'LoanTerms'],
  StatementTotals: ['LoanStatement', 'Statement.currencies'],
  PolicyObservation: ['DecisionTrace.knockouts.observed', 'DecisionTrace.scorecard.observed'],
  MarketSource: ['Market.capitalises', 'Market.calendar'],
  MarketLimit: ['Market.withdrawal_days', 'Market.facility_window'],
  EffectiveRate: ['EffectiveValues.rate_min', 'EffectiveValues.rate_max'],
  Page: ['LoanPage', 'ClientPage'],
};
/** Types that others extend. Without this list types would also extend those that they are like by chance. */
const baseTypes = new Set([
  ...Object.keys(commonTypes),
  'ActAccount',
  'ActOnADay',
  'ChargeLine',
  'ConfigurationVersion',
  'Facility',
  'LoanRow',
  'PolicyVersion',
]);
export const maxOneLineLength = 100;
const prefix = '#/components/schemas/';
const anyWord = '(string & {})';

export const generatedHeader = (what: string): string =>
  `/** ${what} Generated from schemas/openapi.json: npm run schemas:sdk. */\n`;

export function shapesText(document: OpenApiDocument): string {
  const { schemas: documented } = document.components;
  const schemas = { ...commonSchemas(documented), ...documented };
  const types = new TypeWriter(schemas);
  const shapes = Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema)}export type ${name} = ${types.definition(name, schema)};\n`,
  );
  const operations = sentRoutes(document).map((route) => indent(`${route.name}: ${operationType(route, types)};\n`));
  return [
    `${generatedHeader('Bodies and answers.')}\n${shapes.join('\n')}\n`,
    '/** The path and query parameters, body and answer of each route. */\n',
    `export interface Operations {\n${operations.join('')}}\n\n`,
    '/** The bodies of facts, by kind, as `factBody` returns them. */\n',
    `export interface FactBodies {\n${factBodies.map(({ kind, type }) => `  readonly ${kind}: ${type};\n`).join('')}}\n`,
  ].join('');
}

function operationType({ parameters, body, answer, reads }: DocumentedRoute, types: TypeWriter): string {
  const members = parameters.filter(isCallerParameter).map(({ name, schema, required }) => {
    const type = types.type(schema);
    return required === true ? `readonly ${name}: ${type}` : `readonly ${name}?: ${type} | undefined`;
  });
  const at = members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`;
  const bodyType = body === undefined ? 'undefined' : types.type(body);
  return `{ at: ${at}; body: ${bodyType}; answer: ${reads === 'text' ? 'string' : types.type(answer)} }`;
}

function commonSchemas(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(commonTypes).map(([common, names]) => {
      const [first = {}, ...others] = names.map((name) => schemaAt(schemas, name));
      const members = others.map((other) => new Set(plainTypes.members(other).values()));
      const shared = [...plainTypes.members(first)].filter(([, text]) => members.every((each) => each.has(text)));
      const properties = Object.fromEntries(shared.map(([name]) => [name, first.properties?.[name] ?? {}]));
      return [common, { type: 'object', properties, required: first.required ?? [] }];
    }),
  );
}

function schemaAt(schemas: Schemas, path: string): OpenApiSchema {
  const [name = '', ...members] = path.split('.');
  return members.reduce((schema, member) => {
    const { items, ...own } = schema.properties?.[member] ?? {};
    return items ?? own;
  }, schemas[name] ?? {});
}

/** Writes types. Object types use the names of the given schemas for what they have in common with them. */
class TypeWriter {
  /** Longest first. */
  readonly #named: readonly { readonly name: string; readonly members: ReadonlyMap<string, string> }[];

  constructor(schemas: Schemas) {
    this.#named = Object.entries(schemas)
      .map(([name, schema]) => ({ name, members: plainTypes.members(schema) }))
      .filter(({ name, members }) => members.size > 1 || baseTypes.has(name))
      .sort((a, b) => b.members.size - a.members.size);
  }

  /** The type of a schema that has a name. */
  definition(name: string, schema: OpenApiSchema): string {
    return schema.properties === undefined ? this.type(schema) : this.#objectType(schema, name);
  }

  /** Bounds without a type are checked by the service. */
  type(schema: OpenApiSchema): string {
    if (schema.$ref !== undefined) return schema.$ref.slice(prefix.length);
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum !== undefined) return enumeration(schema);
    const several = schema.oneOf ?? schema.anyOf;
    if (several !== undefined) return union(several.map((each) => this.type(each)));
    if (schema.allOf !== undefined) return unique(schema.allOf.map((each) => this.type(each))).join(' & ');
    if (typeof schema.type === 'object') return union(schema.type.map((type) => this.type({ ...schema, type })));
    return this.#primitiveType(schema);
  }

  #primitiveType(schema: OpenApiSchema): string {
    switch (schema.type) {
      case 'object':
        return this.#objectType(schema);
      case 'array':
        return `readonly ${wrapped(this.type(schema.items ?? {}))}[]`;
      case 'integer':
      case 'number':
        return 'number';
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type;
      case undefined:
        return schema.properties === undefined ? 'unknown' : this.#objectType(schema);
      default:
        throw new Error(`unknown JSON type ${String(schema.type)}`);
    }
  }

  #objectType(schema: OpenApiSchema, ownName?: string): string {
    // An object without a word about its members may have any.
    const { additionalProperties = schema.properties === undefined } = schema;
    const own = this.members(schema);
    const bases = this.#basesOf(plainTypes.members(schema), ownName);
    for (const { members } of bases) for (const name of members.keys()) own.delete(name);
    const open = additionalProperties === true ? 'unknown' : additionalProperties && this.type(additionalProperties);
    const parts = [
      ...bases.map(({ name }) => name),
      ...(own.size === 0 ? [] : [objectLiteral([...own.values()])]),
      ...(open ? [`{ readonly [name: string]: ${open} }`] : []),
    ];
    return parts.length === 0 ? 'Record<string, never>' : parts.join(' & ');
  }

  /** The member declarations of an object type, by name, each with its comment. */
  members({ properties = {}, required = [] }: OpenApiSchema): Map<string, string> {
    const declarations = Object.entries(properties).map(([name, schema]): [string, string] => {
      const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
      return [name, `${comment(schema)}readonly ${key}${required.includes(name) ? '' : '?'}: ${this.type(schema)}`];
    });
    return new Map(declarations);
  }

  /** The named type that has just these members, or the base types whose members are among them. */
  #basesOf(members: ReadonlyMap<string, string>, ownName: string | undefined) {
    const within = this.#named.filter((each) => [...each.members].every(([name, text]) => members.get(name) === text));
    const same = within.find((each) => each.members.size === members.size);
    if (same !== undefined && ownName === undefined) return [same];
    const taken = new Set<string>();
    return within.filter((each) => {
      const names = [...each.members.keys()];
      const isBase = each.name !== ownName && baseTypes.has(each.name) && !names.some((name) => taken.has(name));
      if (isBase) for (const name of names) taken.add(name);
      return isBase;
    });
  }
}

const plainTypes = new TypeWriter({});

/** The type of a schema, without names for what it has in common with others. */
export function typeText(schema: OpenApiSchema): string {
  return plainTypes.type(schema);
}

function objectLiteral(members: readonly string[]): string {
  const line = `{ ${members.join('; ')} }`;
  if (line.length <= maxOneLineLength && !line.includes('\n')) return line;
  return `{\n${members.map((member) => indent(`${member};\n`)).join('')}}`;
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

function comment({ description, deprecated }: OpenApiSchema): string {
  const lines = [description, deprecated === true ? '@deprecated' : undefined].filter((each) => each !== undefined);
  return lines.length === 0 ? '' : docComment(lines.join('\n'));
}

export function docComment(text: string): string {
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
