/** Two runs of one story, told apart from what differs by the clock and the dice alone. */
import { isNode } from './strict.ts';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const moment = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g;

/** Signed anew, sealed anew or placed anew each time. */
const ofTheRun = new Set(['canonical', 'fp', 'public_key', 'signature', 'cursor', 'partition', 'offset', 'sequence']);

/** Identifiers by the order of their first appearance, moments as one word, the Tenancy by a name of its own. */
export function likeness(value: unknown, tenantId: string): unknown {
  const named = new Map<string, string>();
  const nameOf = (id: string) => {
    const name = named.get(id) ?? `id-${named.size + 1}`;
    named.set(id, name);
    return name;
  };
  const like = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      return inner.replaceAll(tenantId, 'tenant').replace(uuid, nameOf).replace(moment, 'moment');
    }
    if (Array.isArray(inner)) return inner.map(like);
    if (!isNode(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, member]) => {
        const isOwn = typeof member !== 'object' && (ofTheRun.has(name) || isSealed(name, member));
        return [name, isOwn ? typeof member : like(member)];
      }),
    );
  };
  return like(value);
}

/** The bytes of a submission name the identifiers of the run where no pattern finds them. */
function isSealed(name: string, member: unknown): boolean {
  return name === 'body' && typeof member === 'string';
}
