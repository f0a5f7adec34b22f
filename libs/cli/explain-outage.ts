/** Says which part of the cell did not answer an operator's command, at which address, and what to check. */
import { type Environment, settingText } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { databasePlace } from './database-place.ts';
import { formatError } from './format-error.ts';

/** Other errors are returned unchanged. */
export function explainOutage(cause: unknown, env: Environment): unknown {
  if (!(cause instanceof DependencyUnavailableError)) return cause;
  const reason = cause.cause === undefined ? '' : `: ${formatError(cause.cause)}`;
  if (/^kafka /.test(cause.message)) {
    return new Error(`Kafka at ${env['KAFKA_BROKERS']} did not answer${reason}; check KAFKA_BROKERS`, { cause });
  }
  if (/^verdict /.test(cause.message)) {
    return new Error(
      'the submission is in Kafka, and no processor answered it; check that the processors run, then run the command again',
      { cause },
    );
  }
  const place = databasePlace(settingText(env, backingSettings.databaseUrl) ?? '') || 'of DATABASE_URL';
  return new Error(`the database ${place} did not answer${reason}; check DATABASE_URL`, { cause });
}
