/** Says which part of the cell did not answer an operator's command, at which address, and what to check. */
import { type Environment, settingText } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { databasePlace } from './database-place.ts';
import { formatError } from './format-error.ts';

const connectionErrorCode = /^E(?:CONN[A-Z]+|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/;
const brokerErrorName = /^KafkaJS(?:Connection|RequestTimeout|BrokerNotFound|NoBrokerAvailable|SASLAuthentication)/;
/** These state what is missing, and the database may have answered. */
const explainedAlready = /^(?:the number of partitions|publishing locks|migration) /;

/** Other errors are returned unchanged. */
export function explainOutage(cause: unknown, env: Environment): unknown {
  const broker = brokerFailure(cause);
  if (broker !== undefined) return kafkaOutage(`: ${formatError(broker)}`, cause, env);
  // As a client of Postgres throws it; the registry's client names the registry.
  if (connectionErrorCode.test((cause as NodeJS.ErrnoException | null)?.code ?? '')) {
    return databaseOutage(`: ${formatError(cause)}`, cause, env);
  }
  if (!(cause instanceof DependencyUnavailableError) || explainedAlready.test(cause.message)) return cause;
  const reason = cause.cause === undefined ? '' : `: ${formatError(cause.cause)}`;
  if (/^kafka /.test(cause.message)) return kafkaOutage(reason, cause, env);
  if (/^verdict /.test(cause.message)) {
    return new Error(
      'the submission is in Kafka, and no processor answered it; check that the processors run, then run the command again',
      { cause },
    );
  }
  return databaseOutage(reason, cause, env);
}

function kafkaOutage(reason: string, cause: unknown, env: Environment): Error {
  return new Error(`Kafka at ${env['KAFKA_BROKERS']} did not answer${reason}; check KAFKA_BROKERS`, { cause });
}

function databaseOutage(reason: string, cause: unknown, env: Environment): Error {
  const place = databasePlace(settingText(env, backingSettings.databaseUrl) ?? '') || 'of DATABASE_URL';
  return new Error(`the database ${place} did not answer${reason}; check DATABASE_URL`, { cause });
}

/** What kafkajs throws, by itself or as the cause of an error that counts its retries. */
function brokerFailure(cause: unknown): Error | undefined {
  if (!(cause instanceof Error)) return undefined;
  return brokerErrorName.test(cause.name) || cause.message === 'Broker not connected'
    ? cause
    : brokerFailure(cause.cause);
}
