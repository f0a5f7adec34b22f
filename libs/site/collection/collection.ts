/**
 * The Bruno collection in schemas/bruno: each operation with its recorded example, a quick start whose requests follow from
 * each other, and the script that signs them.
 */
import { readFileSync } from 'node:fs';
import { type Examples, openApi } from '#libs/api/openapi/document.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import recordedExamples from '#schemas/examples.json' with { type: 'json' };
import { type ReferenceOperation, referenceOperations } from '../reference/api-document.ts';
import { resources } from '../reference/resources.ts';
import { type SampleRequest, sampleRequest } from '../samples/sample-request.ts';

/** By path below the collection. */
export type CollectionFiles = ReadonlyMap<string, string>;

interface RequestFile {
  readonly name: string;
  readonly place: number;
  readonly request: SampleRequest;
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Variables of later requests, by the expression over `res.body` that they take. */
  readonly keeps?: Readonly<Record<string, string>>;
}

const signScript = readFileSync(new URL('sign-request.js', import.meta.url), 'utf8');

/** The first five minutes. Values that the service chose are kept as variables. */
const quickStart: readonly (Pick<RequestFile, 'keeps' | 'headers'> & { readonly operation: RouteName })[] = [
  { operation: 'registerClient' },
  // The route has no reference: with this key a repeated request gets the first outcome.
  { operation: 'createConfiguration', headers: { 'Idempotency-Key': '{{client}}' }, keeps: { configuration: 'id' } },
  { operation: 'issueLoan', keeps: { loan: 'id' } },
  { operation: 'reportReceipt' },
  { operation: 'readPaymentOptions' },
  { operation: 'readLoan' },
];

const examples = recordedExamples as Examples;
const contractVersion = (openApi['info'] as { readonly version: string }).version;

export function collectionFiles(): CollectionFiles {
  const operations = referenceOperations();
  const files = new Map<string, string>([
    ['bruno.json', `${JSON.stringify(collectionSettings, undefined, 2)}\n`],
    ['collection.bru', collectionText()],
    ['environments/Local.bru', environmentText()],
  ]);
  for (const [index, { operation, ...rest }] of quickStart.entries()) {
    const request = sampleRequest(operation, quickStartExample(operation), '{{tenant}}');
    const { summary, description } = operations.get(operation) as ReferenceOperation;
    const name = `${index + 1} ${summary}`;
    const text = requestText({ name, place: index + 1, request, description, ...rest });
    files.set(`1 Quick start/${fileName(name)}`, text);
  }
  for (const { title, operations: names } of resources) {
    for (const [index, name] of names.entries()) {
      const example = examples[name];
      const operation = operations.get(name);
      if (example === undefined || operation === undefined || !routes[name].path.includes('{tenant_id}')) continue;
      const request = sampleRequest(name, example, '{{tenant}}');
      const file = { name: operation.summary, place: index + 1, request, description: operation.description };
      files.set(`${title}/${fileName(operation.summary)}`, requestText(file));
    }
  }
  return files;
}

/** One Client in all requests, and the configuration and the Loan that the requests before made. */
function quickStartExample(operation: RouteName) {
  const { params = {}, query, body } = examples[operation] ?? {};
  const text = JSON.stringify({ params, query, body }, (name, value: unknown) => {
    if (name === 'client_id') return '{{client}}';
    if (name === 'configuration_id') return '{{configuration}}';
    if (name === 'loan_id') return '{{loan}}';
    if (name === 'reference') return `{{client}}-${value}`;
    return value;
  });
  return JSON.parse(text) as Parameters<typeof sampleRequest>[1];
}

const collectionSettings = {
  version: '1',
  name: 'Lending',
  type: 'collection',
  ignore: ['node_modules', '.git'],
  // The signature is made by Node's own module.
  scripts: { moduleWhitelist: ['crypto'] },
};

function collectionText(): string {
  return [
    block('headers', 'Contract-Version: {{contractVersion}}'),
    block('script:pre-request', signScript.trim()),
  ].join('\n');
}

function environmentText(): string {
  const variables = ['baseUrl: http://127.0.0.1:8080', 'tenant: demo', `contractVersion: ${contractVersion}`];
  return [block('vars', variables.join('\n')), 'vars:secret [\n  secret\n]\n'].join('');
}

function requestText({ name, place, request, description, headers = {}, keeps = {} }: RequestFile): string {
  const { method, target, body } = request;
  const [path = '', query] = target.replaceAll('%7B%7B', '{{').replaceAll('%7D%7D', '}}').split('?');
  const url = `{{baseUrl}}${path}${query === undefined ? '' : `?${query}`}`;
  const parameters = [...new URLSearchParams(query)].map(([key, value]) => `${key}: ${value}`);
  const kept = Object.entries(keeps).map(([variable, member]) => `bru.setVar('${variable}', res.body.${member});`);
  return [
    block('meta', `name: ${name}\ntype: http\nseq: ${place}`),
    block(method.toLowerCase(), `url: ${url}\nbody: ${body === undefined ? 'none' : 'json'}\nauth: none`),
    ...Object.entries(headers).map(([header, value]) => block('headers', `${header}: ${value}`)),
    ...(parameters.length === 0 ? [] : [block('params:query', parameters.join('\n'))]),
    ...(body === undefined ? [] : [block('body:json', JSON.stringify(body, undefined, 2))]),
    ...(kept.length === 0 ? [] : [block('script:post-response', kept.join('\n'))]),
    block('docs', description),
  ].join('\n');
}

function block(name: string, content: string): string {
  const lines = content.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
  return `${name} {\n${lines.join('\n')}\n}\n`;
}

function fileName(name: string): string {
  return `${name.replaceAll('/', ' ')}.bru`;
}
