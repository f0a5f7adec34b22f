/** Browser builds of packages, served as they are published: by the name that pages use, the file in its package. */
export const packageAssets: Readonly<Record<string, string>> = {
  'nacl.js': 'tweetnacl/nacl-fast.min.js',
  'webauthn.js': '@simplewebauthn/browser/dist/bundle/index.umd.min.js',
  'pico.css': '@picocss/pico/css/pico.min.css',
  'uplot.css': 'uplot/dist/uPlot.min.css',
  'uplot.js': 'uplot/dist/uPlot.iife.min.js',
};
