/** Names that forms and the checks of forms share. */
export const csrfField = '_csrf';
