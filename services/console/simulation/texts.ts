/** The texts of simulations. */
export const en = {};

export const es: typeof en = {};
