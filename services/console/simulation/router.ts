/** Simulations: a Client's figures with supposed facts beside the present ones. They record nothing, so every role may run them. */
import { Router } from 'express';
import { RefusalError } from '#libs/sdk/src/errors.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { apiOf, requireTenancy } from '../access.ts';
import { type ConsoleContext, type Visit, visitOf } from '../console-context.ts';
import { readBookSize } from '../explorer/clients/read-client.ts';
import { formText, queryText } from '../form.ts';
import { html } from '../html.ts';
import { sendPage } from '../page.ts';
import { refusalText } from '../refusal-text.ts';
import { requireReadyBook } from '../require-ready-book.ts';
import { readTenancyDay } from '../tenancy-day.ts';
import { type ActName, fieldsOf, fieldTypes, isActName, optionalFields } from './acts.ts';
import { type OfferedLoan, offeredLoan, type SimulationForm, simulationForm } from './form-page.ts';
import { simulationResult } from './result-page.ts';
import { maxRows, type Row, readRows, type SupposedFact, toFact } from './rows.ts';

const offeredLoans = 50;
const styles = ['explorer.css', 'explanation.css', 'simulation.css'];
const simulationPath = '/tenancies/:tenant/clients/:client/simulation';

export function simulationRouter(context: ConsoleContext): Router {
  const router = Router();
  const readable = requireTenancy(context);
  const readyBook = requireReadyBook(context);

  // Four reads, and one more for a Loan that is not among the newest.
  router.get(simulationPath, readable, readyBook, async (request, response) => {
    const visit = visitOf(response);
    const { tenant, client } = request.params;
    const chosen = queryText(request, 'loan');
    const loans = await readLoans(apiOf(response), client, chosen);
    const { isBounded } = await readBookSize(apiOf(response), client);
    const { day } = await readTenancyDay(context.databases, tenant);
    const on = queryText(request, 'on') || day;
    const knownAt = queryText(request, 'known_at');
    const act = queryText(request, 'act');
    const rows = [emptyRow(isActName(act) ? act : 'receipt', { on, loan: chosen })];
    const problems = isBounded ? [] : [visit.texts.simulation.tooLarge];
    const content = loans.length === 0 ? noLoans(visit) : simulationForm(visit, { on, knownAt, rows, loans, problems });
    sendPage(response, { title: visit.texts.simulation.title(client), content, styles });
  });

  router.post(simulationPath, readable, readyBook, async (request, response) => {
    const visit = visitOf(response);
    const { client } = request.params;
    const api = apiOf(response);
    const posted = readRows(request.body);
    const loans = await readLoans(api, client, posted[0]?.loan ?? '');
    const title = visit.texts.simulation.title(client);
    const on = formText(request.body, 'on');
    const form = { on, knownAt: queryText(request, 'known_at'), rows: posted, loans, problems: [] };
    if (formText(request.body, 'do') !== 'simulate') {
      const rows = withAdded(request.body, posted, on);
      return sendPage(response, { title, content: simulationForm(visit, { ...form, rows }), styles });
    }
    const { status, ...result } = await runSimulation(visit, api, client, form);
    const content = html`<div>${simulationForm(visit, result.form)}${result.simulation && simulationResult(visit, result.simulation)}</div>`;
    sendPage(response, { title, content, status, styles });
  });

  return router;
}

function noLoans({ texts }: Visit) {
  return html`<p>${texts.simulation.noLoans}</p>`;
}

/** The newest Loans of the Client, and the chosen one. */
async function readLoans(api: Lending, clientId: string, chosen: string): Promise<readonly OfferedLoan[]> {
  const { loans } = await api.listLoans({ client_id: clientId, limit: offeredLoans });
  const newest = loans.flatMap(offeredLoan);
  if (chosen === '' || newest.length < offeredLoans || newest.some(({ id }) => id === chosen)) return newest;
  const { id, terms } = await api.readLoan({ loan_id: chosen });
  if (terms.client_id !== clientId) return newest;
  return [{ id, reference: terms.reference, currency: terms.principal.currency }, ...newest];
}

function emptyRow(act: ActName, { on, loan }: { readonly on: string; readonly loan: string }): Row {
  const values = Object.fromEntries(
    fieldsOf(act).map((name) => [name, fieldTypes[name] === 'day' && !optionalFields.has(name) ? on : '']),
  );
  return { act, loan, currency: '', values };
}

function withAdded(body: unknown, rows: readonly Row[], on: string): readonly Row[] {
  const added = formText(body, 'added');
  const isAdded = formText(body, 'do') === 'add' && isActName(added) && rows.length < maxRows;
  return isAdded ? [...rows, emptyRow(added, { on, loan: rows.at(-1)?.loan ?? '' })] : rows;
}

/** What the API refuses as a whole is shown with the form. */
async function runSimulation(visit: Visit, api: Lending, clientId: string, form: SimulationForm) {
  const { simulation: words } = visit.texts;
  const refused = (problems: readonly string[]) => ({
    status: 422,
    form: { ...form, problems },
    simulation: undefined,
  });
  const currencyOfLoan = new Map(form.loans.map(({ id, currency }) => [id, currency]));
  const facts: SupposedFact[] = [];
  for (const [at, row] of form.rows.entries()) {
    const fact = toFact(row, { texts: visit.texts, clientId, currencyOfLoan });
    if ('invalid' in fact) return refused(fact.invalid.map((name) => words.invalidAmount(at + 1, words.fields[name])));
    facts.push(fact);
  }
  const { isBounded } = await readBookSize(api, clientId);
  if (!isBounded) return refused([visit.texts.simulation.tooLarge]);
  try {
    const simulation = await api.simulate({ client_id: clientId }, { on: form.on, facts });
    return { status: 200, form: { ...form, outcomes: simulation.outcomes }, simulation };
  } catch (error) {
    if (error instanceof RefusalError && error.status < 500) return refused([refusalText(visit.texts, error)]);
    throw error;
  }
}
