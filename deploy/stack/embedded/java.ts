/** What a process on the JVM is told of files, wherever the project lies. */
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Java reads the names of files, its arguments and its environment as the locale says, and where none is set (in a
 * container, say) it takes every letter beyond ASCII for a question mark: a stack in such a folder would not be found.
 */
export const javaLocale = { LC_ALL: 'C.UTF-8' } as const;

/** The way from where it runs: a path from the root may hold what ends a path in a class path, a list or an address. */
export function seenFrom(home: string, path: string): string {
  return relative(realpathSync(home), realpathSync(path));
}
