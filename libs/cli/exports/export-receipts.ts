/** `lending receipts export`: the Receipts of all Clients, or of one, as CSV. */
import { type Caller, callerFor } from '../caller.ts';
import { requireRegistered } from '../clients/require-registered.ts';
import { type ExportOptions, writeExport } from './export-file.ts';
import { readPages } from './read-pages.ts';

export type ReceiptsExportOptions = ExportOptions & { readonly client?: string };

export interface ExportedReceipt {
  readonly id: string;
  readonly reference: string;
  readonly client_id: string;
  readonly amount: { readonly minor_units: number; readonly currency: string };
  readonly value_date: string;
  readonly designated_loan_id?: string;
  readonly payoff_intent: boolean;
  readonly rail?: string;
  readonly provider_reference?: string;
  readonly context?: object;
  readonly reported_at: string;
  readonly reversed: boolean;
}

/** The columns that `lending receipts post` reads come first. */
export const receiptColumns = {
  reference: (receipt: ExportedReceipt) => receipt.reference,
  client_id: (receipt: ExportedReceipt) => receipt.client_id,
  minor_units: ({ amount }: ExportedReceipt) => amount.minor_units,
  currency: ({ amount }: ExportedReceipt) => amount.currency,
  value_date: (receipt: ExportedReceipt) => receipt.value_date,
  designated_loan_id: (receipt: ExportedReceipt) => receipt.designated_loan_id,
  // Mostly left out when the Receipt was reported, and a body that states it is another body.
  payoff_intent: (receipt: ExportedReceipt) => receipt.payoff_intent || undefined,
  rail: (receipt: ExportedReceipt) => receipt.rail,
  provider_reference: (receipt: ExportedReceipt) => receipt.provider_reference,
  context: ({ context }: ExportedReceipt) => (context === undefined ? undefined : JSON.stringify(context)),
  id: (receipt: ExportedReceipt) => receipt.id,
  reported_at: (receipt: ExportedReceipt) => receipt.reported_at,
  reversed: (receipt: ExportedReceipt) => receipt.reversed,
};

export function exportReceipts(options: ReceiptsExportOptions): Promise<void> {
  const caller = callerFor(options);
  const { client } = options;
  const receipts = client === undefined ? receiptsOfAll(caller) : receiptsOfClient(caller, client);
  return writeExport(receipts, { unit: 'Receipts', columns: receiptColumns }, options);
}

/** The service lists Receipts by Client. */
async function* receiptsOfAll(caller: Caller): AsyncGenerator<ExportedReceipt> {
  for await (const { client_id } of readPages<{ client_id: string }>(caller, '/clients', 'clients')) {
    yield* receiptsOf(caller, client_id);
  }
}

async function* receiptsOfClient(caller: Caller, clientId: string): AsyncGenerator<ExportedReceipt> {
  let isEmpty = true;
  for await (const receipt of receiptsOf(caller, clientId)) {
    isEmpty = false;
    yield receipt;
  }
  // The service answers an empty list for a Client that does not exist, too.
  if (isEmpty) await requireRegistered(caller, clientId);
}

function receiptsOf(caller: Caller, clientId: string): AsyncGenerator<ExportedReceipt> {
  return readPages(caller, `/clients/${encodeURIComponent(clientId)}/receipts`, 'receipts');
}
