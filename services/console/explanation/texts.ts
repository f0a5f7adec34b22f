/** The texts of where a figure comes from. */
export const en = {};

export const es: typeof en = {};
