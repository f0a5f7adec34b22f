import { type Method, type Route, segments } from '#libs/api/route.ts';
import type { RouteName } from '#libs/api/routes.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

interface Node {
  readonly literal: Map<string, Node>;
  named?: { readonly name: string; readonly node: Node };
  readonly methods: Map<Method, RouteName>;
}

export interface Matched {
  readonly name: RouteName;
  readonly params: { readonly [name: string]: string };
}

/** A path refused, with the methods it does answer where it is one. */
export interface Unmatched {
  readonly refusal: Refusal;
  readonly allow?: string;
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/** The path of a target, split at its slashes and each piece then decoded once; nothing for a piece that is malformed. */
export type Pieces = readonly (string | undefined)[];

export function pathPieces(path: string): Pieces {
  if (!path.startsWith('/')) return [undefined];
  const pieces = path.slice(1).split('/');
  return path.includes('%') ? pieces.map(decode) : pieces;
}

function decode(piece: string): string | undefined {
  try {
    return decodeURIComponent(piece);
  } catch {
    return undefined;
  }
}

/** The Tenancy a path is about, where it names one. */
export function tenantOf([version, word, tenantId]: Pieces): string | undefined {
  return version === 'v1' && word === 'tenants' && tenantId !== '' ? tenantId : undefined;
}

export class Router {
  readonly #root: Node = emptyNode();

  add(name: RouteName, route: Route): void {
    let node = this.#root;
    for (const piece of route.path.slice(1).split('/')) node = step(node, piece);
    if (node.methods.has(route.method)) throw new Error(`${route.method} ${route.path} is routed twice`);
    node.methods.set(route.method, name);
  }

  match(method: string, pieces: Pieces): Matched | Unmatched {
    const found: Found[] = [];
    collect(this.#root, pieces, 0, {}, found);
    if (found.length === 0) return { refusal: refuse('no_route') };
    const asked = (method === 'HEAD' ? 'GET' : method) as Method;
    for (const { node, params } of found) {
      const name = node.methods.get(asked);
      if (name !== undefined) return { name, params };
    }
    const allow = allowed(found);
    return { refusal: refuse('method_not_allowed', { bound: allow, observed: method }), allow: allow.join(', ') };
  }
}

function emptyNode(): Node {
  return { literal: new Map(), methods: new Map() };
}

function step(node: Node, piece: string): Node {
  if (!piece.startsWith('{')) {
    const next = node.literal.get(piece) ?? emptyNode();
    node.literal.set(piece, next);
    return next;
  }
  const name = piece.slice(1, -1);
  if (segments[name] === undefined) throw new Error(`no segment is called ${name}`);
  node.named ??= { name, node: emptyNode() };
  if (node.named.name !== name) throw new Error(`one place in a path is called ${name} and ${node.named.name}`);
  return node.named.node;
}

interface Found {
  readonly node: Node;
  readonly params: { readonly [name: string]: string };
}

/** A word of the contract comes first; it is a name as well where a thing may be called that (a Receipt's reference). */
function collect(node: Node, pieces: Pieces, at: number, params: Found['params'], found: Found[]): void {
  if (at === pieces.length) {
    if (node.methods.size > 0) found.push({ node, params });
    return;
  }
  const piece = pieces[at];
  if (piece === undefined) return;
  const word = node.literal.get(piece);
  if (word !== undefined) collect(word, pieces, at + 1, params, found);
  if (node.named === undefined || piece === '') return;
  const { name, node: next } = node.named;
  if (word !== undefined && !segments[name]?.fits(piece)) return;
  collect(next, pieces, at + 1, { ...params, [name]: asNamed(name, piece) }, found);
}

const uuids = new Set(['loan_id', 'quote_id', 'decision_id', 'facility_id']);

/** A UUID names the same thing in either case. */
function asNamed(name: string, piece: string): string {
  return uuids.has(name) ? piece.toLowerCase() : piece;
}

function allowed(found: readonly Found[]): string[] {
  const methods = new Set<string>(found.flatMap(({ node }) => [...node.methods.keys()]));
  if (methods.has('GET')) methods.add('HEAD');
  return order.filter((method) => methods.has(method));
}
