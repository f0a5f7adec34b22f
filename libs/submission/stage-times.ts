/** How long a write waits for Kafka and for the processor. */
import { stageTimes } from '#libs/runtime/stage-times.ts';

export const measureStage = stageTimes(
  {
    name: 'lending_submission_stage_seconds',
    help: 'Time of a submission from the queue to the acknowledgement of Kafka (append), and until its verdict (verdict).',
  },
  ['append', 'verdict'],
);
