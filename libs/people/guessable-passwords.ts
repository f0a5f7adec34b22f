/** Passwords that attackers try first although they are long: common words with digits, repetitions, rows of keys, the own e-mail. */

const minDistinctCharacters = 5;
/** Of what is left of a password without the name in the e-mail. */
const minOtherCharacters = 6;

/** What lists of leaked passwords are full of, alone or with digits and marks around it. */
const commonWords: ReadonlySet<string> = new Set([
  ...['password', 'passwort', 'contraseña', 'contrasena', 'secret', 'secreto', 'letmein', 'changeme', 'welcome'],
  ...['bienvenido', 'iloveyou', 'teamo', 'tequiero', 'administrator', 'administrador', 'operator', 'operador'],
  ...['admin', 'lending', 'console', 'consola', 'prestamos', 'préstamos', 'finance', 'finanzas', 'support', 'soporte'],
]);

const rows = ['abcdefghijklmnopqrstuvwxyz', '12345678901234567890', 'qwertyuiopasdfghjklzxcvbnm'];
const bothWays = rows.flatMap((row) => [row, [...row].reverse().join('')]);

export function isGuessable(password: string, email: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const [name = ''] = email.split('@');
  const isFromEmail = name.length > 2 && text.replaceAll(name, '').length < minOtherCharacters;
  return (
    isFromEmail ||
    text.includes(email) ||
    new Set(text).size < minDistinctCharacters ||
    bothWays.some((row) => row.includes(text)) ||
    commonWords.has(wordIn(text)) ||
    commonWords.has(wordIn(repeatedPart(text)))
  );
}

/** Without the digits and marks that people put around a word. */
function wordIn(text: string): string {
  return text.replace(/^\P{L}+|\P{L}+$/gu, '');
}

/** `abc` of `abcabc`; a text without repetition as it is. */
function repeatedPart(text: string): string {
  return /^(.+?)\1+$/u.exec(text)?.[1] ?? text;
}
