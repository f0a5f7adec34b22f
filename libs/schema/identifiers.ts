/** Tests of the two forms of names. They import nothing, so that the command line starts fast. */

const identifierPattern = /^[A-Za-z0-9_-]{1,64}$/;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isIdentifier(text: string): boolean {
  return identifierPattern.test(text);
}

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
