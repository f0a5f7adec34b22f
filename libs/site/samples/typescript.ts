/** A request with the SDK. `console.dir`, because `console.log` shortens nested objects. */
import { routes } from '#libs/api/routes.ts';
import type { Json } from '#libs/schema/json.ts';
import { formatJson, type JsonNotation, jsonNotation } from '../format-json.ts';
import type { SampleRequest } from './sample-request.ts';

const typescriptNotation: JsonNotation = {
  ...jsonNotation,
  scalar: (value) => (typeof value === 'string' && !/['\\\n]/.test(value) ? `'${value}'` : JSON.stringify(value)),
  name: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`),
  padding: ' ',
  trailingComma: true,
};

export function typescriptSample({ operation, parameters, body }: SampleRequest): string {
  const { path, query } = routes[operation];
  const takesParameters = Object.keys(query).length > 0 || path.replace('{tenant_id}', '').includes('{');
  const values: readonly Json[] = [...(takesParameters ? [parameters] : []), ...(body === undefined ? [] : [body])];
  const start = `const answer = await lending.${operation}(`;
  const written = values.map((value) => formatJson(value, typescriptNotation, 0, start.length + 2));
  return [
    `import { Lending } from 'lending-sdk';\n`,
    'const lending = new Lending();',
    `${start}${written.join(', ')});`,
    'console.dir(answer, { depth: null });',
  ].join('\n');
}
