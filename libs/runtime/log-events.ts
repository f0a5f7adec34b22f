/**
 * Every event a service may log: its stable name, and what it means. Alerts and searches use the name, which does not
 * change; the message next to it is for people. An event that is not listed here does not compile.
 */
export const logEvents = {
  'service.starting': 'The process has read its configuration and opens its connections.',
  'service.started': 'The service is ready for its work.',
  'service.start_failed': 'The service could not start. The process exits with status 1.',
  'service.configuration_invalid':
    'Settings are missing or invalid; `problems` lists all of them. The process exits with status 1.',
  'service.stopping': 'The service received a signal to stop: it drains and closes its connections.',
  'service.close_failed': 'A resource could not be closed while stopping. The others are still closed.',
  'service.stop_timeout': 'The service did not stop in time. The process exits with status 1.',
  'service.uncaught_error': 'An error reached no handler. The service stops, so that it can be started again.',
  'dependency.unavailable':
    'A backing service does not answer, while the service starts or later. It is retried until it does. Logged once a minute.',
  'dependency.available': 'What was logged as `dependency.unavailable` answers.',
  'traces.export_failed': 'Traces could not be sent to the collector and are dropped. Requests are not affected.',
  'settings.reloaded': 'The file of a setting has changed; new connections use its text.',
  'settings.reload_failed':
    'The file of a setting has changed and cannot be used: unreadable, invalid, or a certificate without its key. The value read before stays in use.',
  'http.listening': 'The service accepts HTTP requests on `port`.',
  'http.request':
    'A request was answered: a line of the access log, sampled by `ACCESS_LOG_SAMPLE`. Requests answered 5xx are always written, up to a limit per second; `skipped` counts those beyond it.',
  'http.request_failed': 'A request was answered 500: a fault of the service.',
  'http.request_unavailable': 'A request was answered 503: a backing service did not answer.',
  'http.outcome_not_stored': 'The outcome of a request under an Idempotency-Key was answered but could not be stored.',
  'http.verification_worker_lost': 'The thread that verifies signatures exited. They are verified on the main thread.',
  'http.request_log_failed': 'Entries of the request log could not be written and are lost; `lost` says how many.',
  'gateway.worker_exited': 'A worker process ended unexpectedly. Another one is started.',
  'keys.refresh_failed': 'The registered keys could not be read. Requests are refused once the known keys are too old.',
  'placement.not_read':
    'The home database did not say where the partitions are. Those of the last reading are used, and it is read again.',
  'placement.unknown_database':
    'Partitions are assigned to a processor that was started before their database was added. They are not processed: start it again.',
  'keys.key_rejected': 'A registered key is not a valid Ed25519 public key and is not accepted.',
  'kafka.client_warning': 'A warning of the Kafka client. Temporary failures are retried.',
  'kafka.consumer_restarted':
    'The Kafka client stopped reading after an error it does not retry. A new one is started.',
  'kafka.takeover_failed': 'Assigned partitions could not be taken over yet. It is retried.',
  'kafka.group_leave_timeout': 'A consumer group was not left in time. Kafka ends the session after its timeout.',
  'kafka.group_leave_failed': 'A consumer group could not be left. Kafka ends the session after its timeout.',
  'submission.verdict_unreadable':
    'A verdict on the Redis channel could not be read. It is read from the table instead.',
  'submission.verdict_poll_failed': 'Verdicts could not be read from the table. It is retried.',
  'processor.record_read_failed': 'A record of the submission topic could not be decoded yet. It is retried.',
  'processor.commit_failed': 'A batch could not be committed yet. It is retried.',
  'processor.batch_split':
    'A batch failed for a reason other than the environment and is committed entry by entry to find the one at fault.',
  'processor.book_parked':
    'A submission could not be decoded or failed an assertion. Its book is parked; others continue.',
  'processor.book_parked_again': 'A released book failed again and is parked again.',
  'processor.answer_render_failed': 'A submission was committed, but its answer could not be rendered.',
  'processor.verdict_publish_failed': 'Verdicts could not be published on Redis and go through the table.',
  'processor.verdict_delivery_failed': 'Verdicts could not be delivered. Their callers time out and read the result.',
  'processor.expiry_failed': 'Expired verdicts and idempotency outcomes could not be deleted. It is retried.',
  'processor.data_lost':
    'The submission topic lost records that were processed or are still to be read, or the database was set back. The service stops.',
  'publisher.publish_failed': 'Committed facts could not be published to `lending.book-events` yet. It is retried.',
  'publisher.append_not_confirmed':
    'Kafka did not confirm events of a partition in time. The same batch is appended again; the broker stores it once.',
  'publisher.unexpected_offset':
    'Events were appended at another offset than expected, so another process has appended too. The end is read again.',
  'publisher.partition_stopped':
    'What a partition of `lending.book-events` holds contradicts the database, Kafka refuses an event, or a committed one cannot be read. Publishing to it stops; it is checked again after 30 s.',
  'movements.publish_failed': 'Movements could not be published to `lending.movements` yet. It is retried.',
  'movements.append_not_confirmed':
    'Kafka did not confirm movements of a partition in time. The same batch is appended again; the broker stores it once.',
  'movements.unexpected_offset':
    'Movements were appended at another offset than expected, so another process has appended too. The end is read again.',
  'movements.partition_stopped':
    'A partition of `lending.movements` contradicts the database, a movement could not be computed, or Kafka refused it. It is tried again after 30 s; the other partitions go on.',
  'movements.process_exited':
    'The process that publishes movements exited, for example without memory. Another one is started.',
  'query.book_underivable': 'Books could not be derived from their facts. Pages are answered without them.',
  'query.loan_state_mismatch':
    'The stored state of Loans, by which pages find them, differs from the fold. Pages follow the fold; run the audit.',
  'console.answer_incomplete':
    'The console failed in the middle of an answer, such as a download, and closed the connection.',
  'console.request_failed': 'A page of the console could not be answered. The page shows the same `reference`.',
  'console.act_not_recorded':
    'An act on a person could not be submitted to the log yet; `act_id` and `tenant_id` name it. It is kept in the database and submitted again.',
  'console.totp_key_missing':
    'A person could not sign in by the code of an authenticator app: TOTP_KEY does not hold the key of its secret. Add the key it had before.',
  'console.pause_not_recorded':
    'That attempts to sign in to an account had to wait could not be recorded, and is missing in the audit list.',
  'console.reading_failed':
    'What the health page shows of the topics or the backing services could not be read; `reading` says which. The page says since when, and it is read again.',
  'console.expired_not_deleted':
    'Expired sessions, links or counts of attempts could not be deleted yet. They are of no effect, and are deleted later.',
  'feed.read_failed': 'New events of the feed could not be read. Streams wait until they can be.',
} as const;

export type LogEvent = keyof typeof logEvents;
