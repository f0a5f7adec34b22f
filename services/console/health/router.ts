/** The health of the cell, and the release of parked books. */
import { type RequestHandler, type Response, Router } from 'express';
import { readParkedBook } from '#libs/database/parked-submissions.ts';
import { readVersion } from '#libs/runtime/build.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { parseReleaseResult } from '#libs/submission/release-book.ts';
import { requireOperator } from '../access.ts';
import { presentPasswordProblem } from '../account/present-password.ts';
import { administrationOf, type ConsoleContext, visitOf } from '../console-context.ts';
import { doneNotice, donePath } from '../done-notice.ts';
import { sendErrorPage } from '../error-page.ts';
import { formText } from '../form.ts';
import { sendPage } from '../page.ts';
import { refusalText } from '../refusal-text.ts';
import { healthPage } from './pages.ts';
import { bookName, emptyRelease, maxListedSubmissions, parkedBookPage, type ReleaseForm } from './parked-book-page.ts';
import { readDatabaseHealth } from './read-health.ts';

const maxBasisCharacters = 500;
const backingServices = ['postgres', 'kafka', 'redis', 'registry'];

type BookPath = { readonly tenant: string; readonly book: string };

export function healthRouter(context: ConsoleContext): Router {
  const { databases, expectedStandbys, readings } = context;
  const version = readVersion();
  const router = Router();

  router.get('/health', requireOperator, async (request, response) => {
    const visit = visitOf(response);
    const [database, topics, read] = await Promise.all([
      readDatabaseHealth(databases),
      readings.topics.get(),
      readings.dependencies.get(),
    ]);
    const dependencies = { names: backingServices, read };
    const cell = { database, topics, dependencies, version, expectedStandbys, readAt: new Date() };
    const content = [doneNotice(visit, request, visit.texts.health.done), healthPage(visit, cell)];
    sendPage(response, { title: visit.texts.health.title, content, styles: ['form-cards.css'] });
  });

  const sendBook = async ({ tenant, book: bookId }: BookPath, response: Response, form: ReleaseForm): Promise<void> => {
    const visit = visitOf(response);
    const book = await readParkedBook(
      databases.ofBook({ tenantId: tenant, bookId }),
      { tenantId: tenant, bookId },
      maxListedSubmissions,
    );
    if (book === undefined) return sendErrorPage(response, 404, visit.texts.errors.notFound);
    const content = parkedBookPage(visit, book, form);
    const status = form.problems.length === 0 ? 200 : 422;
    const title = visit.texts.health.releaseTitle(bookName(book));
    sendPage(response, { status, title, content, styles: ['form-cards.css'] });
  };

  const path = '/health/parked/:tenant/:book' as const;
  const show: RequestHandler<BookPath> = ({ params }, response) => sendBook(params, response, emptyRelease);
  router.get(path, requireOperator, show);

  const release: RequestHandler<BookPath> = async (request, response) => {
    const { tenant: tenantId, book: bookId } = request.params;
    const { texts } = visitOf(response);
    const { health: words } = texts;
    const basis = formText(request.body, 'basis').trim();
    const drop = placesIn(request.body);
    const isNamed = formText(request.body, 'confirmation').trim() === bookName({ tenantId, bookId });
    const problems = [
      ...(basis !== '' && basis.length <= maxBasisCharacters ? [] : [words.basisWrong]),
      ...(isNamed ? [] : [words.typedWrong]),
    ];
    if (problems.length === 0) {
      const problem = await presentPasswordProblem(context, request, response);
      if (problem !== undefined) problems.push(problem);
    }
    const parked = await readParkedBook(databases.ofBook({ tenantId, bookId }), { tenantId, bookId }, 1);
    if (parked === undefined || problems.length > 0)
      return sendBook(request.params, response, { basis, drop, problems });
    const { actor, acts } = administrationOf(context, response);
    const answer = await acts.releaseBook(actor, { tenantId, bookId }, { basis, drop });
    if (isRefusal(answer)) {
      return sendBook(request.params, response, { basis, drop, problems: [refusalText(texts, answer)] });
    }
    const result = parseReleaseResult(answer);
    if (result.released) return response.redirect(303, donePath(visitOf(response), '/health', 'released'));
    const decided = result.submissions.filter(({ came_to }) => came_to !== 'parked').length;
    await sendBook(request.params, response, { basis, drop: [], problems: [words.stillParked(decided, result.left)] });
  };
  router.post(path, requireOperator, release);

  return router;
}

/** A checked box is a text, several are a list. */
function placesIn(body: unknown): readonly string[] {
  const drop = (body as { readonly drop?: unknown } | undefined)?.drop ?? [];
  return [drop].flat().filter((place): place is string => typeof place === 'string' && /^\d+\/\d+\/-?\d+$/.test(place));
}
