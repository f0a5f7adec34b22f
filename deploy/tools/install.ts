/** Installs what the tests of the chart and of the alert rules need. A program that cannot be had is named, and its tests skip. */
import { MissingProgramError, requireProgram } from './programs.ts';

for (const name of ['promtool', 'helm', 'kubernetes-validate'] as const) {
  try {
    console.log(`${name}: ${await requireProgram(name, console.log)}`);
  } catch (cause) {
    if (!(cause instanceof MissingProgramError)) throw cause;
    console.log(`${cause.message}; its tests are skipped`);
  }
}
