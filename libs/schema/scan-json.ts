/** What the text of a body shows and its parsed value does not: nesting, duplicate names, the spelling of numbers. */

export interface TextScan {
  /** Where the scan goes on. */
  at: number;
  depthNow: number;
  /** Whether the innermost array or object around an element is an array. */
  isInArray: boolean;
  /** Where the current element of such an array began. */
  elementStart: number | undefined;
  /** The objects in arrays that are members of a long body. */
  readonly elements: (readonly [start: number, end: number])[];
  readonly recordsElements: boolean;
  /** The deepest. */
  depth: number;
  /** Member names in the text; more than in the parsed value if some were duplicates. */
  members: number;
  hasEscapedSurrogate: boolean;
  /** `JSON.parse` would round a number to another whole number. */
  hasInexactNumber: boolean;
}

export function newScan(recordsElements: boolean): TextScan {
  return {
    at: 0,
    depthNow: 0,
    isInArray: false,
    elementStart: undefined,
    elements: [],
    recordsElements,
    depth: 0,
    members: 0,
    hasEscapedSurrogate: false,
    hasInexactNumber: false,
  };
}

/** The depth of an element of an array that is a member of the body. */
const elementDepth = 3;

const char = {
  quote: 34,
  plus: 43,
  minus: 45,
  dot: 46,
  zero: 48,
  nine: 57,
  colon: 58,
  upperE: 69,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  lowerD: 100,
  lowerE: 101,
  lowerU: 117,
  openBrace: 123,
  closeBrace: 125,
};

/** Scans to `end`, or further where a string or a number ends behind it. */
export function scanText(text: string, scan: TextScan, end: number): void {
  let depth = scan.depthNow;
  let at = scan.at;
  for (; at < end && at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case char.quote:
        at = endOfString(text, at, scan);
        break;
      case char.openBrace:
      case char.openBracket:
        depth += 1;
        if (depth > scan.depth) scan.depth = depth;
        if (scan.recordsElements && depth <= elementDepth) beginElement(text, at, depth, scan);
        break;
      case char.closeBrace:
      case char.closeBracket:
        if (depth === elementDepth && scan.recordsElements) endElement(at, scan);
        depth -= 1;
        break;
      case char.colon:
        scan.members += 1;
        break;
      case char.dot:
      case char.upperE:
      case char.lowerE:
        if (isDigit(text.charCodeAt(at - 1))) at = endOfNumber(text, at, scan);
        break;
    }
  }
  scan.depthNow = depth;
  scan.at = at;
}

function beginElement(text: string, at: number, depth: number, scan: TextScan): void {
  const isObject = text.charCodeAt(at) === char.openBrace;
  if (depth < elementDepth) scan.isInArray = !isObject;
  else scan.elementStart = isObject && scan.isInArray ? at : undefined;
}

function endElement(at: number, scan: TextScan): void {
  if (scan.elementStart !== undefined) scan.elements.push([scan.elementStart, at + 1]);
  scan.elementStart = undefined;
}

function isDigit(code: number): boolean {
  return code >= char.zero && code <= char.nine;
}

function endOfString(text: string, start: number, scan: TextScan): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === char.quote) return at;
    if (code === char.backslash) {
      at += 1;
      // Surrogates are escaped as \uD800 to \uDFFF.
      const isSurrogate = text.charCodeAt(at) === char.lowerU && (text.charCodeAt(at + 1) | 32) === char.lowerD;
      if (isSurrogate) scan.hasEscapedSurrogate = true;
    }
  }
  return at;
}

/** `at` is the point or the exponent of a number. Other numbers are checked by their value. */
function endOfNumber(text: string, at: number, scan: TextScan): number {
  let start = at;
  while (isDigit(text.charCodeAt(start - 1)) || text.charCodeAt(start - 1) === char.minus) start -= 1;
  let end = at + 1;
  while (isInNumber(text.charCodeAt(end))) end += 1;
  if (!scan.hasInexactNumber) scan.hasInexactNumber = precisionOf(text.slice(start, end)) !== 'exact';
  return end - 1;
}

function isInNumber(code: number): boolean {
  return isDigit(code) || code === char.dot || (code | 32) === char.lowerE || code === char.plus || code === char.minus;
}

/**
 * `rounded_fraction`: a fraction that a double rounds to a whole number; `unsafe_integer`: a whole number that a double
 * does not distinguish from its neighbours. Other fractions count as exact.
 */
export type NumberPrecision = 'exact' | 'unsafe_integer' | 'rounded_fraction';

export function precisionOf(source: string): NumberPrecision {
  const value = Number(source);
  if (!Number.isFinite(value)) return 'unsafe_integer';
  if (!Number.isInteger(value)) return 'exact';
  if (!isWholeNumber(source)) return 'rounded_fraction';
  return Number.isSafeInteger(value) ? 'exact' : 'unsafe_integer';
}

function isWholeNumber(source: string): boolean {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  const digits = integer + fraction;
  let trailingZeros = 0;
  while (digits.charCodeAt(digits.length - 1 - trailingZeros) === char.zero) trailingZeros += 1;
  const isZero = trailingZeros === digits.length || (trailingZeros === digits.length - 1 && digits.startsWith('-'));
  return isZero || Number(exponent) - fraction.length + trailingZeros >= 0;
}
