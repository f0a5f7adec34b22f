-- Up Migration: without a transaction

-- For the next migration, which fills the column.
CREATE INDEX CONCURRENTLY books_without_bytes ON books (tenant_id, book_id) WHERE fact_bytes IS NULL;
