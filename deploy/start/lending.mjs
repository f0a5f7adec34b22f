// The way to the command line, also where nothing is installed yet: the same process, on whatever Node there is.
const comesFirst = 'Run npm start first: it brings the packages, and the Node that the command line runs on.';

// Said here and not to Node, for an older one knows no --disable-warning and would end with that.
const usual = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'TimeoutNegativeWarning') for (const tell of usual) tell.call(process, warning);
});

try {
  await import('./lending.ts');
} catch (cause) {
  if (!isNotInstalled(cause)) throw cause;
  console.error(comesFirst);
  process.exitCode = 1;
}

/** A Node that reads no TypeScript, or a package that is not there; a file of ours that is missing is another matter. */
function isNotInstalled({ code, message }) {
  return (
    code === 'ERR_UNKNOWN_FILE_EXTENSION' || (code === 'ERR_MODULE_NOT_FOUND' && /cannot find package/i.test(message))
  );
}
