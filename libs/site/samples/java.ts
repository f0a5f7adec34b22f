/** A request with the Java SDK, as jshell and the methods of a program take it. */
import type { RouteName } from '#libs/api/routes.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import javaMethods from '#schemas/java-methods.json' with { type: 'json' };
import { call, chain, type JavaExpression, layOut, pair } from './java-layout.ts';
import type { SampleRequest } from './sample-request.ts';

/** `libs/sdk/generate` writes the table with the SDK, so that the samples compile. */
interface JavaMethods {
  readonly methods: { readonly [operation: string]: JavaMethod };
  /** The types of the members of each view. */
  readonly views: { readonly [view: string]: { readonly [member: string]: string } };
}

interface JavaMethod {
  /** The arguments before the body, in their order. */
  readonly positional: readonly (readonly [name: string, type: string])[];
  readonly body?: string;
  /** Where the body has one of several types: the member that decides, and the type for each value. */
  readonly choice?: { readonly member: string; readonly types: { readonly [value: string]: string } };
  /** The view of the optional parameters of the query. */
  readonly query?: string;
  readonly isPaged?: boolean;
}

const { methods, views } = javaMethods as object as JavaMethods;
const maxPairsOfMap = 10;
const maxInt = 2 ** 31 - 1;

export function javaSample({ operation, parameters, body }: SampleRequest): string {
  const method = methodOf(operation);
  const { positional, query, isPaged = false } = method;
  const writer = new ValueWriter();
  const values = positional.map(([name, type]) => writer.value(parameters[name] as Json, type));
  if (body !== undefined) values.push(writer.value(body, bodyType(method, body)));
  const names = new Set(positional.map(([name]) => name));
  const optional = Object.entries(parameters).filter(([name]) => !names.has(name));
  if (query !== undefined && optional.length > 0) values.push(writer.value(Object.fromEntries(optional), query));
  const print = 'System.out.println(';
  const request = layOut(call(`lending.${operation}`, values), print.length);
  return `${writer.imports()}\n\nLending lending = new Lending();\n${print}${request}${isPaged ? '.page()' : ''});`;
}

function methodOf(operation: RouteName): JavaMethod {
  const method = methods[operation];
  if (method === undefined)
    throw new Error(`schemas/java-methods.json has no ${operation}; npm run schemas:sdk writes it`);
  return method;
}

function bodyType({ body, choice }: JavaMethod, value: Json): string {
  const chosen = choice?.types[String((value as JsonObject)[choice.member])];
  return chosen ?? body ?? 'JsonObject';
}

/** Writes values of the contract as expressions, and collects what they import. */
class ValueWriter {
  readonly #imports = new Set(['lending.Lending']);

  imports(): string {
    const all = [...this.#imports].sort();
    const line = (name: string) => `import ${name};`;
    const statics = all.filter((name) => name.startsWith('static ')).map(line);
    const others = all.filter((name) => !name.startsWith('static ')).map(line);
    return [...(statics.length === 0 ? [] : [statics.join('\n'), '']), ...others].join('\n');
  }

  value(value: Json, type: string): JavaExpression {
    const [, item] = /^List<(.*)>$/.exec(type) ?? [];
    if (item !== undefined) return this.#list(value as readonly Json[], item);
    const [, member] = /^Map<String, (.*)>$/.exec(type) ?? [];
    if (member !== undefined) return this.#map(value as JsonObject, member);
    switch (type) {
      case 'LocalDate':
      case 'Instant':
        return call(`${this.#imported(`java.time.${type}`)}.parse`, [JSON.stringify(value)]);
      case 'Money':
        return this.#money(value as JsonObject);
      case 'JsonObject':
        return call(`new ${this.#imported('lending.JsonObject')}`, [this.#map(value as JsonObject, 'Object')]);
      case 'Object':
        return this.#anything(value);
      default:
        return views[type] === undefined ? scalar(value) : this.#view(value as JsonObject, type);
    }
  }

  #list(items: readonly Json[], type: string): JavaExpression {
    const list = this.#imported('java.util.List');
    return call(
      `${list}.of`,
      items.map((item) => (type === 'Long' ? `${item}L` : this.value(item, type))),
    );
  }

  #map(value: JsonObject, type: string): JavaExpression {
    const map = this.#imported('java.util.Map');
    const pairs = Object.entries(value).map(([name, member]) =>
      pair(JSON.stringify(name), type === 'Long' ? `${member}L` : this.value(member as Json, type)),
    );
    if (pairs.length <= maxPairsOfMap) return call(`${map}.of`, pairs);
    this.#imported('static java.util.Map.entry');
    return call(
      `${map}.ofEntries`,
      pairs.map((each) => call('entry', [each])),
    );
  }

  #money({ minor_units, currency }: JsonObject): JavaExpression {
    this.#imported('static lending.Amounts.toMoney');
    const digits = String(minor_units).padStart(3, '0');
    return call('toMoney', [`"${digits.slice(0, -2)}.${digits.slice(-2)}"`, JSON.stringify(currency)]);
  }

  /** Where the contract allows several types. */
  #anything(value: Json): JavaExpression {
    if (Array.isArray(value)) return this.#list(value, 'Object');
    if (typeof value !== 'object' || value === null) return scalar(value);
    const isMoney = Object.keys(value).join() === 'minor_units,currency';
    return isMoney ? this.#money(value as JsonObject) : this.#map(value as JsonObject, 'Object');
  }

  #view(value: JsonObject, type: string): JavaExpression {
    this.#imported('lending.contract.Shapes');
    const members = Object.entries(value).map(([name, member]) => {
      const memberType = views[type]?.[name];
      if (memberType === undefined) throw new Error(`the view ${type} of the Java SDK has no member ${name}`);
      return call(`.with${pascalCase(name)}`, [this.value(member as Json, memberType)]);
    });
    return chain(`new Shapes.${type}()`, members);
  }

  /** Returns the simple name. */
  #imported(name: string): string {
    this.#imports.add(name);
    return name.slice(name.lastIndexOf('.') + 1);
  }
}

function scalar(value: Json): string {
  if (typeof value === 'number' && Math.abs(value) > maxInt) return `${value}L`;
  return JSON.stringify(value);
}

/** `minor_units` is `MinorUnits`. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
