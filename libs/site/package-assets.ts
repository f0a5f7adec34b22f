/** Browser builds of packages, served as they are published: by the name in the site, the file in its package. */
export const packageAssets: Readonly<Record<string, string>> = {
  'minisearch.js': 'minisearch/dist/es/index.js',
};
