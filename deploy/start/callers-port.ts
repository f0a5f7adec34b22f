import { freePort, isFree } from '#deploy/stack/ports.ts';
import { type Environment, port, readConfig } from '#libs/runtime/config.ts';

const usual = 8080;

/** The one told, else the usual one, so that what somebody wrote down yesterday works today. */
export async function callersPort(env: Environment): Promise<number> {
  const { told } = readConfig(env, { told: { ...port('PORT', 0), fallback: undefined } });
  if (told === undefined) return (await isFree(usual)) ? usual : freePort();
  if (told === 0) return freePort();
  if (!(await isFree(told))) throw new Error(`PORT is ${told}, which is taken or not ours to listen on`);
  return told;
}
