-- Up Migration

-- Schema console is not part of a rebuild: these statements find it in its last state, as in 006.
CREATE TABLE IF NOT EXISTS console.known_addresses (
  person_id uuid NOT NULL,
  -- An IPv4 address, or the /64 of an IPv6 address.
  prefix text NOT NULL,
  last_sign_in_at bigint NOT NULL,
  PRIMARY KEY (person_id, prefix)
);
CREATE INDEX IF NOT EXISTS known_addresses_by_age ON console.known_addresses (last_sign_in_at);
COMMENT ON TABLE console.known_addresses IS 'Network addresses from which a person signed in: guesses from others do not make it wait.';

ALTER TABLE console.persons
  -- When it was last recorded that attempts to sign in to the account had to wait.
  ADD COLUMN IF NOT EXISTS lockout_recorded_at bigint;

COMMENT ON TABLE console.passkey_challenges IS 'Answered challenges of passkeys: each is accepted once.';

GRANT SELECT, INSERT, UPDATE, DELETE ON console.known_addresses TO lending_service;
