/** What the environment says so that a service on this machine is asked itself, where Node is told to take a proxy. */
export function pastProxy(env: Readonly<Record<string, string | undefined>>, url: string): Record<string, string> {
  const told = env['no_proxy'] || env['NO_PROXY'];
  if (told === '*') return {};
  const list = [...(told ? [told] : []), new URL(url).hostname].join(',');
  return { NO_PROXY: list, no_proxy: list };
}
