-- Up Migration

-- The Loans of a merchant and a product both: found through the index of either they would be looked for among all of its
-- own. One more index for each Loan that names a merchant.

-- Commits stand still while the indexes are built. They would also while this waits for
-- somebody's long look at the table: better it fails then and is run again.
SET LOCAL lock_timeout = '2s';
CREATE INDEX lent_of_merchant_and_configuration ON loans (tenant_id, merchant_ref, configuration_id, number DESC)
  WHERE merchant_ref IS NOT NULL AND state NOT IN ('held', 'voided');
CREATE INDEX unlent_of_merchant_and_configuration ON loans (tenant_id, merchant_ref, configuration_id, number DESC)
  WHERE merchant_ref IS NOT NULL AND state IN ('held', 'voided');
SET LOCAL lock_timeout TO DEFAULT;
