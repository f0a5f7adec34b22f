/** Where a figure comes from: the page that explains it, and the evidence of the facts behind it. */

import { Router } from 'express';
import { isUuid } from '#libs/schema/identifiers.ts';
import type { LoanExplanation, ReceiptRow } from '#libs/sdk/src/contract/shapes.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { apiOf, requireTenancy } from '../access.ts';
import { type Clocks, isKnownAt, readClocks } from '../clocks.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import type { DownloadSlots } from '../download-slots.ts';
import { sendErrorPage } from '../error-page.ts';
import { readLoanOnDay } from '../explorer/loans/read-loan.ts';
import { queryText } from '../form.ts';
import { orUndefined } from '../optional-read.ts';
import { sendPage } from '../page.ts';
import { requireReadyBook } from '../require-ready-book.ts';
import { sendPieces } from '../send-pieces.ts';
import { evidencePage } from './evidence-page.ts';
import { chooseFigure, type Figure, figurePage, figures } from './figure-page.ts';
import { EvidenceReader } from './read-evidence.ts';

const styles = ['explorer.css', 'explanation.css'];
const newest = 50;

export function explanationRouter(context: ConsoleContext, slots: DownloadSlots): Router {
  const router = Router();
  const readable = requireTenancy(context);
  const readyBook = requireReadyBook(context);

  // Four reads: the explanation, then the product version, the market and the newest Receipts.
  router.get('/tenancies/:tenant/clients/:client/explanation', readable, readyBook, async (request, response) => {
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
    const reads = { api, parts: context.readApi.parts, tenantId: request.params.tenant };
    const read = isUuid(loanId) ? await readLoanOnDay(reads, loanId, clocks) : 'not_found';
    if (read === 'too_costly') return sendErrorPage(response, 422, visit.texts.explorer.loan.tooCostly);
    const explained = read === 'not_found' ? undefined : read.explanation;
    if (explained === undefined || explained.client_id !== client)
      return sendErrorPage(response, 404, visit.texts.errors.notFound);
    const figure = figureOf(queryText(request, 'figure'));
    const page = { explained, figure, clocks, ...(await readSources(api, explained, clocks)) };
    const title = words.titles[figure](explained.loan.terms.reference);
    sendPage(response, { title, content: figurePage(visit, page), styles });
  });

  const evidencePath = '/tenancies/:tenant/evidence/:kind/:name' as const;
  const readerOf = (tenantId: string) => new EvidenceReader(context.readApi.parts, tenantId);

  router.get(evidencePath, readable, readyBook, async (request, response) => {
    const { params } = request;
    const visit = visitOf(response);
    const place = { page: queryText(request, 'page'), event: queryText(request, 'event') };
    const shown = await readerOf(params.tenant).readPage(params, place);
    if (shown === undefined) return sendErrorPage(response, 404, visit.texts.errors.notFound);
    const { loanTitle, receiptTitle } = visit.texts.explanation.evidence;
    const title = params.kind === 'loans' ? loanTitle(params.name) : receiptTitle(params.name);
    const content = evidencePage(visit, { ...shown, address: ['evidence', params.kind, params.name] });
    sendPage(response, { title, content, styles, scripts: ['nacl.js', 'verify-evidence.js'] });
  });

  // The answer of the API with all facts, a few of them in memory at a time, as the verifier of the command line reads it.
  router.get(`${evidencePath}/answer`, readable, (request, response) =>
    slots.use(response, async () => {
      const answer = await readerOf(request.params.tenant).readAnswer(request.params);
      if (answer === undefined) return sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
      response.attachment('evidence.json').type('json');
      await sendPieces(response, answer);
    }),
  );

  router.get(`${evidencePath}/bodies/:sequence`, readable, async (request, response) => {
    const { params } = request;
    const sequence = Number(params.sequence);
    const body = await readerOf(params.tenant).readBody(params, sequence);
    if (body === undefined) return sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
    response.attachment(`body-${sequence}`).send(body);
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
