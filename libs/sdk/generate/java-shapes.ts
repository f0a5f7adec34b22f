/** Generates the Java types of bodies and answers: each is a view of a JSON object with a method for each member. */
import type { OpenApiDocument, OpenApiSchema } from './openapi.ts';

const prefix = '#/components/schemas/';
/** Names that a method of a view cannot have: words of Java, and methods that every view has already. */
const reserved = new Set(
  'abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if implements import instanceof int interface long native new package private protected public return short static strictfp super switch synchronized this throw throws transient try void volatile while members toJson hashCode toString getClass notify notifyAll wait clone finalize'.split(
    ' ',
  ),
);

export interface JavaType {
  /** As a parameter of a generic type. */
  readonly boxed: string;
  readonly plain: string;
  /** Reads it from parsed JSON. */
  readonly reader: string;
}

const text: JavaType = { boxed: 'String', plain: 'String', reader: 'Readers.TEXT' };
const number: JavaType = { boxed: 'Long', plain: 'long', reader: 'Readers.NUMBER' };
const flag: JavaType = { boxed: 'Boolean', plain: 'boolean', reader: 'Readers.FLAG' };
const day: JavaType = { boxed: 'LocalDate', plain: 'LocalDate', reader: 'Readers.DAY' };
const moment: JavaType = { boxed: 'Instant', plain: 'Instant', reader: 'Readers.MOMENT' };
const anything: JavaType = { boxed: 'Object', plain: 'Object', reader: 'Readers.ANY' };
const anyObject: JavaType = { boxed: 'JsonObject', plain: 'JsonObject', reader: 'Readers.OBJECT' };

const viewOf = (name: string): JavaType => ({ boxed: name, plain: name, reader: `Readers.object(${name}::new)` });
const listOf = ({ boxed, reader }: JavaType): JavaType => ({
  boxed: `List<${boxed}>`,
  plain: `List<${boxed}>`,
  reader: `Readers.list(${reader})`,
});
const mapOf = ({ boxed, reader }: JavaType): JavaType => ({
  boxed: `Map<String, ${boxed}>`,
  plain: `Map<String, ${boxed}>`,
  reader: `Readers.map(${reader})`,
});

/** Writes types, and collects a view for each object. */
export class JavaTypes {
  readonly #schemas: OpenApiDocument['components']['schemas'];
  readonly #views = new Map<string, OpenApiSchema>();
  /** The names of the collected views by their bodies: the same object is defined once. */
  readonly #nameOf = new Map<string, string>();
  /** Callers make these, so they have methods that change a member. */
  readonly #madeByCallers = new Set<string>();

