/** Checks the table of contract changes when a process starts: its days, its versions, and that what it names exists. */

import { operations } from '#libs/api/openapi/document.ts';
import { parseDay } from '#libs/calendar/civil-day.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';
import type { BreakingEntry, ChangeWindow, Contract, ContractEntry } from './contract-versions.ts';
import type { Route } from './route.ts';
import { type RouteName, routes } from './routes.ts';

const minWindowDays = 90;

/** Throws with the version or entry that is wrong. */
export function checkContract(contract: Contract): void {
  const { versions, entries } = contract;
  versions.forEach(({ version }, index) => {
    const previous = versions[index - 1]?.version ?? '';
    if (parseDay(version) === undefined) throw new Error(`contract version ${version} is not a day (YYYY-MM-DD)`);
    if (version <= previous)
      throw new Error(`contract version ${version} is not after ${previous}; list them in order`);
  });
  for (const entry of entries) {
    const fault = versionFault(contract, entry) ?? windowFault(entry) ?? nameFault(contract, entry);
    if (fault !== undefined) throw new Error(`contract entry ${JSON.stringify(entry)}: ${fault}`);
  }
}

function versionFault({ versions }: Contract, entry: ContractEntry): string | undefined {
  const version = 'addedIn' in entry ? entry.addedIn : entry.changedIn;
  const isLater = versions.slice(1).some((published) => published.version === version);
  return version === undefined || isLater ? undefined : `${version} is not a version after the baseline`;
}

function windowFault(entry: ContractEntry): string | undefined {
  if (!('window' in entry)) return undefined;
  const { changedIn, window } = entry;
  const days = windowDays(window);
  if (days === undefined) return `${window.announcedOn} or ${window.endsOn} is not a day (YYYY-MM-DD)`;
  if (days < minWindowDays) return `the window is ${days} days long; expected at least ${minWindowDays}`;
  if (changedIn !== undefined && changedIn > window.endsOn)
    return `version ${changedIn} is after the end of the window`;
  return undefined;
}

function windowDays({ announcedOn, endsOn }: ChangeWindow): number | undefined {
  const [first, end] = [parseDay(announcedOn), parseDay(endsOn)];
  return first === undefined || end === undefined ? undefined : end - first;
}

function nameFault(contract: Contract, entry: ContractEntry): string | undefined {
  if (entry.kind === 'member') return memberFault(contract, entry);
  if (!Object.hasOwn(routes, entry.route)) return `route ${entry.route} does not exist`;
  switch (entry.kind) {
    case 'route':
      return undefined;
    case 'query_parameter':
      return entry.parameter in routes[entry.route].query ? undefined : `parameter ${entry.parameter} does not exist`;
    case 'request_field':
      return requestFieldFault(entry);
    case 'answer_field':
      return placeFault(answerSchema(entry.route), entry.holder, 'window' in entry ? undefined : entry.field);
    case 'meaning':
      return meaningFault(entry);
  }
}

type EntryOf<Kind> = Extract<ContractEntry, { kind: Kind }>;

function memberFault({ entries }: Contract, entry: EntryOf<'member'>): string | undefined {
  const { enumeration, member, addedIn, introducedWith: { routes: ofRoutes = [], fields = [] } = {} } = entry;
  const { open, members } = enumerations[enumeration];
  if (open) return `enumeration ${enumeration} is open: its members are served under every version`;
  const isMember = members.length === 0 || (members as readonly string[]).includes(member);
  if (!isMember) return `${member} is not a member of ${enumeration}`;
  const added = entries.filter((other) => 'addedIn' in other && other.addedIn === addedIn);
  const isAdded = (name: string): boolean =>
    added.some(
      (other) => (other.kind === 'route' && other.route === name) || ('field' in other && other.field === name),
    );
  const missing = [...ofRoutes, ...fields].find((name) => !isAdded(name));
  return missing === undefined ? undefined : `${missing} is not a route or field that ${addedIn} adds`;
}

function requestFieldFault(entry: EntryOf<'request_field'>): string | undefined {
  const schema = requestSchema(entry.route);
  const fault = placeFault(schema, '', entry.field);
  if (fault !== undefined || !('change' in entry) || entry.change === 'removed') return fault;
  const { required = [] } = schema as JsonSchema;
  return (required as readonly string[]).includes(entry.field) ? `field ${entry.field} is required already` : undefined;
}

function meaningFault({ route, of, holder, field }: BreakingEntry<'meaning'>): string | undefined {
  return placeFault(of === 'request' ? requestSchema(route) : answerSchema(route), holder, field);
}

function requestSchema(name: RouteName): JsonSchema | undefined {
  const route: Route = routes[name];
  return operations[name].body ?? route.body?.jsonSchema;
}

/** Undefined for an answer that cannot be rendered for a version: of a route without credentials, a page or a stream. */
function answerSchema(name: RouteName): JsonSchema | undefined {
  const { answer, media } = operations[name];
  return routes[name].isPublic || media !== undefined ? undefined : answer?.jsonSchema;
}

/** Whether a body has the object that holds a field and, if one is named, the field. */
function placeFault(body: JsonSchema | undefined, holder: string, field?: string): string | undefined {
  if (body === undefined) return 'the route has no such body';
  const names = holder === '' ? [] : holder.split('/');
  const holders = names
    .reduce((found, name) => found.flatMap((schema) => inner(schema, name)), [body])
    .flatMap(objects);
  if (holders.length === 0) return `no object at '${holder}'`;
  if (field === undefined || holders.some((schema) => inner(schema, field).length > 0)) return undefined;
  return `no field ${field} at '${holder}'`;
}

/** The alternatives of a schema, and the schema itself. */
function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf = [], oneOf = [] } = schema;
  const choices = [...(anyOf as readonly JsonSchema[]), ...(oneOf as readonly JsonSchema[])];
  return [schema, ...choices.flatMap(alternatives)];
}

function objects(schema: JsonSchema): readonly JsonSchema[] {
  return alternatives(schema).filter(({ properties }) => properties !== undefined);
}

function inner(schema: JsonSchema, name: string): readonly JsonSchema[] {
  return alternatives(schema).flatMap(({ items, properties }) => {
    const found = name === '*' ? items : (properties as JsonSchema | undefined)?.[name];
    return found === undefined ? [] : [found as JsonSchema];
  });
}
