/** The texts of the health of the cell. */
export const en = {};

export const es: typeof en = {};
