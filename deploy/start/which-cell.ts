/** Of which cell a command is meant: all of its addresses from the environment, or all from the last `npm start`. */

type Variables = Readonly<Record<string, string | undefined>>;

const required = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'DATABASE_URL', 'REDIS_URL'] as const;
const addresses = [...required, 'DATABASE_OWNER_URL'] as const;
const [url, key, tenant] = ['LENDING_URL', 'LENDING_KEY', 'LENDING_TENANT'] as const;

export interface WhichCell {
  /** What the environment is to be completed with. */
  readonly taken: Readonly<Record<string, string>>;
  /** What a person must know where the environment names a part of a cell alone. */
  readonly mind: string | undefined;
}

/** A database of one cell and the log of another would be prepared, and written to, as if they were one. */
export function whichCell(env: Variables, development: Variables): WhichCell {
  const isTold = (name: string): boolean => (env[name] ?? '') !== '';
  const told = addresses.filter(isTold);
  const missing = required.filter((name) => !isTold(name));
  // A key goes where its Tenancy is; another key may be tried where we are.
  const callers = isTold(url) ? [] : [url, ...(isTold(key) ? [] : [key, ...(isTold(tenant) ? [] : [tenant])])];
  const names = [...(told.length > 0 ? [] : addresses), ...callers];
  const taken = names.flatMap((name) => {
    const value = development[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const isPart = told.length > 0 && missing.length > 0;
  return {
    taken: Object.fromEntries(taken),
    mind: isPart
      ? `${told.join(', ')} named in the environment: no address of npm start is mixed with it. Not named: ${missing.join(', ')}.`
      : undefined,
  };
}
