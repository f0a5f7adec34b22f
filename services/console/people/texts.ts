/** The texts of people and roles. */
export const en = {};

export const es: typeof en = {};
