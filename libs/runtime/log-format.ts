/** Renders a JSON log line for a person: time, level, service, event, message and the other fields. */
const hiddenFields = new Set(['level', 'time', 'pid', 'service', 'event', 'msg', 'err']);

export function formatForTerminal(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown>;
  const time = String(entry['time']).slice(11, 23);
  const fields = Object.entries(entry)
    .filter(([name]) => !hiddenFields.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const head = [time, String(entry['level']).padEnd(5), entry['service'], entry['event'], '-', entry['msg'], ...fields];
  return `${head.join(' ')}\n${stackOf(entry['err'])}`;
}

function stackOf(error: unknown): string {
  const stack = (error as { stack?: unknown } | undefined)?.stack;
  return typeof stack === 'string' ? `${stack.replace(/^/gm, '  ')}\n` : '';
}
