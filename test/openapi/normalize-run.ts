/** Replaces what differs between two runs of the same scenario: identifiers, timestamps, signatures. */
import { isNode } from './published-document.ts';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const moment = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g;

/** Members that differ in every run. */
const perRunMembers = new Set([
  'canonical',
  'fp',
  'public_key',
  'signature',
  'cursor',
  'partition',
  'offset',
  'sequence',
  'duration_us',
  'queue_us',
]);

/** Identifiers become numbers in the order of their first appearance. */
export function normalizeRun(value: unknown, tenantId: string): unknown {
  const identifiers = new Map<string, string>();
  const nameOf = (id: string) => {
    const name = identifiers.get(id) ?? `id-${identifiers.size + 1}`;
    identifiers.set(id, name);
    return name;
  };
  const normalize = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      return inner.replaceAll(tenantId, 'tenant').replace(uuid, nameOf).replace(moment, 'moment');
    }
    if (Array.isArray(inner)) return inner.map(normalize);
    if (!isNode(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, member]) => {
        const isPerRun = typeof member !== 'object' && (perRunMembers.has(name) || isEncodedBody(name, member));
        return [name, isPerRun ? typeof member : normalize(member)];
      }),
    );
  };
  return normalize(value);
}

/** The body of a submission is base64, in which no pattern finds identifiers. */
function isEncodedBody(name: string, member: unknown): boolean {
  return name === 'body' && typeof member === 'string';
}
