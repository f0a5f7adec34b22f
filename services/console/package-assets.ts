/** Browser builds of packages, served as they are published: by the name that pages use, the file in its package. */
export const packageAssets: Readonly<Record<string, string>> = {
  'pico.css': '@picocss/pico/css/pico.min.css',
};
