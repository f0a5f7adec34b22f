/** `lending request show`: one request from the log of answered requests. */
import { isUuid } from '#libs/schema/identifiers.ts';
import { callerFor } from '../caller.ts';
import type { CallerCommandOptions } from '../commands/caller-options.ts';
import { printDocument } from '../output/print-result.ts';
import { formatValue } from '../output/text-table.ts';
import { readLogPage } from './request-log.ts';

export type ShowRequestOptions = CallerCommandOptions;

export async function showRequest(id: string, options: ShowRequestOptions): Promise<void> {
  const caller = callerFor(options);
  const filters = isUuid(id) ? [{ request_id: id }, { caller_request_id: id }] : [{ caller_request_id: id }];
  for (const filter of filters) {
    const { requests } = await readLogPage(caller, filter);
    if (requests.length === 0) continue;
    // A caller may use an id of its own more than once.
    const found = requests.length === 1 ? requests[0] : requests;
    return printDocument(found, () => formatValue(found).join('\n'), options);
  }
  throw new Error(
    `the log of ${caller.tenantId} holds no request ${id}; it holds the answered requests of the last thirty days, each about a second after its answer`,
  );
}
