/** Pages of Loans: list, one Loan, its schedule and its statement. */

import { type Request, type Response, Router } from 'express';
import { isIdentifier, isUuid } from '#libs/schema/identifiers.ts';
import { isReference } from '#libs/schema/scalars.ts';
import type { Loan } from '#libs/sdk/src/contract/shapes.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { apiOf, requireTenancy } from '../../access.ts';
import { sendBeingPrepared } from '../../being-prepared-page.ts';
import { readClocks } from '../../clocks.ts';
import { type ConsoleContext, visitOf } from '../../console-context.ts';
import { type CsvDownloads, wholeList } from '../../csv-download.ts';
import { sendErrorPage } from '../../error-page.ts';
import type { FigureOfLoan } from '../../figures.ts';
import { cursorIn, queryText } from '../../form.ts';
import { orUndefined } from '../../optional-read.ts';
import { sendPage } from '../../page.ts';
import { requireReadyBook } from '../../require-ready-book.ts';
import { plotAssets } from '../plot.ts';
import { statementColumns, statementRows } from '../statement-csv.ts';
import { isReversed, rangeOf } from '../statement-range.ts';
import { type LoanFilter, loanListPage } from './list-page.ts';
import { loanPage } from './loan-page.ts';
import { loanColumns, loanRows } from './loans-csv.ts';
import { loanStatementPage, schedulePage } from './print-pages.ts';
import { type LoanReads, readLastDays, readLoanOnDay, readLoanView } from './read-loan.ts';

const pageSize = 25;
const loansPerRead = 100;
const styles = ['explorer.css'];

export function loansRouter(context: ConsoleContext, downloads: CsvDownloads): Router {
  const router = Router();
  const guard = requireTenancy(context);
  const readyBook = requireReadyBook(context);
  router.param('loan', (_request, _response, next, id) => next(isUuid(String(id)) ? undefined : 'route'));

  router.get('/tenancies/:tenant/loans', guard, readyBook, async (request, response) => {
    const visit = visitOf(response);
    const filter = filterIn(request);
    const { cursor } = cursorIn(request);
    const { on } = await readClocks(context, request, response);
    const at = { ...statedIn(filter), on, limit: pageSize, ...cursorIn(request) };
    const isListed = canMatch(filter);
    if (isListed && !(await context.readApi.parts.lists.areLoansReady(request.params.tenant, at)))
      return sendBeingPrepared(response, visit.texts.errors.booksAreRead);
    const page = isListed ? await apiOf(response).listLoans(at) : { loans: [] };
    const content = loanListPage(visit, filter, page, cursor === undefined);
    sendPage(response, { title: visit.texts.explorer.loans.title, content, styles });
  });

  router.get('/tenancies/:tenant/loans.csv', guard, async (request, response) => {
    const { on } = await readClocks(context, request, response);
    const fileName = `loans-${request.params.tenant}-${on}.csv`;
    const pages = rowsOfLoans(apiOf(response), filterIn(request), on);
    await downloads.send(response, { fileName, columns: loanColumns, pages });
  });

  router.get('/tenancies/:tenant/loans/:loan', guard, readyBook, async (request, response) => {
    const visit = visitOf(response);
    const clocks = await readClocks(context, request, response);
    const view = await readLoanView(readsOf(context, request, response), request.params.loan, clocks);
    const title = `${visit.texts.explorer.loans.loan} ${view.loan.terms.reference}`;
    sendPage(response, { title, content: loanPage(visit, clocks, view), ...plotAssets });
  });

  router.get('/tenancies/:tenant/loans/:loan/schedule', guard, readyBook, async (request, response) => {
    const visit = visitOf(response);
    const api = apiOf(response);
    const clocks = await readClocks(context, request, response);
    const { loan: id } = request.params;
    const [loan, read, profile] = await Promise.all([
      api.readLoan({ loan_id: id }),
      readLoanOnDay(readsOf(context, request, response), id, clocks),
      orUndefined(api.readCompanyProfile()),
    ]);
    const plan = typeof read === 'object' ? read.explanation : read === 'not_found' ? 'not_known' : read;
    const content = schedulePage(visit, clocks, { loan: nameOf(loan), profile, plan });
    sendPage(response, { title: visit.texts.explorer.schedule.title, content, styles });
  });

  router.get('/tenancies/:tenant/loans/:loan/statement', guard, readyBook, async (request, response) => {
    const visit = visitOf(response);
    const [profile, { loan, range, isShortened, statement }] = await Promise.all([
      orUndefined(apiOf(response).readCompanyProfile()),
      readStatement(context, request, response),
    ]);
    const paper = { loan: nameOf(loan), profile, statement, part: queryText(request, 'part'), isShortened };
    const content = loanStatementPage(visit, range, paper);
    const status = isReversed(range) ? 422 : 200;
    sendPage(response, { status, title: visit.texts.explorer.statement.title, content, styles });
  });

  router.get('/tenancies/:tenant/loans/:loan/statement.csv', guard, async (request, response) => {
    const { range, statement } = await readStatement(context, request, response);
    if (statement === undefined) {
      const { reversed, loanTooLarge } = visitOf(response).texts.explorer.statement;
      return sendErrorPage(response, 422, isReversed(range) ? reversed : loanTooLarge);
    }
    const fileName = `statement-${statement.reference}-${range.from}-${range.to}.csv`;
    await downloads.send(response, wholeList(fileName, statementColumns, statementRows([statement])));
  });

  return router;
}

function readsOf({ readApi }: ConsoleContext, { params }: Request<{ tenant: string }>, response: Response): LoanReads {
  return { api: apiOf(response), parts: readApi.parts, tenantId: params.tenant };
}

/** The Loan with its statement; in a large book perhaps only for the last days. */
async function readStatement(
  context: ConsoleContext,
  request: Request<{ tenant: string; loan: string }>,
  response: Response,
) {
  const { loan: id } = request.params;
  const loan = await apiOf(response).readLoan({ loan_id: id });
  const stated = rangeOf(request, await readClocks(context, request, response), () => loan.terms.anchor);
  if (isReversed(stated)) return { loan, range: stated, isShortened: false, statement: undefined };
  const read = await readLastDays(readsOf(context, request, response), id, stated);
  const statement = read === 'too_costly' ? undefined : read;
  const range = { ...stated, from: statement?.from ?? stated.from };
  return { loan, range, isShortened: range.from !== stated.from, statement };
}

function filterIn(request: Request): LoanFilter {
  return {
    client_id: queryText(request, 'client_id'),
    configuration_id: queryText(request, 'configuration_id'),
    merchant_ref: queryText(request, 'merchant_ref'),
    state: queryText(request, 'state'),
  };
}

function statedIn(filter: LoanFilter): Partial<LoanFilter> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** No Loan has a name that cannot be one. */
function canMatch({ client_id, configuration_id, merchant_ref }: LoanFilter): boolean {
  return (
    [client_id, configuration_id].every((id) => id === '' || isIdentifier(id)) &&
    (merchant_ref === '' || isReference(merchant_ref))
  );
}

async function* rowsOfLoans(api: Lending, filter: LoanFilter, on: string) {
  if (!canMatch(filter)) return;
  for await (const page of api.pages('listLoans', { ...statedIn(filter), on, limit: loansPerRead })) {
    yield loanRows(page);
  }
}

function nameOf({ id, terms }: Loan): FigureOfLoan {
  return { clientId: terms.client_id, loanId: id, reference: terms.reference };
}
