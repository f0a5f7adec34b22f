import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import { html } from '../html.ts';
import { es } from '../texts/es.ts';
import { actOrigin, actValue } from './act-values.ts';

const shown = (text: string, action = 'key_minted'): string =>
  render(html`<p>${actValue(es, action, text)}</p>` as Parameters<typeof render>[0]);

test.each([
  ['a role', 'support', '<p>soporte</p>'],
  ['a credential and the name of a passkey', 'password, passkey my none', '<p>contraseña, llave de acceso my none</p>'],
  ['a way to sign in', 'password and code', '<p>contraseña y código</p>'],
  ['a count', '3', '<p>3</p>'],
  ['a name that begins like an object', '{phone', '<p>{phone</p>'],
  [
    'a release',
    '{"state":"released","left":0,"basis":"fixed <b>","dropped":["1/2/0"]}',
    '<p><div>estado: liberado</div><div>aún en espera: 0</div><div>motivo: fixed &lt;b></div><div>omitidos: 1/2/0</div></p>',
  ],
  [
    'a key whose label is a word',
    '{"scope":"write","holder":"service","label":"write"}',
    '<p><div>alcance: escritura</div><div>titular: servicio</div><div>etiqueta: write</div></p>',
  ],
])('%s is shown in words', (_, text, expected) => {
  expect(shown(text)).toBe(expected);
});

test('the name of a passkey is shown as it is, also where it is a word', () => {
  expect([shown('password', 'passkey_added'), shown('', 'passkey_added')]).toEqual(['<p>password</p>', '<p></p>']);
});

test('the channel is shown in words, with the network address', () => {
  expect([actOrigin(es, 'console 10.0.0.1'), actOrigin(es, 'command_line')]).toEqual([
    'consola 10.0.0.1',
    'línea de comandos',
  ]);
});
