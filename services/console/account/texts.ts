/** The texts of the account of a person. */
export const en = {};

export const es: typeof en = {};
