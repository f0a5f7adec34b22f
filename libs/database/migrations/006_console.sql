-- Up Migration

-- The people of the console and their sessions. Not derived from the book: a rebuild neither replaces nor copies them, and
-- the migrations that it applies to its shadow schema find this schema in place.
CREATE SCHEMA IF NOT EXISTS console;

CREATE TABLE IF NOT EXISTS console.persons (
  person_id uuid PRIMARY KEY,
  -- In lower case.
  email text NOT NULL UNIQUE,
  is_operator boolean NOT NULL,
  -- Null where the Accept-Language header decides.
  language text,
  -- Null until the first one-time link is used.
  password_hash text,
  totp_secret text,
  -- The newest time step whose code was used: a code works once.
  totp_used_step bigint,
  created_at bigint NOT NULL
);
COMMENT ON TABLE console.persons IS 'People who use the console.';

CREATE TABLE IF NOT EXISTS console.roles (
  person_id uuid NOT NULL,
  tenant_id text NOT NULL,
  role text NOT NULL,
  PRIMARY KEY (person_id, tenant_id)
);
CREATE INDEX IF NOT EXISTS roles_by_tenancy ON console.roles (tenant_id, person_id);
COMMENT ON TABLE console.roles IS 'What a person may do in a Tenancy: admin, support or finance.';

CREATE TABLE IF NOT EXISTS console.one_time_links (
  token_hash bytea PRIMARY KEY,
  person_id uuid NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS one_time_links_by_person ON console.one_time_links (person_id);
COMMENT ON TABLE console.one_time_links IS 'Unused sign-in links, by the SHA-256 of their tokens.';

CREATE TABLE IF NOT EXISTS console.sessions (
  token_hash bytea PRIMARY KEY,
  person_id uuid NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS sessions_by_person ON console.sessions (person_id);
CREATE INDEX IF NOT EXISTS sessions_by_age ON console.sessions (created_at);
COMMENT ON TABLE console.sessions IS 'Signed-in browsers, by the SHA-256 of their tokens.';

CREATE TABLE IF NOT EXISTS console.sign_in_attempts (
  -- An account or a network address.
  subject text PRIMARY KEY,
  attempts integer NOT NULL,
  last_attempt_at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS sign_in_attempts_by_age ON console.sign_in_attempts (last_attempt_at);
COMMENT ON TABLE console.sign_in_attempts IS 'Attempts to sign in since the last success, for growing pauses between them.';

CREATE TABLE IF NOT EXISTS console.unrecorded_acts (
  act_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  body text NOT NULL
);
COMMENT ON TABLE console.unrecorded_acts IS 'Acts on people, committed with their effect, until their facts are in the log.';

GRANT USAGE ON SCHEMA console TO lending_service;
GRANT SELECT, INSERT, UPDATE ON console.persons TO lending_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON console.roles, console.sessions, console.sign_in_attempts TO lending_service;
GRANT SELECT, INSERT, DELETE ON console.one_time_links, console.unrecorded_acts TO lending_service;
