package lending.events;

import java.util.List;

/**
 * Consecutive records of one partition. Store {@code position} with their effects in one transaction, which must fail where the
 * stored position is no longer {@code before}.
 */
public record Batch<R>(int partition, List<R> records, Position before, Position position) {}
