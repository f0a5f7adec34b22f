/** A request with the Python SDK. Its names and the order of its arguments are those that `libs/sdk/generate` writes. */
import { type RouteName, routes } from '#libs/api/routes.ts';
import { formatJson, type JsonNotation, jsonNotation } from '../format-json.ts';
import type { SampleRequest } from './sample-request.ts';

const words = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

const pythonNotation: JsonNotation = {
  ...jsonNotation,
  indent: '    ',
  scalar: (value) => words.get(value) ?? JSON.stringify(value),
  trailingComma: true,
};

export function pythonSample({ operation, parameters, body }: SampleRequest): string {
  const { path, query } = routes[operation];
  const inPath = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => name);
  const positional = inPath.filter((name) => name !== 'tenant_id').map((name) => JSON.stringify(parameters[name]));
  const named = Object.keys(query)
    .filter((name) => parameters[name] !== undefined)
    .map((name) => `${pythonName(name)}=${JSON.stringify(parameters[name])}`);
  const start = `print(lending.${pythonName(operation)}(`;
  const before = [start, ...positional].join(', ').length;
  const bodies = body === undefined ? [] : [formatJson(body, pythonNotation, 0, before)];
  const call = `${start}${[...positional, ...bodies, ...named].join(', ')})`;
  return `from lending import Lending\n\nlending = Lending()\n${call}${isPaged(operation) ? '.page()' : ''})`;
}

/** The feed has a cursor without being a listing; a rehearsal has its cursor in the body. */
function isPaged(operation: RouteName): boolean {
  return operation === 'rehearse' || (operation !== 'readFeed' && 'cursor' in routes[operation].query);
}

/** The only parameter that is a keyword of Python is `from`. */
function pythonName(name: string): string {
  return name === 'from' ? 'from_' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
