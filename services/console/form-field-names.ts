/** Names that forms and the checks of forms share. */
export const csrfField = '_csrf';
/** What a page must not hold in a field that is not a password. */
export const passwordFields: readonly string[] = ['present', 'password', 'repeated', 'code'];
