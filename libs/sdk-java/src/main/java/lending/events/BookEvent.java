package lending.events;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;

/**
 * One fact of one book, as a record of {@code lending.book-events}.
 *
 * @param sequence position in the partition, from 1 without gaps
 * @param bookId {@code c/} and the Client, or {@code t} for the Tenancy's own book
 * @param fact position in the book, from 1 without gaps
 * @param bookVersion the version of the book after this fact; {@code counts} says whether the fact changed it
 * @param kind later versions of the service may add kinds
 * @param occurredOn the civil day the fact is about
 * @param feedNumber position in the Tenancy's feed of Loan events
 * @param body the fact as it is stored: JSON, byte for byte; {@link FactBody} reads it in the form of the API
 * @param item position in the batch of the request
 * @param offset the offset of the request in the service's log of submissions
 * @param evidence the signed request, on the first fact of a request in its partition
 * @param evidenceAt on the other facts: the sequence of that first fact
 */
public record BookEvent(
    int partition,
    long sequence,
    String tenantId,
    String bookId,
    Optional<String> clientId,
    long fact,
    BookVersion bookVersion,
    boolean counts,
    String kind,
    Optional<LocalDate> occurredOn,
    Instant recordedAt,
    Optional<String> loanId,
    Optional<String> eventId,
    Optional<String> merchantRef,
    Optional<Long> feedNumber,
    Optional<ActAccount> act,
    String body,
    Optional<RecordedReference> reference,
    Optional<IssuedUnder> issued,
    Optional<ListedAs> listed,
    String requestId,
    int item,
    long offset,
    Optional<Evidence> evidence,
    Optional<Long> evidenceAt)
    implements NumberedRecord {

  /** The version of a book after a fact. */
  public record BookVersion(long facts, Optional<Instant> version) {}

  /** Who acted, and why. The context is JSON as it was sent. */
  public record ActAccount(String reference, String actor, String basis, Optional<String> context) {}

  /** The caller's reference under which a fact was recorded: SHA-256 of its request, and the id of the record it names. */
  public record RecordedReference(String namespace, String reference, byte[] digest, String subject) {}

  /** The product version under which a fact issues its Loan. */
  public record IssuedUnder(String configurationId, int configurationVersion) {}

  /** The row, as JSON, that a fact adds to a listing of the Tenancy, and its position there. */
  public record ListedAs(String listing, long number, String id, String row) {}

  /**
   * The signed request behind a fact. The body is as sent, or deflated (raw, RFC 1951) where {@code bodyEncoding} says so; the
   * actor is the person who acted without a signature.
   */
  public record Evidence(
      String method,
      String target,
      Optional<Long> ts,
      Optional<String> fp,
      Optional<byte[]> signature,
      Optional<String> idempotencyKey,
      byte[] body,
      String bodyEncoding,
      Optional<String> actor,
      Optional<String> callerRequestId,
      Instant takenInAt) {}
}