  constructor({ components }: OpenApiDocument) {
    this.#schemas = components.schemas;
    for (const [name, schema] of Object.entries(components.schemas))
      if (schema.properties !== undefined && this.#viewName(name) === name) this.#views.set(name, schema);
  }

  /** `path` names an object that has no name of its own. */
  type(schema: OpenApiSchema, path: string): JavaType {
    if (schema.$ref !== undefined) return this.#namedType(schema.$ref.slice(prefix.length));
    const several = (schema.oneOf ?? schema.anyOf)?.filter((each) => !isNull(each));
    if (several !== undefined)
      return oneOf(several.map((each, at) => this.type(each, `${path}${at === 0 ? '' : at + 1}`)));
    const [constant] = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
    const type =
      constant === undefined ? schema.type : constant === true || constant === false ? 'boolean' : typeof constant;
    if (typeof type === 'object') return oneOf(type.map((each) => this.type({ ...schema, type: each }, path)));
    return this.#plainType(type, schema, path);
  }

  /** Query parameters are a view as well. */
  defineQuery(name: string, schema: OpenApiSchema): void {
    this.#views.set(name, schema);
    this.#madeByCallers.add(name);
  }

  /** Also what the object consists of. */
  markMadeByCallers(schema: OpenApiSchema): void {
    const name = schema.$ref === undefined ? undefined : this.#viewName(schema.$ref.slice(prefix.length));
    const {
      properties = {},
      items,
      additionalProperties,
      oneOf: some = [],
      anyOf: any = [],
    } = name === undefined ? schema : (this.#schemas[name] ?? {});
    const own = name ?? this.#nameOf.get(JSON.stringify(schema));
    if (own !== undefined) {
      if (this.#madeByCallers.has(own)) return;
      this.#madeByCallers.add(own);
    }
    const open = typeof additionalProperties === 'object' ? [additionalProperties] : [];
    for (const each of [...Object.values(properties), ...some, ...any, ...open, ...(items ? [items] : [])])
      this.markMadeByCallers(each);
  }

  /** Objects without a name are collected while the members of others are written. */
  views(): string[] {
    const written = new Map<string, string>();
    while (written.size < this.#views.size)
      for (const [name, schema] of this.#views) if (!written.has(name)) written.set(name, this.#view(name, schema));
    return [...written.values()];
  }

  /** The types of the members of each view that callers make. */
  viewsMadeByCallers(): Readonly<Record<string, Readonly<Record<string, string>>>> {
    const made = [...this.#views].filter(([name]) => this.#madeByCallers.has(name));
    return Object.fromEntries(made.map(([name, { properties = {} }]) => [name, this.#memberTypes(name, properties)]));
  }

  #memberTypes(view: string, properties: Readonly<Record<string, OpenApiSchema>>): Readonly<Record<string, string>> {
    const types = Object.entries(properties).map(([member, schema]) => [
      member,
      this.type(schema, `${view}${javaTypeName(member)}`).boxed,
    ]);
    return Object.fromEntries(types) as Readonly<Record<string, string>>;
  }

  /** For all members to be known before `markMadeByCallers`. */
  collect(): void {
    this.views();
  }

  #namedType(name: string): JavaType {
    const schema = this.#schemas[name] ?? {};
    return schema.properties === undefined ? this.type(schema, name) : viewOf(this.#viewName(name));
  }

  /** What a caller states has the type of what is answered where both have the same members: one `Money`. */
  #viewName(name: string): string {
    const [, answered = ''] = /^Stated(\w+?)(?:OrNothing)?$/.exec(name) ?? [];
    const schema = this.#schemas[answered];
    if (schema === undefined) return name;
    return this.#structure(schema) === this.#structure(this.#schemas[name] ?? {}) ? answered : name;
  }

  /** Equal for objects whose members have the same names and types. */
  #structure(schema: OpenApiSchema): string {
    const { $ref, properties, required = [], items, oneOf: several = schema.anyOf, additionalProperties } = schema;
    if ($ref !== undefined) return this.#viewName($ref.slice(prefix.length));
    if (several !== undefined) return several.map((each) => this.#structure(each)).join(' | ');
    if (items !== undefined) return `[${this.#structure(items)}]`;
    if (properties === undefined) return additionalProperties === undefined ? this.type(schema, '').boxed : 'Map';
    const members = Object.entries(properties).map(
      ([name, each]) => `${name}${required.includes(name) ? '' : '?'}: ${this.#structure(each)}`,
    );
    return `{${members.join(', ')}}`;
  }

  #plainType(type: string | undefined, schema: OpenApiSchema, path: string): JavaType {
    switch (type) {
      case 'array':
        return listOf(this.type(schema.items ?? {}, path));
      case 'integer':
      case 'number':
        return number;
      case 'boolean':
        return flag;
      case 'string':
        return schema.format === 'date' ? day : schema.format === 'date-time' ? moment : text;
      case 'object':
      case undefined:
        return type === undefined && schema.properties === undefined ? anything : this.#objectType(schema, path);
      default:
        throw new Error(`${path} has the JSON type ${type}; expected one without fractions`);
    }
  }

  #objectType(schema: OpenApiSchema, path: string): JavaType {
    const { properties = {}, additionalProperties } = schema;
    // Some schemas spell it out, because they allow a smaller range.
    if (Object.keys(properties).sort().join() === 'currency,minor_units') return viewOf('Money');
    if (Object.keys(properties).length === 0)
      return mapOf(typeof additionalProperties === 'object' ? this.type(additionalProperties, path) : anything);
    const body = JSON.stringify(schema);
    const known = this.#nameOf.get(body);
    if (known !== undefined) return viewOf(known);
    let name = path;
    for (let count = 2; this.#views.has(name) || this.#schemas[name] !== undefined; count += 1)
      name = `${path}${count}`;
    this.#nameOf.set(body, name);
    this.#views.set(name, schema);
    return viewOf(name);
  }

  #view(name: string, { properties = {}, required = [], description }: OpenApiSchema): string {
    const isMade = this.#madeByCallers.has(name);
    const members = Object.entries(properties).map(([member, schema]) => {
      const type = this.type(schema, `${name}${javaTypeName(member)}`);
      const isRequired = required.includes(member) && !(schema.anyOf ?? []).some(isNull);
      const getter = isRequired
        ? `public ${type.plain} ${javaName(member)}() {\n  return required("${member}", ${type.reader});\n}\n`
        : `public Optional<${type.boxed}> ${javaName(member)}() {\n  return optional("${member}", ${type.reader});\n}\n`;
      const wither = `public ${name} with${javaTypeName(member)}(${type.plain} value) {\n  return new ${name}(with("${member}", value));\n}\n`;
      const comment = javadoc(memberText(schema));
      return `${comment}${getter}${isMade ? `\n${comment}${wither}` : ''}`;
    });
    const constructors = [
      ...(isMade ? [`public ${name}() {}\n`] : []),
      `public ${name}(Map<String, ?> members) {\n  super(members);\n}\n`,
    ];
    const body = [...constructors, ...members].map(indent).join('\n');
    return `${javadoc(description ?? '')}public static final class ${name} extends JsonObject {\n${body}}\n`;
  }
}

function isNull({ type }: OpenApiSchema): boolean {
  return type === 'null';
}

/** Several types: the one that all are, or what they have in common. */
function oneOf(types: readonly JavaType[]): JavaType {
  const [first = anything] = types;
  if (types.every(({ boxed }) => boxed === first.boxed)) return first;
  return types.every(({ reader }) => reader.startsWith('Readers.object(') || reader === 'Readers.OBJECT')
    ? anyObject
    : anything;
}

/** `minor_units` is `minorUnits`. */
export function javaName(name: string): string {
  const words = name.replace(/[_-]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return reserved.has(words) ? `${words}_` : words;
}

export function javaTypeName(name: string): string {
  const words = javaName(name).replace(/_$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function memberText({ description, deprecated, enum: values = [] }: OpenApiSchema): string {
  const known = values.filter((each) => typeof each === 'string').map((each) => `\`${each}\``);
  // The list of all refusal codes is a class of its own.
  const list = known.length > 1 && known.length < 40 ? `One of ${known.join(', ')}.` : undefined;
  return [description, list, deprecated === true ? '@deprecated' : undefined]
    .filter((each) => each !== undefined)
    .join('\n');
}

export function javadoc(content: string): string {
  if (content === '') return '';
  const escaped = content
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('*/', '*&#47;')
    .replace(/`([^`\n]*)`/g, '<code>$1</code>')
    .replaceAll('{@', '{&#64;');
  const lines = escaped.replaceAll('@deprecated', 'Deprecated.').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

export function indent(content: string): string {
  return content.replace(/^(?=.)/gm, '  ');
}
