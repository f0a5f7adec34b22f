/** How long the stages of a batch take. */
import { stageTimes } from '#libs/runtime/stage-times.ts';

export const measureStage = stageTimes(
  {
    name: 'lending_processor_stage_seconds',
    help: 'Time of the stages of a batch: decode, load books, decide, commit, send verdicts, publish events.',
  },
  ['decode', 'load', 'decide', 'commit', 'verdict', 'publish'],
);
