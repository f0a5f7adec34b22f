/** The browser and the system that a User-Agent header names, for the list of sessions. */
import type { Texts } from '../texts/en.ts';

/** In this order: Edge and Opera also name Chrome, and Chrome also names Safari. */
const browsers = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
] as const;

/** Android also names Linux, and iOS also names Mac OS X. */
const systems = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

export function browserName({ account }: Texts, userAgent: string | null): string {
  const find = (names: readonly (readonly [string, RegExp])[]) =>
    names.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined) return account.unknownBrowser;
  return system === undefined ? browser : account.browserOn(browser, system);
}
