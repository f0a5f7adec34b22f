-- Up Migration

-- Schema console is not part of a rebuild: these statements find it in its last state, as in 006.
ALTER TABLE console.persons
  -- Cannot sign in.
  ADD COLUMN IF NOT EXISTS is_disabled boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS last_sign_in_at bigint;
ALTER TABLE console.sessions
  ADD COLUMN IF NOT EXISTS address text,
  ADD COLUMN IF NOT EXISTS user_agent text;

CREATE TABLE IF NOT EXISTS console.pending_sign_ins (
  token_hash bytea PRIMARY KEY,
  person_id uuid NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS pending_sign_ins_by_person ON console.pending_sign_ins (person_id);
CREATE INDEX IF NOT EXISTS pending_sign_ins_by_age ON console.pending_sign_ins (expires_at);
COMMENT ON TABLE console.pending_sign_ins IS 'Sign-ins whose password was right and whose second factor is still missing.';

CREATE TABLE IF NOT EXISTS console.recovery_codes (
  person_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  PRIMARY KEY (person_id, code_hash)
);
COMMENT ON TABLE console.recovery_codes IS 'Unused codes that replace the second factor, by their SHA-256.';

CREATE TABLE IF NOT EXISTS console.passkeys (
  -- As WebAuthn states it, in base64url.
  credential_id text PRIMARY KEY,
  person_id uuid NOT NULL,
  name text NOT NULL,
  -- COSE.
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  -- How browsers reach the authenticator, with commas in between.
  transports text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX IF NOT EXISTS passkeys_by_person ON console.passkeys (person_id);
COMMENT ON TABLE console.passkeys IS 'Passkeys (WebAuthn) with which persons sign in without a password.';

CREATE TABLE IF NOT EXISTS console.passkey_challenges (
  challenge text PRIMARY KEY,
  -- The SHA-256 of its use and of the token in the cookie of the browser that asked for it.
  browser_hash bytea NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS passkey_challenges_by_age ON console.passkey_challenges (expires_at);
COMMENT ON TABLE console.passkey_challenges IS 'Unanswered challenges of passkeys; each is accepted once.';

GRANT SELECT, INSERT, DELETE ON console.pending_sign_ins, console.recovery_codes, console.passkey_challenges
  TO lending_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON console.passkeys TO lending_service;
