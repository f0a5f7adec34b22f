/** Sends the requests of the demo data. Sent again, they answer what is recorded and change nothing. */
import { RefusalError } from '#libs/sdk/src/errors.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import type { BodyOf, ParametersOf, RouteName } from '#libs/sdk/src/route-arguments.ts';
import type { DemoRequests } from './demo-requests.ts';
import { fillIn, type Step } from './step.ts';

/** Clients whose requests are in progress at the same time. */
const concurrentClients = 48;

export async function recordDemoRequests(lending: Lending, { setup, clients }: DemoRequests): Promise<void> {
  const answers = await recordSteps(lending, setup, new Map());
  const waiting = clients.values();
  const recordClients = async (): Promise<void> => {
    for (const steps of waiting) await recordSteps(lending, steps, answers);
  };
  await Promise.all(Array.from({ length: concurrentClients }, recordClients));
}

/** Returns the answers by the names of the steps, with those given. */
async function recordSteps(
  lending: Lending,
  steps: readonly Step[],
  earlier: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, unknown>> {
  const answers = new Map(earlier);
  for (const step of steps) answers.set(step.name, await record(lending, step, answers));
  return answers;
}

async function record(lending: Lending, step: Step, answers: ReadonlyMap<string, unknown>): Promise<unknown> {
  const at = fillIn(step.at, answers) as ParametersOf<RouteName>;
  const body = fillIn(step.body, answers) as BodyOf<RouteName>;
  // A product has no reference; under the same key it is created once.
  const options = isKeyed(step.route) ? { idempotencyKey: step.name } : {};
  try {
    return (await lending.ask(step.route, at, body, options)).body;
  } catch (cause) {
    if (step.refusedWith !== undefined && cause instanceof RefusalError && cause.code === step.refusedWith) return {};
    throw new Error(`failed to record ${step.name} of the demo data: ${describe(cause)}`, { cause });
  }
}

function isKeyed(route: RouteName): boolean {
  return route === 'createConfiguration' || route === 'writeConfigurationVersion';
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
