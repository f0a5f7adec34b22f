/** Where a figure comes from: the page that explains it, and the evidence of the facts behind it. */

import { type Response, Router } from 'express';
import type { LoanEvidence, LoanExplanation, ReceiptEvidence, ReceiptRow } from '#libs/sdk/src/contract/shapes.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { apiOf, requireTenancy } from '../access.ts';
import { type Clocks, clockParameters, isKnownAt, readClocks } from '../clocks.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import { sendErrorPage } from '../error-page.ts';
import { queryText } from '../form.ts';
import { orUndefined } from '../optional-read.ts';
import { sendPage } from '../page.ts';
import { checkEvidence } from './check-evidence.ts';
import { evidencePage, factsPerPage } from './evidence-page.ts';
import { chooseFigure, type Figure, figurePage, figures } from './figure-page.ts';

const styles = ['explorer.css', 'explanation.css'];
const newest = 50;

export function explanationRouter(context: ConsoleContext): Router {
  const router = Router();
  const readable = requireTenancy(context);

  // Four reads: the explanation, then the product version, the market and the newest Receipts.
  router.get('/tenancies/:tenant/clients/:client/explanation', readable, async (request, response) => {
    const visit = visitOf(response);
    const api = apiOf(response);
    const { client } = request.params;
    const loanId = queryText(request, 'loan');
    const words = visit.texts.explanation;
    if (loanId === '') {
      const { loans } = await api.listLoans({ client_id: client, limit: newest });
      return sendPage(response, { title: words.chooseTitle, content: chooseFigure(visit, client, loans), styles });
    }
    const clocks = await readClocks(context, request, response);
    const explained = await api.explainLoan({ loan_id: loanId, ...clockParameters(clocks) });
    if (explained.client_id !== client) return sendErrorPage(response, 404, visit.texts.errors.notFound);
    const figure = figureOf(queryText(request, 'figure'));
    const page = { explained, figure, clocks, ...(await readSources(api, explained, clocks)) };
    const title = words.titles[figure](explained.loan.terms.reference);
    sendPage(response, { title, content: figurePage(visit, page), styles });
  });

  const evidencePath = '/tenancies/:tenant/evidence/:kind/:name' as const;

  router.get(evidencePath, readable, async (request, response) => {
    const evidence = await readEvidence(request.params, response);
    if (evidence === undefined) return sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
    const { answer, address, title } = evidence;
    const { facts } = answer;
    const place = { page: queryText(request, 'page'), event: queryText(request, 'event') };
    const page = { address, facts, page: pageOf(place, facts), report: checkEvidence(answer) };
    const scripts = ['nacl.js', 'verify-evidence.js'];
    sendPage(response, { title, content: evidencePage(visitOf(response), page), styles, scripts });
  });

  // The answer of the API, as the verifier of the command line reads it.
  router.get(`${evidencePath}/answer`, readable, async (request, response) => {
    const evidence = await readEvidence(request.params, response);
    if (evidence === undefined) return sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
    response.attachment('evidence.json').json(evidence.answer);
  });

  router.get(`${evidencePath}/bodies/:sequence`, readable, async (request, response) => {
    const evidence = await readEvidence(request.params, response);
    const fact = evidence?.answer.facts.find(({ sequence }) => String(sequence) === request.params.sequence);
    if (fact === undefined) return sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
    response.attachment(`body-${fact.sequence}`).send(Buffer.from(fact.submission.body, 'base64'));
  });
  return router;
}

function figureOf(text: string): Figure {
  return figures.find((figure) => figure === text) ?? 'overdue';
}

async function readSources(api: Lending, { loan, client_id }: LoanExplanation, { on, knownAt }: Clocks) {
  const { configuration: pin, terms } = loan;
  const [configuration, market, { receipts }] = await Promise.all([
    orUndefined(api.readConfigurationVersion({ configuration_id: pin.id, configuration_version: pin.version })),
    orUndefined(api.readMarket({ jurisdiction: terms.jurisdiction })),
    api.listReceipts({ client_id, limit: newest }),
  ]);
  const isReversed = ({ value_date, reversed_at }: ReceiptRow) =>
    reversed_at !== undefined && value_date <= on && isKnownAt(reversed_at, knownAt);
  return { configuration, market, reversed: receipts.filter(isReversed) };
}

interface Evidence {
  readonly answer: LoanEvidence | ReceiptEvidence;
  readonly address: readonly string[];
  readonly title: string;
}

interface EvidenceName {
  readonly kind: string;
  readonly name: string;
}

/** Undefined for another kind than Loans and Receipts. What does not exist is a 404 of the API. */
async function readEvidence({ kind, name }: EvidenceName, response: Response): Promise<Evidence | undefined> {
  const { evidence: words } = visitOf(response).texts.explanation;
  const address = ['evidence', kind, name];
  if (kind === 'loans') {
    const answer = await apiOf(response).readLoanEvidence({ loan_id: name });
    return { answer, address, title: words.loanTitle(name) };
  }
  if (kind !== 'receipts') return undefined;
  const answer = await apiOf(response).readReceiptEvidence({ receipt_reference: name });
  return { answer, address, title: words.receiptTitle(name) };
}

/** The page with the fact of the event, else the page of that number. */
function pageOf(place: { readonly page: string; readonly event: string }, facts: LoanEvidence['facts']): number {
  const index = place.event === '' ? -1 : facts.findIndex(({ body }) => body['event_id'] === place.event);
  if (index >= 0) return Math.floor(index / factsPerPage);
  const last = Math.max(0, Math.ceil(facts.length / factsPerPage) - 1);
  const page = Number(place.page);
  return Number.isInteger(page) && page > 0 ? Math.min(page - 1, last) : 0;
}
