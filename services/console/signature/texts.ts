/** The texts of the check of a signature. */
export const en = {};

export const es: typeof en = {};
