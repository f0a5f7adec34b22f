/** The texts of Clients and Loans. */
export const en = {};

export const es: typeof en = {};
