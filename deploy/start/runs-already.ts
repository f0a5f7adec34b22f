/** What `npm start` says where one runs already: whoever names something in the environment means that and nothing else. */

type Variables = Readonly<Record<string, string | undefined>>;

const addresses = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'DATABASE_URL', 'DATABASE_OWNER_URL', 'REDIS_URL'];

/** `running` is what the other one left for the command line; nothing before it is ready. */
export function runsAlready(env: Variables, running: Variables): { readonly said: string; readonly code: 0 | 1 } {
  const url = running['LENDING_URL'];
  const told: Variables = { ...env, PORT: env['PORT'] === '0' ? '' : env['PORT'] };
  const named = [...addresses, 'PORT'].filter((name) => (told[name] ?? '') !== '');
  if (url === undefined) {
    return named.length > 0
      ? {
          code: 1,
          said: `One is being started already, and has not said yet whether with the ${listed(named)} that the environment names: try again when it is ready.`,
        }
      : { code: 0, said: 'One is being started already; its address and its keys will be in .data/dev.json.' };
  }
  const runs: Variables = { ...running, PORT: url.split(':').at(-1) };
  const others = named.filter((name) => told[name] !== runs[name]);
  return others.length > 0
    ? {
        code: 1,
        said: `It runs already, at ${url}, but not with the ${listed(others)} that the environment names: stop it first, or name nothing.`,
      }
    : { code: 0, said: `It runs already, at ${url}; its keys are in .data/dev.json.` };
}

function listed(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join();
}
