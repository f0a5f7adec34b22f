/** The texts of the request log. */
export const en = {};

export const es: typeof en = {};
