/** `lending client export`: all Clients of a Tenancy as CSV, which `lending client import` accepts. */
import { callerFor } from '../caller.ts';
import { type ExportOptions, writeExport } from './export-file.ts';
import { readPages } from './read-pages.ts';

export type ClientsExportOptions = ExportOptions;

export interface ExportedClient {
  readonly client_id: string;
  readonly created_at: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: object;
}

export const clientColumns = {
  client_id: (client: ExportedClient) => client.client_id,
  basis: (client: ExportedClient) => client.basis,
  actor: (client: ExportedClient) => client.actor,
  context: ({ context }: ExportedClient) => (context === undefined ? undefined : JSON.stringify(context)),
  created_at: (client: ExportedClient) => client.created_at,
};

export function exportClients(options: ClientsExportOptions): Promise<void> {
  const clients = readPages<ExportedClient>(callerFor(options), '/clients', 'clients');
  return writeExport(clients, { unit: 'Clients', columns: clientColumns }, options);
}
