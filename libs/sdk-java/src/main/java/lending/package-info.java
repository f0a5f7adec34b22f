/** A client of the lending service: signed and typed requests, retries by the rules of the contract, listings, the feed. */
package lending;
