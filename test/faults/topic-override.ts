/** A Kafka client that uses another topic in place of a given one, so that a test does not disturb others. */
import type { Consumer, ConsumerGroupJoinEvent } from 'kafkajs';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';

export function withTopicReplaced(kafka: KafkaClient, topic: string, replacement: string): KafkaClient {
  const replaced = (name: string): string => (name === topic ? replacement : name);
  const producer: KafkaClient['producer'] = (options) => {
    const real = kafka.producer(options);
    return {
      ...real,
      async sendBatch(batch) {
        const topicMessages = (batch.topicMessages ?? []).map((each) => ({ ...each, topic: replaced(each.topic) }));
        const answers = await real.sendBatch({ ...batch, topicMessages });
        return answers.map((each) => ({ ...each, topicName: each.topicName === replacement ? topic : each.topicName }));
      },
    };
  };
  const consumer: KafkaClient['consumer'] = (options) => {
    const real = kafka.consumer(options);
    const onEvent: Consumer['on'] = (...[eventName, listener]: Parameters<Consumer['on']>) =>
      real.on(eventName, (event: ConsumerGroupJoinEvent) => listener(withAssignmentOf(event)));
    const withAssignmentOf = (event: ConsumerGroupJoinEvent): ConsumerGroupJoinEvent => {
      const assigned = event.payload?.memberAssignment?.[replacement];
      if (assigned === undefined) return event;
      return { ...event, payload: { ...event.payload, memberAssignment: { [topic]: assigned } } };
    };
    return {
      ...real,
      on: onEvent,
      subscribe: (subscription) =>
        real.subscribe(
          'topic' in subscription ? { ...subscription, topic: replaced(String(subscription.topic)) } : subscription,
        ),
      seek: (position) => real.seek({ ...position, topic: replaced(position.topic) }),
    };
  };
  const admin: KafkaClient['admin'] = (options) => {
    const real = kafka.admin(options);
    return {
      ...real,
      fetchTopicOffsets: (name) => real.fetchTopicOffsets(replaced(name)),
      fetchOffsets: (group) => real.fetchOffsets({ ...group, topics: (group.topics ?? []).map(replaced) }),
      deleteTopicRecords: (records) => real.deleteTopicRecords({ ...records, topic: replaced(records.topic) }),
    };
  };
  return { producer, consumer, admin, logger: () => kafka.logger() };
}
