/** Preloaded by `node --import`: writes the packages that the process loaded, one per line, to the file LOADED_PACKAGES. */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const packages = new Set();

registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
    if (name !== undefined) packages.add(name);
    return nextLoad(url, context);
  },
});

process.on('exit', () => writeFileSync(process.env.LOADED_PACKAGES, [...packages].sort().join('\n')));
