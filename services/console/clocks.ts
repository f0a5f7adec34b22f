/** The two clocks of a page: the day asked about, and the moment up to which recorded facts are known. */
import type { Request, Response } from 'express';
import { parseTimestamp } from '#libs/api/parameter-formats.ts';
import { type CivilDay, parseDay } from '#libs/calendar/civil-day.ts';
import { type ConsoleContext, type Visit, visitOf } from './console-context.ts';
import { queryText } from './form.ts';
import { readTenancyDay } from './tenancy-day.ts';
import { type QueryValues, tenancyPath } from './tenancy-path.ts';

export interface Clocks {
  readonly on: string;
  /** RFC 3339; absent where everything recorded so far is known. */
  readonly knownAt?: string;
  /** Whether `on` is the Tenancy's day of now, because none was chosen. */
  readonly isDefaultDay: boolean;
  readonly timeZone: string;
}

export async function readClocks(context: ConsoleContext, request: Request, response: Response): Promise<Clocks> {
  const { tenantId = '' } = visitOf(response);
  const { day, timeZone } = await readTenancyDay(context.databases, tenantId);
  const on = queryText(request, 'on');
  const knownAt = asTimestamp(queryText(request, 'known_at'));
  return {
    on: on === '' ? day : on,
    isDefaultDay: on === '',
    timeZone,
    ...(knownAt === '' ? {} : { knownAt }),
  };
}

/** Those that the address states; the last day of a statement is its day. */
export function statedClocks(request: Request<object>): QueryValues {
  return {
    on: queryText(request, 'on') || queryText(request, 'to'),
    known_at: asTimestamp(queryText(request, 'known_at')),
  };
}

/** The address of a page of the book, at the clocks of this page unless the query states others. */
export function bookPath(
  { tenantId = '', clocks }: Visit,
  segments: readonly string[],
  query: QueryValues = {},
): string {
  return tenancyPath(tenantId, segments, { ...clocks, ...query });
}

/** As the parameters of a dated read. */
export function clockParameters({ on, knownAt }: Clocks): { readonly on: string; readonly known_at?: string } {
  return { on, ...knownParameter({ knownAt }) };
}

/** As reads in this process take them; undefined where the API would refuse one of them. */
export function parseClocks({
  on,
  knownAt,
}: Pick<Clocks, 'on' | 'knownAt'>):
  | { readonly on: CivilDay; readonly known: { readonly knownAt?: string } }
  | undefined {
  const day = parseDay(on);
  const moment = knownAt === undefined ? undefined : parseTimestamp(knownAt);
  if (day === undefined || (knownAt !== undefined && moment === undefined)) return undefined;
  return { on: day, known: moment === undefined ? {} : { knownAt: moment } };
}

export function knownParameter({ knownAt }: { readonly knownAt?: string | undefined }): { readonly known_at?: string } {
  return knownAt === undefined ? {} : { known_at: knownAt };
}

/** Whether what the API says was recorded at a moment was known at another one, which people state in any form. */
export function isKnownAt(recordedAt: string, knownAt: string | undefined): boolean {
  return knownAt === undefined || recordedAt <= (parseTimestamp(knownAt) ?? knownAt);
}

/** The picker of a browser sends a moment without a zone; the page says that it is in UTC. */
export function asTimestamp(text: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?$/.test(text)) return text;
  return `${text.length === 16 ? `${text}:00` : text}Z`;
}

/** As the value of that picker, which has milliseconds: rounded up, so that the facts of the moment stay known. */
export function asPickerValue(timestamp: string | undefined): string {
  const [, seconds, fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/i.exec(timestamp ?? '') ?? [];
  if (seconds === undefined) return '';
  const milliseconds = Date.parse(`${seconds}Z`) + Math.ceil(Number(`0.${fraction || '0'}`) * 1_000);
  return new Date(milliseconds).toISOString().slice(0, -1);
}
