-- Up Migration: without a transaction

DROP INDEX CONCURRENTLY books_without_bytes;
