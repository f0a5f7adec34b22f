package lending.events;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one fact changed in the journal of its book, as a record of {@code lending.movements}. It has the numbers of its fact in
 * {@code lending.book-events}.
 *
 * @param sequence position in the partition, from 1 without gaps
 * @param bookId {@code c/} and the Client, or {@code t} for the Tenancy's own book
 * @param fact position of the fact in the book, from 1 without gaps
 * @param kind of the fact; later versions of the service may add kinds
 * @param item position in the batch of the request
 * @param loans empty where the fact changed no figure
 */
public record Movement(
    int partition,
    long sequence,
    String tenantId,
    String bookId,
    Optional<String> clientId,
    long fact,
    String kind,
    Instant recordedAt,
    String requestId,
    int item,
    List<LoanMovement> loans)
    implements NumberedRecord {}
