/** The texts of products and policies. */
export const en = {};

export const es: typeof en = {};
