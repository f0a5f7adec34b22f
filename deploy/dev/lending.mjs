// Entry of the command line. Where nothing is installed yet, or Node cannot run TypeScript, it says what to do first.

// Filtered here and not by --disable-warning, which an older Node does not know and refuses.
const defaultListeners = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'TimeoutNegativeWarning')
    for (const listener of defaultListeners) listener.call(process, warning);
});

const { runLending } = await import('./selected-cell.ts').catch((cause) => {
  if (!isNotInstalled(cause)) throw cause;
  console.error('Run npm start first: it installs the packages and the Node that the command line needs.');
  process.exit(1);
});
await runLending();

/** A Node that cannot run TypeScript, or a missing package; a missing file of the project is another error. */
function isNotInstalled({ code, message }) {
  return (
    code === 'ERR_UNKNOWN_FILE_EXTENSION' || (code === 'ERR_MODULE_NOT_FOUND' && /cannot find package/i.test(message))
  );
}
