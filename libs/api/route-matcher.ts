/** Finds the route of a method and a path. */
import { type Method, pathSegments, type Route } from '#libs/api/route.ts';
import type { RouteName } from '#libs/api/routes.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

interface PathNode {
  readonly literals: Map<string, PathNode>;
  parameter?: { readonly name: string; readonly node: PathNode };
  readonly methods: Map<Method, RouteName>;
  servesPathsBelow: boolean;
}

type PathParams = { readonly [name: string]: string };

export interface MatchedRoute {
  readonly name: RouteName;
  readonly params: PathParams;
}

export interface UnmatchedRoute {
  readonly refusal: Refusal;
  /** For the `Allow` header, if the path has other methods. */
  readonly allow?: string;
}

const methodOrder = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/** The path of a request target, split at its slashes and percent-decoded once; undefined for a malformed segment. */
export type PathPieces = readonly (string | undefined)[];

export function splitPath(path: string): PathPieces {
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

/** The Tenancy that a path names, if it names one. */
export function tenantIdIn([version, collection, tenantId]: PathPieces): string | undefined {
  return version === 'v1' && collection === 'tenants' && tenantId !== '' ? tenantId : undefined;
}

export class RouteMatcher {
  readonly #root: PathNode = emptyNode();

  add(name: RouteName, route: Route): void {
    let node = this.#root;
    for (const piece of route.path.slice(1).split('/')) node = childOf(node, piece);
    if (node.methods.has(route.method)) throw new Error(`${route.method} ${route.path} has two routes; expected one`);
    node.methods.set(route.method, name);
    node.servesPathsBelow = route.servesPathsBelow;
  }

  match(method: string, pieces: PathPieces): MatchedRoute | UnmatchedRoute {
    const candidates: Candidate[] = [];
    collect(this.#root, pieces, 0, {}, candidates);
    if (candidates.length === 0) return { refusal: refuse('no_route') };
    const routedMethod = (method === 'HEAD' ? 'GET' : method) as Method;
    for (const { node, params } of candidates) {
      const name = node.methods.get(routedMethod);
      if (name !== undefined) return { name, params };
    }
    const allow = allowedMethods(candidates);
    return { refusal: refuse('method_not_allowed', { bound: allow, observed: method }), allow: allow.join(', ') };
  }
}

function emptyNode(): PathNode {
  return { literals: new Map(), methods: new Map(), servesPathsBelow: false };
}

function childOf(node: PathNode, piece: string): PathNode {
  if (!piece.startsWith('{')) {
    const child = node.literals.get(piece) ?? emptyNode();
    node.literals.set(piece, child);
    return child;
  }
  const name = piece.slice(1, -1);
  if (pathSegments[name] === undefined) throw new Error(`unknown path segment {${name}}; add it to pathSegments`);
  node.parameter ??= { name, node: emptyNode() };
  if (node.parameter.name !== name) {
    throw new Error(`path segment {${name}} is also called {${node.parameter.name}}; use one name per position`);
  }
  return node.parameter.node;
}

interface Candidate {
  readonly node: PathNode;
  readonly params: PathParams;
}

/** A literal segment goes first. It is also tried as a name if its grammar allows it, as with a Receipt's reference. */
function collect(node: PathNode, pieces: PathPieces, at: number, params: PathParams, candidates: Candidate[]): void {
  if (at === pieces.length || node.servesPathsBelow) {
    if (node.methods.size > 0) candidates.push({ node, params });
    return;
  }
  const piece = pieces[at];
  if (piece === undefined) return;
  const literal = node.literals.get(piece);
  if (literal !== undefined) collect(literal, pieces, at + 1, params, candidates);
  if (node.parameter === undefined || piece === '') return;
  const { name, node: child } = node.parameter;
  if (literal !== undefined && !pathSegments[name]?.matches(piece)) return;
  collect(child, pieces, at + 1, { ...params, [name]: normalize(name, piece) }, candidates);
}

const uuidSegments = new Set(['loan_id', 'quote_id', 'decision_id', 'facility_id']);

/** UUIDs are compared in lower case. */
function normalize(name: string, piece: string): string {
  return uuidSegments.has(name) ? piece.toLowerCase() : piece;
}

function allowedMethods(candidates: readonly Candidate[]): string[] {
  const methods = new Set<string>(candidates.flatMap(({ node }) => [...node.methods.keys()]));
  if (methods.has('GET')) methods.add('HEAD');
  return methodOrder.filter((method) => methods.has(method));
}
