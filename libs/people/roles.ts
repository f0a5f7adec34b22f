/** What persons may see and do. An operator of the installation may do everything in every Tenancy. */

/** In a Tenancy. Support and finance read. */
export const roles = ['admin', 'support', 'finance'] as const;
export type Role = (typeof roles)[number];

/** Of one person: all of them are read with each request. For more Tenancies there are operators. */
export const maxRoles = 1_000;

export interface Rights {
  readonly isOperator: boolean;
  /** By Tenancy. */
  readonly roles: ReadonlyMap<string, Role>;
}

/** The Tenancies that the holder of these rights administers; null for all. */
export function administeredTenancies({ isOperator, roles: held }: Rights): readonly string[] | null {
  return isOperator ? null : [...held].flatMap(([tenantId, role]) => (role === 'admin' ? [tenantId] : []));
}

/** The Tenancies that the holder of these rights reads; null for all. */
export function readableTenancies({ isOperator, roles: held }: Rights): readonly string[] | null {
  return isOperator ? null : [...held.keys()];
}

/** The part of the rights that lies in these Tenancies. */
export function rightsWithin(rights: Rights, tenancies: readonly string[] | null): Rights {
  if (tenancies === null) return rights;
  return { isOperator: false, roles: new Map([...rights.roles].filter(([tenantId]) => tenancies.includes(tenantId))) };
}

export function isRole(text: unknown): text is Role {
  return roles.some((role) => role === text);
}

export function mayRead(rights: Rights, tenantId: string): boolean {
  return rights.isOperator || rights.roles.has(tenantId);
}

/** Keys, bounds, and the roles of others. */
export function mayAdminister(rights: Rights, tenantId: string): boolean {
  return rights.isOperator || rights.roles.get(tenantId) === 'admin';
}
