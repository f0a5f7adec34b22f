/** What a start prints when it is ready: where everything is, and commands to try. */
import { formatValue } from '#libs/cli/output/text-table.ts';
import type { ChosenPort } from './ports.ts';
import type { RunningServices } from './services.ts';

export interface StartSummary {
  readonly seconds: number;
  readonly services: RunningServices;
  readonly signInUrl: string;
  readonly ports: readonly ChosenPort[];
}

export function describeReady({ seconds, services, signInUrl, ports }: StartSummary): string {
  const { baseUrl, consoleUrl, operations } = services;
  const table = formatValue({
    API: baseUrl,
    Docs: `${baseUrl}/docs`,
    Console: consoleUrl,
    'Sign in': signInUrl,
    Metrics: `${operations.gateway}/metrics (gateway), ${operations.processor}/metrics (processor)`,
    Logs: '.data/dev/logs and .data/stack/logs',
    Keys: '.data/dev.json, with all addresses; .data/dev.env for the command line',
  });
  return [
    '',
    `Ready in ${seconds.toFixed(1)} s.`,
    '',
    ...table.map((line) => `  ${line}`),
    '',
    'The sign-in link works once, within three days. It asks for a password; npm start again prints a new link.',
    ...ports.flatMap(describeBusyPort),
    '',
    'Try these commands in another terminal. They are signed with the write key of the demo Tenancy:',
    '',
    "  npm run -s lending -- call GET '/v1/tenants/demo/loans?limit=3'",
    `  npm run -s lending -- call PUT /v1/tenants/demo/clients/rosa '{"actor":"me","basis":"application form"}'`,
    "  npm run -s lending -- key mint demo --scope read --label 'my first key'",
    '  npm run -s lending -- key list demo',
    '',
    'Ctrl-C stops everything and keeps the data. Remove .data/stack to start with empty data.',
  ].join('\n');
}

/** One line where the usual port was in use. */
function describeBusyPort({ what, port, busy, variable }: ChosenPort): string[] {
  if (busy === undefined) return [];
  return [`Port ${busy} is in use, so ${what} listens on ${port}; ${variable}=9000 npm start asks for another one.`];
}
