/** A refusal in words: what was refused, where, and what is to be done next. */
import type { Envelope, Refused } from './caller.ts';

const next: Readonly<Record<string, string>> = {
  as_is: 'It may be sent again as it is.',
  after_record: 'Something else has to be recorded first; then it may be sent again as it is.',
  after_change: 'It has to be changed before it is sent again.',
  never: 'It cannot be done any more, whatever is changed.',
};

export function refusalTold({ status, envelope }: Pick<Refused, 'status' | 'envelope'>): string {
  const { error, code, retry, request_id } = envelope;
  return [
    `refused: ${error} (${status} ${code})`,
    ...detailsTold(envelope).map((line) => `  ${line}`),
    `  ${next[retry] ?? `retry: ${retry}`}`,
    ...(request_id === undefined ? [] : [`  request ${request_id}`]),
  ].join('\n');
}

export function detailsTold({ details = {} }: Pick<Envelope, 'details'>): string[] {
  return Object.entries(details).map(([key, value]) => {
    const said = typeof value === 'string' ? value : JSON.stringify(value);
    return `${key.replaceAll('_', ' ')}: ${said}`;
  });
}
