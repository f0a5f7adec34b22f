/** Answers 202 while a long book is loaded into memory; the page asks again by a script. */
import type { NextFunction, Request, Response } from 'express';
import { isIdentifier, isUuid } from '#libs/schema/identifiers.ts';
import { isReference } from '#libs/schema/scalars.ts';
import type { BookSubject } from '#services/query/book-preparation.ts';
import { sendBeingPrepared } from './being-prepared-page.ts';
import { type ConsoleContext, visitOf } from './console-context.ts';
import { queryText } from './form.ts';

interface BookPath {
  readonly tenant: string;
  readonly client?: string;
  readonly loan?: string;
  /** Of a Receipt. */
  readonly reference?: string;
  /** With `name`: a Loan or a Receipt whose evidence is shown. */
  readonly kind?: string;
  readonly name?: string;
}

/** After `requireTenancy`. Downloads wait for their book instead. */
export function requireReadyBook({ readApi }: ConsoleContext) {
  // A test finds the pages that have it by this name.
  return async function readyBook<Path extends BookPath>(
    request: Request<Path>,
    response: Response,
    next: NextFunction,
  ): Promise<void> {
    const subject = subjectOf(request);
    if (subject === undefined || (await readApi.parts.preparation.isReady(subject))) return next();
    sendBeingPrepared(response, visitOf(response).texts.errors.bookIsRead);
  };
}

/** Undefined on a page of no one book, and for a name that nothing can have. */
function subjectOf<Path extends BookPath>(request: Request<Path>): BookSubject | undefined {
  const { tenant: tenantId, kind, name, client, loan, reference } = request.params;
  const loanId = kind === 'loans' ? name : loan;
  const receipt = kind === 'receipts' ? name : reference;
  if (loanId !== undefined) return isUuid(loanId) ? { tenantId, loanId } : undefined;
  if (receipt !== undefined) return isReference(receipt) ? { tenantId, receipt } : undefined;
  const clientId = client ?? queryText(request, 'client_id');
  return isIdentifier(clientId) ? { tenantId, clientId } : undefined;
}
