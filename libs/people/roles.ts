/** What persons may see and do. An operator of the installation may do everything in every Tenancy. */

/** In a Tenancy. Support and finance read. */
export const roles = ['admin', 'support', 'finance'] as const;
export type Role = (typeof roles)[number];

export interface Rights {
  readonly isOperator: boolean;
  /** By Tenancy. */
  readonly roles: ReadonlyMap<string, Role>;
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
