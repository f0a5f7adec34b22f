/** The Loans of a Tenancy, newest first, by any of their filters: which they are, and how much of each book says so. */
import { type BookStood, type StoodTuple, stoodOf } from './book-stood.ts';
import type { Database } from './database.ts';
import { askTimed, type Watch } from './reading.ts';

export interface LoanWalk {
  readonly tenantId: string;
  readonly clientId?: string;
  readonly configurationId?: string;
  readonly merchantRef?: string;
  /** The one state that is asked for; without it everything but what is held or was voided. */
  readonly state?: string;
  /** The number to go on below. */
  readonly before: number;
  readonly limit: number;
}

/** With the Client's book. */
export interface FoundLoan extends BookStood {
  readonly number: number;
  readonly loanId: string;
  readonly clientId: string;
  /** As the facts amounted to when the last was recorded. */
  readonly state: string;
}

export interface LoanPage {
  readonly loans: readonly FoundLoan[];
  /** The number the next page goes on below; absent at the end. */
  readonly next?: number;
}

/** Where rows are passed over so many are examined for each one that may be served. */
const examinedPerRow = 10;

/** What was never lent, or not yet, is indexed apart; the conditions are written as the indexes have them, or none is found. */
const unlent = ['held', 'voided'];
const isUnlent = "state IN ('held', 'voided')";
const isLent = "state NOT IN ('held', 'voided')";

type FoundTuple = readonly [number, string, string, string, StoodTuple];

interface Row {
  readonly loans: readonly FoundTuple[] | null;
  readonly walked: number;
  readonly walked_to: number | null;
}

export async function walkLoans(database: Database, watch: Watch, walk: LoanWalk): Promise<LoanPage> {
  const { tenantId, before, limit } = walk;
  const way = wayOf(walk);
  const most = way.passedOver.length > 0 ? limit * examinedPerRow : limit + 1;
  const values = [tenantId, before, most, limit + 1, ...way.values];
  const rows = await askTimed<Row>(database, watch, way.name, walkText(way), values);
  const { loans: found, walked, walked_to } = rows[0] as Row;
  const loans = (found ?? []).map(([number, loanId, clientId, state, stood]) => ({
    number,
    loanId,
    clientId,
    state,
    ...stoodOf(stood),
  }));
  const shown = loans.slice(0, limit);
  const last = shown.at(-1);
  if (loans.length > limit && last !== undefined) return { loans: shown, next: last.number };
  const isCut = way.passedOver.length > 0 && walked === most && walked_to !== null;
  return isCut ? { loans: shown, next: walked_to } : { loans: shown };
}

interface Way {
  readonly name: string;
  /** What is asked for, in the order in which the statement takes it. */
  readonly values: readonly string[];
  /** Conditions that one index has, so that every row of it that is walked meets them. */
  readonly walked: readonly string[];
  /** For which the rows walked are looked at one by one. */
  readonly passedOver: readonly string[];
}

function wayOf({ clientId, configurationId, merchantRef, state }: LoanWalk): Way {
  const all: readonly [string, string | undefined][] = [
    ['client_id', clientId],
    ['configuration_id', configurationId],
    ['merchant_ref', merchantRef],
    ['state', state],
  ];
  const filters = all.filter((filter): filter is [string, string] => filter[1] !== undefined);
  const columns = filters.map(([column]) => column);
  const values = filters.map(([, value]) => value);
  const conditions = columns.map((column, at) => `${column} = $${5 + at}`);
  const isAmongUnlent = state !== undefined && unlent.includes(state);
  const among = isAmongUnlent ? isUnlent : isLent;
  const name = ['walk', isAmongUnlent ? 'unlent' : 'lent', ...columns].join(' ');
  // The Loans of a Client stand together in one index, whatever else they are.
  if (clientId !== undefined) {
    const [own = '', ...passedOver] = conditions;
    return { name, values, walked: [own], passedOver: [among, ...passedOver] };
  }
  const indexed = state === undefined ? conditions.length : -1;
  return { name, values, walked: [among, ...conditions.slice(0, indexed)], passedOver: conditions.slice(indexed) };
}

/**
 * One statement is one moment: the Loans of the page and how far their books were then, each looked up by its key,
 * whatever the planner thinks of how many there are.
 */
function walkText({ walked, passedOver }: Way): string {
  const matching = passedOver.length === 0 ? '' : `WHERE ${passedOver.join(' AND ')}`;
  return `
    WITH walked AS (
      SELECT number, loan_id, client_id, configuration_id, merchant_ref, state FROM loans
      WHERE tenant_id = $1 AND number < $2 AND ${walked.join(' AND ')} ORDER BY number DESC LIMIT $3),
    matching AS (SELECT * FROM walked ${matching} ORDER BY number DESC LIMIT $4)
    SELECT (SELECT count(*)::integer FROM walked) AS walked, (SELECT min(number) FROM walked) AS walked_to,
      (SELECT json_agg(json_build_array(m.number, m.loan_id, m.client_id, m.state,
          (SELECT json_build_array(sequence, recorded_at) FROM books
            WHERE tenant_id = $1 AND book_id = 'c/' || m.client_id)) ORDER BY m.number DESC)
        FROM matching m) AS loans`;
}
