import { expect, test } from '@jest/globals';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { KafkaClient } from './kafka-client.ts';
import { processedOffsets } from './topic-offsets.ts';

/** What the driver reports of a Kafka that was just created: it takes longer than the driver repeats the request. */
const noCoordinator = Object.assign(new Error('This is not the correct coordinator for this group'), { code: 16 });

/** Each request for the offsets of the group has the next of these answers. */
function kafkaAnswering(...answers: (Error | readonly { partition: number; offset: string }[])[]): KafkaClient {
  const admin = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    fetchOffsets: async () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return [{ partitions: answer }];
    },
    fetchTopicOffsets: async () => [0, 1, 2].map((partition) => ({ partition, low: '0', high: '10' })),
  };
  return { admin: () => admin } as unknown as KafkaClient;
}

test('the offsets of a group without a coordinator are a temporary failure, so that a start waits for them', async () => {
  const offsets = [
    { partition: 0, offset: '7' },
    { partition: 1, offset: '-1' },
    { partition: 2, offset: '11' },
  ];
  const kafka = kafkaAnswering(noCoordinator, offsets);
  await expect(processedOffsets(kafka, 'group', 'topic')).rejects.toThrow(DependencyUnavailableError);
  // Nothing committed of partition 1; what was committed of partition 2 is of an earlier topic.
  expect(await processedOffsets(kafka, 'group', 'topic')).toEqual(new Map([[0, 7]]));
});
