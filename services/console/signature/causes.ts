/** Likely causes of a refused signature, the first one first. */
import type { Visit } from '../console-context.ts';
import { formatInstant } from '../dates.ts';
import type { CheckedRequest } from './checked-request.ts';
import type { Diagnosis } from './diagnosis.ts';
import { differingLines } from './visible-text.ts';

export function causesOf({ texts }: Visit, { diagnosis, request, tenantId }: CheckedRequest): readonly string[] {
  const words = texts.signature;
  const { credentials, key, checks, mistakes, actualKey, signedTextIsValid } = diagnosis;
  const isVerified = checks.verification === 'passed';
  const isUnexplained = checks.verification === 'failed' && mistakes.length === 0 && actualKey === undefined;
  const length = request.contentLength;
  const hasOtherLength = length !== undefined && length !== String(request.body.length);
  const clock = clockCauses(diagnosis, request.requestId !== undefined).map((cause) => [true, words[cause]] as const);
  // A request that is checked some time after it was sent is old by then: what else was found explains the refusal.
  const isClockInDoubt = clock.length > 1;
  const causes: readonly (readonly [boolean, string])[] = [
    ...credentials.faults.map((fault) => [true, words.headerFaults[fault]] as const),
    [credentials.fp !== undefined && key === undefined, words.keyUnknown],
    [key !== undefined && key.tenantId !== tenantId, words.keyOfOther(key?.tenantId ?? '')],
    [typeof key?.revokedAt === 'number', words.keyRevoked(formatInstant(texts, key?.revokedAt ?? 0))],
    ...(isClockInDoubt ? [] : clock),
    [checks.signatureForm === 'failed', words.notCanonical],
    [actualKey !== undefined, words.actualKey(actualKey?.label ?? '')],
    ...mistakes.map((mistake) => [true, words.mistakes[mistake]] as const),
    [hasOtherLength, words.contentLength(length ?? '')],
    [!isVerified && signedTextIsValid === true, words.signedTextValid],
    [!isVerified && signedTextIsValid === false && mistakes.length === 0, words.signedTextInvalid],
    ...lineCauses(texts, diagnosis).map((cause) => [isUnexplained, cause] as const),
    [isUnexplained && request.body.length === 0 && mayHaveBody(request.method), words.bodyEmpty],
    [isUnexplained && signedTextIsValid === undefined, words.noCause],
    [checks.tenancy === 'failed', words.tenancyOther],
    [checks.scope === 'failed', words.scopeRead],
    ...(isClockInDoubt ? clock : []),
  ];
  return causes.filter(([applies]) => applies).map(([, text]) => text);
}

/** Which lines of the string that the caller signed are not those that the service verifies. */
export function lineCauses(
  { signature: words, locale }: Visit['texts'],
  { expected, signedText }: Pick<Diagnosis, 'expected' | 'signedText'>,
): readonly string[] {
  if (expected === undefined || signedText === undefined || signedText === expected) return [];
  const lines = differingLines(signedText, expected).map((number) => words.lineName(number, words.lines[number - 1]));
  return [words.linesDiffer(new Intl.ListFormat(locale).format(lines))];
}

type ClockCause = 'clockMilliseconds' | 'clockZone' | 'clockOld' | 'clockAhead' | 'clockNotReceived';

function clockCauses({ clock, checks }: Diagnosis, isReceiptKnown: boolean): readonly ClockCause[] {
  if (clock === undefined || checks.timestamp !== 'failed') return [];
  if (clock.cause === 'milliseconds') return ['clockMilliseconds'];
  const direction = clock.seconds < 0 ? 'clockOld' : 'clockAhead';
  const doubt: readonly ClockCause[] = clock.seconds < 0 && !isReceiptKnown ? ['clockNotReceived'] : [];
  return [clock.cause === 'timeZone' ? 'clockZone' : direction, ...doubt];
}

function mayHaveBody(method: string): boolean {
  return !/^(?:get|head|delete)$/i.test(method);
}
