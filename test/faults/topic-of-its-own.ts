/** The log, with one of its topics in the place of another: what is tried there is told to nobody else. */
import type { KafkaClient } from '#libs/kafka/kafka.ts';

export function withTopic(log: KafkaClient, topic: string, instead: string): KafkaClient {
  const named = (asked: string): string => (asked === topic ? instead : asked);
  const producer: KafkaClient['producer'] = (options) => {
    const real = log.producer(options);
    return {
      ...real,
      sendBatch: (sent) =>
        real.sendBatch({
          ...sent,
          topicMessages: (sent.topicMessages ?? []).map((each) => ({ ...each, topic: named(each.topic) })),
        }),
    };
  };
  const consumer: KafkaClient['consumer'] = (options) => {
    const real = log.consumer(options);
    return {
      ...real,
      subscribe: (asked) => real.subscribe('topic' in asked ? { ...asked, topic: named(String(asked.topic)) } : asked),
      seek: (asked) => real.seek({ ...asked, topic: named(asked.topic) }),
    };
  };
  const admin: KafkaClient['admin'] = (options) => {
    const real = log.admin(options);
    return { ...real, fetchTopicOffsets: (asked) => real.fetchTopicOffsets(named(asked)) };
  };
  return { producer, consumer, admin, logger: () => log.logger() };
}
