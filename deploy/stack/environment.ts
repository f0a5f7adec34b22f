import { probes, type ServiceName, serviceNames } from './probes.ts';

export const variables: Readonly<Record<ServiceName, string>> = {
  kafka: 'KAFKA_BROKERS',
  registry: 'SCHEMA_REGISTRY_URL',
  postgres: 'DATABASE_URL',
  redis: 'REDIS_URL',
};

/** Of Postgres there may be two: who owns the tables, and how the services log in. */
export const ownerVariable = 'DATABASE_OWNER_URL';

/**
 * The services the environment names. One that is named and does not answer fails the start: whoever set the variable
 * meant that service and no other, and must not find their data in a new empty one.
 */
export async function fromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Partial<Record<ServiceName, string>>> {
  const owner = env[ownerVariable] ?? '';
  if (owner !== '' && (env[variables.postgres] ?? '') === '') {
    throw new Error(`${ownerVariable} is set, but not ${variables.postgres}, by which the services log in`);
  }
  const named = serviceNames.flatMap((name) => {
    const told = env[variables[name]];
    if (told === undefined || told === '') return [];
    // The services' own login may not be there before the owner has made it.
    const isOwners = name === 'postgres' && owner !== '';
    return [{ name, variable: isOwners ? ownerVariable : variables[name], address: isOwners ? owner : told }];
  });
  const failures: string[] = [];
  await Promise.all(
    named.map(({ name, variable, address }) =>
      probes[name](address).catch((cause: unknown) => {
        failures.push(`${variable} is set, but no ${name} answers there: ${reason(cause)}`);
      }),
    ),
  );
  if (failures.length > 0) throw new Error(failures.sort().join('\n'));
  return Object.fromEntries(named.map(({ name, address }) => [name, address]));
}

// An AggregateError (refused on both address families) has an empty message of its own.
function reason(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(reason).join(', ');
  if (cause instanceof Error && cause.cause !== undefined) return reason(cause.cause);
  return cause instanceof Error ? cause.message : String(cause);
}
