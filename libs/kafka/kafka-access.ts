/** How the brokers are reached, in the words of the driver: encrypted or not, under a name or none. */
import type { KafkaConfig, SASLOptions } from 'kafkajs';
import { type Environment, readConfig, kafkaAccess as readers } from '#libs/runtime/config.ts';

export function kafkaAccess(env: Environment): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  const { kafkaTls, kafkaCa, kafkaSasl, kafkaUsername, kafkaPassword } = readConfig(env, readers);
  const ssl = kafkaCa === undefined ? true : { ca: [kafkaCa] };
  const sasl = { mechanism: kafkaSasl, username: kafkaUsername, password: kafkaPassword } as SASLOptions;
  return { ...(kafkaTls === 'yes' ? { ssl } : {}), ...(kafkaSasl === undefined ? {} : { sasl }) };
}
