/** Pages of Loans: list, one Loan, its schedule and its statement. */

import { Router } from 'express';
import { isIdentifier, isUuid } from '#libs/schema/identifiers.ts';
import { isReference } from '#libs/schema/scalars.ts';
import type { Loan } from '#libs/sdk/src/contract/shapes.ts';
import { apiOf, requireTenancy } from '../../access.ts';
import { clockParameters, knownParameter, readClocks } from '../../clocks.ts';
import { type ConsoleContext, visitOf } from '../../console-context.ts';
import type { FigureOfLoan } from '../../figures.ts';
import { queryText } from '../../form.ts';
import { orUndefined } from '../../optional-read.ts';
import { sendPage } from '../../page.ts';
import { readBookSize } from '../clients/read-client.ts';
import { plotAssets } from '../plot.ts';
import { rangeOf, shortened } from '../statement-range.ts';
import { loanListPage } from './list-page.ts';
import { loanPage } from './loan-page.ts';
import { loanStatementPage, schedulePage } from './print-pages.ts';
import { readLoanView } from './read-loan.ts';

const pageSize = 25;
const styles = ['explorer.css'];

export function loansRouter(context: ConsoleContext): Router {
  const router = Router();
  const guard = requireTenancy(context);
  router.param('loan', (_request, _response, next, id) => next(isUuid(String(id)) ? undefined : 'route'));

  router.get('/tenancies/:tenant/loans', guard, async (request, response) => {
    const visit = visitOf(response);
    const cursor = queryText(request, 'cursor');
    const filter = {
      client_id: queryText(request, 'client_id'),
      configuration_id: queryText(request, 'configuration_id'),
      merchant_ref: queryText(request, 'merchant_ref'),
      state: queryText(request, 'state'),
    };
    const { on } = await readClocks(context, request, response);
    const stated = Object.fromEntries(Object.entries({ ...filter, cursor }).filter(([, value]) => value !== ''));
    // No Loan has a name that cannot be one.
    const canMatch =
      [filter.client_id, filter.configuration_id].every((id) => id === '' || isIdentifier(id)) &&
      (filter.merchant_ref === '' || isReference(filter.merchant_ref));
    const page = canMatch ? await apiOf(response).listLoans({ ...stated, on, limit: pageSize }) : { loans: [] };
    const content = loanListPage(visit, filter, page, cursor === '');
    sendPage(response, { title: visit.texts.explorer.loans.title, content, styles });
  });

  router.get('/tenancies/:tenant/loans/:loan', guard, async (request, response) => {
    const visit = visitOf(response);
    const clocks = await readClocks(context, request, response);
    const view = await readLoanView(apiOf(response), request.params.loan, clocks);
    const title = `${visit.texts.explorer.loans.loan} ${view.loan.terms.reference}`;
    sendPage(response, { title, content: loanPage(visit, clocks, view), ...plotAssets });
  });

  router.get('/tenancies/:tenant/loans/:loan/schedule', guard, async (request, response) => {
    const visit = visitOf(response);
    const api = apiOf(response);
    const clocks = await readClocks(context, request, response);
    const at = { loan_id: request.params.loan };
    const [loan, schedule, profile] = await Promise.all([
      api.readLoan(at),
      api.readSchedule({ ...at, ...clockParameters(clocks) }),
      orUndefined(api.readCompanyProfile()),
    ]);
    const content = schedulePage(visit, clocks, { loan: nameOf(loan), profile, schedule });
    sendPage(response, { title: visit.texts.explorer.schedule.title, content, styles });
  });

  router.get('/tenancies/:tenant/loans/:loan/statement', guard, async (request, response) => {
    const visit = visitOf(response);
    const api = apiOf(response);
    const at = { loan_id: request.params.loan };
    const [loan, profile] = await Promise.all([api.readLoan(at), orUndefined(api.readCompanyProfile())]);
    const { isBounded } = await readBookSize(api, loan.terms.client_id);
    const clocks = await readClocks(context, request, response);
    const stated = rangeOf(request, clocks, () => loan.terms.anchor);
    const range = isBounded ? stated : shortened(stated);
    const { from, to } = range;
    const statement = await api.readLoanStatement({ ...at, from, to, ...knownParameter(range) });
    const paper = { loan: nameOf(loan), profile, statement, part: queryText(request, 'part') };
    const content = loanStatementPage(visit, range, { ...paper, isShortened: range.from !== stated.from });
    sendPage(response, { title: visit.texts.explorer.statement.title, content, styles });
  });

  return router;
}

function nameOf({ id, terms }: Loan): FigureOfLoan {
  return { clientId: terms.client_id, loanId: id, reference: terms.reference };
}
