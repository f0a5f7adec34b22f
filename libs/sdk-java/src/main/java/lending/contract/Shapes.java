package lending.contract;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lending.JsonObject;
import lending.Readers;

/** Bodies and answers. Generated from schemas/openapi.json: npm run schemas:sdk. */
public final class Shapes {
  private Shapes() {}

  public static final class Refusal extends JsonObject {
    public Refusal(Map<String, ?> members) {
      super(members);
    }

    /** A sentence for people. Its wording may change at any time. */
    public String error() {
      return required("error", Readers.TEXT);
    }

    /** Stable. Branch on it. */
    public String code() {
      return required("code", Readers.TEXT);
    }

    /** What the caller may do next. */
    public String retry() {
      return required("retry", Readers.TEXT);
    }

    /** Seconds; equals the <code>Retry-After</code> header. */
    public Optional<Long> retryAfter() {
      return optional("retry_after", Readers.NUMBER);
    }

    public Optional<RefusalDetails> details() {
      return optional("details", Readers.object(RefusalDetails::new));
    }

    /** The service's identifier of the request. */
    public String requestId() {
      return required("request_id", Readers.TEXT);
    }
  }

  /** The catalogue lists the members of each code. More may be added. */
  public static final class RefusalDetails extends JsonObject {
    public RefusalDetails(Map<String, ?> members) {
      super(members);
    }

    /** A JSON pointer into the body, or the bare name of a parameter. */
    public Optional<String> field() {
      return optional("field", Readers.TEXT);
    }

    /** Where several fields of the body are at fault: all of them, at most 20. The first one is <code>field</code>, and <code>code</code> is its code. */
    public Optional<List<RefusalDetailsFields>> fields() {
      return optional("fields", Readers.list(Readers.object(RefusalDetailsFields::new)));
    }

    /** The identifier of the recorded fact that the request conflicts with. */
    public Optional<String> recordedId() {
      return optional("recorded_id", Readers.TEXT);
    }

    /** What is recorded. */
    public Optional<Object> recordedValue() {
      return optional("recorded_value", Readers.ANY);
    }

    /** What the request states instead. */
    public Optional<Object> statedValue() {
      return optional("stated_value", Readers.ANY);
    }

    /** The value or limit that is accepted. */
    public Optional<Object> bound() {
      return optional("bound", Readers.ANY);
    }

    /** The value that was sent or found. */
    public Optional<Object> observed() {
      return optional("observed", Readers.ANY);
    }
  }

  public static final class Money extends JsonObject {
    public Money() {}

    public Money(Map<String, ?> members) {
      super(members);
    }

    public long minorUnits() {
      return required("minor_units", Readers.NUMBER);
    }

    public Money withMinorUnits(long value) {
      return new Money(with("minor_units", value));
    }

    public String currency() {
      return required("currency", Readers.TEXT);
    }

    public Money withCurrency(String value) {
      return new Money(with("currency", value));
    }
  }

  /** An amount owed, by charge. */
  public static final class Owed extends JsonObject {
    public Owed(Map<String, ?> members) {
      super(members);
    }

    public Money total() {
      return required("total", Readers.object(Money::new));
    }

    /** The charges that are not zero, in a fixed order. */
    public List<ChargeLine> charges() {
      return required("charges", Readers.list(Readers.object(ChargeLine::new)));
    }
  }

  public static final class ChargeLine extends JsonObject {
    public ChargeLine(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>principal</code>, <code>interest</code>, <code>fee</code>, <code>penalty</code>, <code>late_fee</code>. */
    public String charge() {
      return required("charge", Readers.TEXT);
    }

    /** Before tax. */
    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    public Money tax() {
      return required("tax", Readers.object(Money::new));
    }

    public Money total() {
      return required("total", Readers.object(Money::new));
    }
  }

  /** The configuration version of the record. */
  public static final class ConfigurationPin extends JsonObject {
    public ConfigurationPin(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }
  }

  public static final class ActAccount extends JsonObject {
    public ActAccount(Map<String, ?> members) {
      super(members);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The reason. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** As sent. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }
  }

  public static final class FactName extends JsonObject {
    public FactName(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>event</code>, <code>receipt</code>, <code>reversal</code>. */
    public String type() {
      return required("type", Readers.TEXT);
    }

    /** The identifier of an event; the reference of a Receipt or a reversal. */
    public String id() {
      return required("id", Readers.TEXT);
    }
  }

  /** A contradiction between facts, which the service resolved; or book_not_derivable: the book of the Client cannot be computed from the recorded facts, so figures are absent. */
  public static final class Anomaly extends JsonObject {
    public Anomaly(Map<String, ?> members) {
      super(members);
    }

    /** For an act that no longer has its full effect, the refusal code of its rule; otherwise reversal_after_cession, reversal_after_write_off, payoff_short, book_not_derivable or, in a rehearsal, book_too_large. More kinds may be added. */
    public String kind() {
      return required("kind", Readers.TEXT);
    }

    /** The fact, and the fact recorded later that caused the anomaly. Empty for book_not_derivable and book_too_large. */
    public List<FactName> facts() {
      return required("facts", Readers.list(Readers.object(FactName::new)));
    }

    /** A sentence for people. Its wording may change at any time. */
    public String detail() {
      return required("detail", Readers.TEXT);
    }
  }

  public static final class Loan extends JsonObject {
    public Loan(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String tenantId() {
      return required("tenant_id", Readers.TEXT);
    }

    /**
     * Computed from the facts on every read.
     * One of <code>active</code>, <code>closed</code>, <code>cancelled</code>, <code>written_off</code>, <code>ceded</code>, <code>held</code>, <code>expired</code>, <code>voided</code>, <code>rescinded</code>, <code>withdrawn</code>, <code>restructured</code>.
     */
    public String state() {
      return required("state", Readers.TEXT);
    }

    /** Rollovers in force. */
    public long rolledOver() {
      return required("rolled_over", Readers.NUMBER);
    }

    /** Empty if there are none. */
    public List<Anomaly> anomalies() {
      return required("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }

    /** What Receipts have settled; absent if the allocation of the Client's money cannot be computed. */
    public Optional<Money> paid() {
      return optional("paid", Readers.object(Money::new));
    }

    public LoanTotals totals() {
      return required("totals", Readers.object(LoanTotals::new));
    }

    /** The number of fully settled periods; absent if <code>paid</code> is absent. */
    public Optional<Long> settledPeriods() {
      return optional("settled_periods", Readers.NUMBER);
    }

    /** The number of periods that are not settled; absent if <code>paid</code> is absent. */
    public Optional<Long> remainingPeriods() {
      return optional("remaining_periods", Readers.NUMBER);
    }

    public boolean owes() {
      return required("owes", Readers.FLAG);
    }

    /**
     * Absent if the Loan owes nothing.
     * One of <code>tenant</code>, <code>assignee</code>.
     */
    public Optional<String> owedTo() {
      return optional("owed_to", Readers.TEXT);
    }

    /** Present on a <code>closed</code> Loan. */
    public Optional<LocalDate> closedOn() {
      return optional("closed_on", Readers.DAY);
    }

    /** On a <code>ceded</code> Loan: the cut-off. */
    public Optional<LocalDate> cededOn() {
      return optional("ceded_on", Readers.DAY);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant createdAt() {
      return required("created_at", Readers.MOMENT);
    }

    /** All recorded facts in the order of recording, including withdrawn ones. */
    public List<LoanEvent> events() {
      return required("events", Readers.list(Readers.object(LoanEvent::new)));
    }

    /** Fixed at issuance. */
    public ConfigurationPin configuration() {
      return required("configuration", Readers.object(ConfigurationPin::new));
    }

    public LoanTerms terms() {
      return required("terms", Readers.object(LoanTerms::new));
    }

    /** The plan as issued. It never changes. */
    public List<IssuedPeriod> periods() {
      return required("periods", Readers.list(Readers.object(IssuedPeriod::new)));
    }

    public Disclosure disclosure() {
      return required("disclosure", Readers.object(Disclosure::new));
    }

    public Regime regime() {
      return required("regime", Readers.object(Regime::new));
    }

    /** The returns in force, oldest first. */
    public Optional<List<Return>> returns() {
      return optional("returns", Readers.list(Readers.object(Return::new)));
    }

    /** Only if a write-off is in force. */
    public Optional<LoanWriteOff> writeOff() {
      return optional("write_off", Readers.object(LoanWriteOff::new));
    }
  }

  /** The terms as sent. */
  public static final class LoanTerms extends JsonObject {
    public LoanTerms(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    public long termPeriods() {
      return required("term_periods", Readers.NUMBER);
    }

    /** As sent, or from the facility or a single-point corridor. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    /** As sent, or from a single-point corridor. */
    public String penaltyRate() {
      return required("penalty_rate", Readers.TEXT);
    }

    public LocalDate anchor() {
      return required("anchor", Readers.DAY);
    }

    public String jurisdiction() {
      return required("jurisdiction", Readers.TEXT);
    }

    public LoanTermsTax tax() {
      return required("tax", Readers.object(LoanTermsTax::new));
    }

    public Optional<Money> downPayment() {
      return optional("down_payment", Readers.object(Money::new));
    }

    public Optional<Schedule> schedule() {
      return optional("schedule", Readers.object(Schedule::new));
    }

    public Optional<String> merchantRef() {
      return optional("merchant_ref", Readers.TEXT);
    }

    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    public Optional<String> facilityId() {
      return optional("facility_id", Readers.TEXT);
    }

    public Optional<LocalDate> holdUntil() {
      return optional("hold_until", Readers.DAY);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }
  }

  public static final class LoanPreview extends JsonObject {
    public LoanPreview(Map<String, ?> members) {
      super(members);
    }

    public ConfigurationPin configuration() {
      return required("configuration", Readers.object(ConfigurationPin::new));
    }

    /** The terms as sent. */
    public LoanPreviewTerms terms() {
      return required("terms", Readers.object(LoanPreviewTerms::new));
    }

    public List<IssuedPeriod> periods() {
      return required("periods", Readers.list(Readers.object(IssuedPeriod::new)));
    }

    /** What issuance would record. */
    public Disclosure disclosure() {
      return required("disclosure", Readers.object(Disclosure::new));
    }

    public Regime regime() {
      return required("regime", Readers.object(Regime::new));
    }
  }

  public static final class LoanRow extends JsonObject {
    public LoanRow(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public String tenantId() {
      return required("tenant_id", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public Optional<String> merchantRef() {
      return optional("merchant_ref", Readers.TEXT);
    }

    public ConfigurationPin configuration() {
      return required("configuration", Readers.object(ConfigurationPin::new));
    }

    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    public long termPeriods() {
      return required("term_periods", Readers.NUMBER);
    }

    /** The contract rate as issued. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    /** The origination fee as issued. */
    public Money fee() {
      return required("fee", Readers.object(Money::new));
    }

    /** Per cent a year. */
    public String penaltyRate() {
      return required("penalty_rate", Readers.TEXT);
    }

    public LocalDate anchor() {
      return required("anchor", Readers.DAY);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant createdAt() {
      return required("created_at", Readers.MOMENT);
    }

    /**
     * Computed from the facts on every read.
     * One of <code>active</code>, <code>closed</code>, <code>cancelled</code>, <code>written_off</code>, <code>ceded</code>, <code>held</code>, <code>expired</code>, <code>voided</code>, <code>rescinded</code>, <code>withdrawn</code>, <code>restructured</code>.
     */
    public String state() {
      return required("state", Readers.TEXT);
    }

    /** Rollovers in force. */
    public long rolledOver() {
      return required("rolled_over", Readers.NUMBER);
    }

    /** Empty if there are none. */
    public List<Anomaly> anomalies() {
      return required("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }

    /** What Receipts have settled; absent if the allocation of the Client's money cannot be computed. */
    public Optional<Money> paid() {
      return optional("paid", Readers.object(Money::new));
    }

    public LoanTotals totals() {
      return required("totals", Readers.object(LoanTotals::new));
    }

    /** The number of fully settled periods; absent if <code>paid</code> is absent. */
    public Optional<Long> settledPeriods() {
      return optional("settled_periods", Readers.NUMBER);
    }

    /** The number of periods that are not settled; absent if <code>paid</code> is absent. */
    public Optional<Long> remainingPeriods() {
      return optional("remaining_periods", Readers.NUMBER);
    }

    public boolean owes() {
      return required("owes", Readers.FLAG);
    }

    /**
     * Absent if the Loan owes nothing.
     * One of <code>tenant</code>, <code>assignee</code>.
     */
    public Optional<String> owedTo() {
      return optional("owed_to", Readers.TEXT);
    }

    /** Present on a <code>closed</code> Loan. */
    public Optional<LocalDate> closedOn() {
      return optional("closed_on", Readers.DAY);
    }

    /** On a <code>ceded</code> Loan: the cut-off. */
    public Optional<LocalDate> cededOn() {
      return optional("ceded_on", Readers.DAY);
    }

    /** On a <code>written_off</code> row. */
    public Optional<LocalDate> writtenOffOn() {
      return optional("written_off_on", Readers.DAY);
    }
  }

  /** The row of a Loan whose Client's book cannot be computed: only the recorded facts of the Loan itself. */
  public static final class RecordedLoanRow extends JsonObject {
    public RecordedLoanRow(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public String tenantId() {
      return required("tenant_id", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public Optional<String> merchantRef() {
      return optional("merchant_ref", Readers.TEXT);
    }

    public ConfigurationPin configuration() {
      return required("configuration", Readers.object(ConfigurationPin::new));
    }

    /** Absent if the issuance cannot be read either. */
    public Optional<Money> principal() {
      return optional("principal", Readers.object(Money::new));
    }

    /** Absent if the issuance cannot be read either. */
    public Optional<Long> termPeriods() {
      return optional("term_periods", Readers.NUMBER);
    }

    /** Absent if the issuance cannot be read either. */
    public Optional<String> rate() {
      return optional("rate", Readers.TEXT);
    }

    /** Absent if the issuance cannot be read either. */
    public Optional<Money> fee() {
      return optional("fee", Readers.object(Money::new));
    }

    /** Absent if the issuance cannot be read either. */
    public Optional<String> penaltyRate() {
      return optional("penalty_rate", Readers.TEXT);
    }

    /** Absent if the issuance cannot be read either. */
    public Optional<LocalDate> anchor() {
      return optional("anchor", Readers.DAY);
    }

    /** Absent if the issuance cannot be read either. */
    public Optional<Instant> createdAt() {
      return optional("created_at", Readers.MOMENT);
    }

    /** Absent if the issuance cannot be read either. */
    public Optional<RecordedLoanRowTotals> totals() {
      return optional("totals", Readers.object(RecordedLoanRowTotals::new));
    }

    /**
     * The state when the last fact was recorded.
     * One of <code>active</code>, <code>closed</code>, <code>cancelled</code>, <code>written_off</code>, <code>ceded</code>, <code>held</code>, <code>expired</code>, <code>voided</code>, <code>rescinded</code>, <code>withdrawn</code>, <code>restructured</code>.
     */
    public String state() {
      return required("state", Readers.TEXT);
    }

    /** Only if it follows from the state alone. */
    public Optional<Boolean> owes() {
      return optional("owes", Readers.FLAG);
    }

    /** One of <code>tenant</code>, <code>assignee</code>. */
    public Optional<String> owedTo() {
      return optional("owed_to", Readers.TEXT);
    }

    /** Contains book_not_derivable. */
    public List<Anomaly> anomalies() {
      return required("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }
  }

  public static final class LoanPage extends JsonObject {
    public LoanPage(Map<String, ?> members) {
      super(members);
    }

    /** Newest first. */
    public List<JsonObject> loans() {
      return required("loans", Readers.list(Readers.OBJECT));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class LoanEvent extends JsonObject {
    public LoanEvent(Map<String, ?> members) {
      super(members);
    }

    /** The identifier that a retraction names. <code>settled</code>, which is derived, has none. */
    public Optional<String> id() {
      return optional("id", Readers.TEXT);
    }

    /** One of <code>issued</code>, <code>confirmed</code>, <code>voided</code>, <code>cancelled</code>, <code>rescinded</code>, <code>withdrawn</code>, <code>suspended</code>, <code>suspension_ended</code>, <code>waived</code>, <code>returned</code>, <code>rolled_over</code>, <code>restructured</code>, <code>accelerated</code>, <code>settled_for_less</code>, <code>written_off</code>, <code>ceded</code>, <code>settled</code>. */
    public String kind() {
      return required("kind", Readers.TEXT);
    }

    /** The day of the fact. */
    public LocalDate occurredOn() {
      return required("occurred_on", Readers.DAY);
    }

    /** Absent on <code>settled</code>, which is derived and not recorded. */
    public Optional<Instant> recordedAt() {
      return optional("recorded_at", Readers.MOMENT);
    }

    /** Absent on <code>issued</code> and <code>settled</code>. */
    public Optional<ActAccount> act() {
      return optional("act", Readers.object(ActAccount::new));
    }

    /** The members of the act, as sent. */
    public Optional<Map<String, Object>> stated() {
      return optional("stated", Readers.map(Readers.ANY));
    }

    /** On <code>suspended</code>: the last day of the suspension. */
    public Optional<LocalDate> to() {
      return optional("to", Readers.DAY);
    }

    /** On <code>suspended</code>: the day on which it was ended early. */
    public Optional<LocalDate> endedOn() {
      return optional("ended_on", Readers.DAY);
    }

    /** On <code>suspension_ended</code>: the suspension it ended. */
    public Optional<String> suspensionId() {
      return optional("suspension_id", Readers.TEXT);
    }

    /** On <code>returned</code>. */
    public Optional<Money> amount() {
      return optional("amount", Readers.object(Money::new));
    }

    /** On a withdrawn fact, which has no effect and stays readable. */
    public Optional<LoanEventRetraction> retraction() {
      return optional("retraction", Readers.object(LoanEventRetraction::new));
    }
  }

  public static final class IssuedPeriod extends JsonObject {
    public IssuedPeriod(Map<String, ?> members) {
      super(members);
    }

    /** From 1. */
    public long index() {
      return required("index", Readers.NUMBER);
    }

    public LocalDate scheduledOn() {
      return required("scheduled_on", Readers.DAY);
    }

    /** The scheduled day, or the next day on which banks are open. */
    public LocalDate dueOn() {
      return required("due_on", Readers.DAY);
    }

    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    public Money interest() {
      return required("interest", Readers.object(Money::new));
    }

    public Money fee() {
      return required("fee", Readers.object(Money::new));
    }

    public Money tax() {
      return required("tax", Readers.object(Money::new));
    }

    /** The sum of principal, interest, fee and tax. */
    public Money payment() {
      return required("payment", Readers.object(Money::new));
    }
  }

  /** Computed at issuance. It never changes. */
  public static final class Disclosure extends JsonObject {
    public Disclosure(Map<String, ?> members) {
      super(members);
    }

    public String jurisdiction() {
      return required("jurisdiction", Readers.TEXT);
    }

    /** The borrower's yearly figure in per cent. */
    public String figure() {
      return required("figure", Readers.TEXT);
    }

    /** The rule by which the figure is computed. */
    public String convention() {
      return required("convention", Readers.TEXT);
    }

    /** The version of that rule. */
    public long conventionVersion() {
      return required("convention_version", Readers.NUMBER);
    }

    /** Whether the rule is not final. */
    public boolean provisional() {
      return required("provisional", Readers.FLAG);
    }
  }

  /** The values of the market's law at issuance. They never change. */
  public static final class Regime extends JsonObject {
    public Regime(Map<String, ?> members) {
      super(members);
    }

    /** Per cent a year. */
    public String penaltyRate() {
      return required("penalty_rate", Readers.TEXT);
    }

    public Money lateFee() {
      return required("late_fee", Readers.object(Money::new));
    }

    public long toleranceDays() {
      return required("tolerance_days", Readers.NUMBER);
    }

    /** One of <code>overdue_principal</code>, <code>overdue_instalment</code>. */
    public String penaltyBase() {
      return required("penalty_base", Readers.TEXT);
    }

    /** Whether unpaid interest bears interest. */
    public boolean capitalises() {
      return required("capitalises", Readers.FLAG);
    }

    public Acceleration acceleration() {
      return required("acceleration", Readers.object(Acceleration::new));
    }

    /** Only if the product has a tolerance. */
    public Optional<Money> tolerance() {
      return optional("tolerance", Readers.object(Money::new));
    }

    /** Only if there is a ceiling for each period. */
    public Optional<Long> penaltyCeilingDays() {
      return optional("penalty_ceiling_days", Readers.NUMBER);
    }

    /** Only if there is a ceiling for the whole Loan. */
    public Optional<Long> penaltyCeilingBps() {
      return optional("penalty_ceiling_bps", Readers.NUMBER);
    }
  }

  public static final class Acceleration extends JsonObject {
    public Acceleration(Map<String, ?> members) {
      super(members);
    }

    /** Whether the whole balance may never be called. */
    public boolean forbidden() {
      return required("forbidden", Readers.FLAG);
    }

    /** How many periods must be late before it may be called. */
    public long missedPeriods() {
      return required("missed_periods", Readers.NUMBER);
    }

    /** The days between the notice to the borrower and the call. */
    public long noticeDays() {
      return required("notice_days", Readers.NUMBER);
    }
  }

  public static final class Return extends JsonObject {
    public Return(Map<String, ?> members) {
      super(members);
    }

    public String act() {
      return required("act", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The value of the returned goods, as sent. */
    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    /** The principal by which the debt was reduced. */
    public Money unwoundPrincipal() {
      return required("unwound_principal", Readers.object(Money::new));
    }

    /** Principal that was paid and is owed back to the Client. */
    public Money principalOwedBack() {
      return required("principal_owed_back", Readers.object(Money::new));
    }

    /** Interest that was paid above what the repriced plan charges, owed back to the Client. */
    public Money interestOwedBack() {
      return required("interest_owed_back", Readers.object(Money::new));
    }

    /** What discharges the Loan on that day, after the return. */
    public Owed stillOwed() {
      return required("still_owed", Readers.object(Owed::new));
    }

    /** The part that the caller refunds outside the book. */
    public Money beyondTheLoan() {
      return required("beyond_the_loan", Readers.object(Money::new));
    }

    /** Whether the return covered all outstanding principal. */
    public boolean returnedWhole() {
      return required("returned_whole", Readers.FLAG);
    }
  }

  public static final class PayoffQuote extends JsonObject {
    public PayoffQuote(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** What discharges the Loan on that day, as the book was at the quote. */
    public Owed owed() {
      return required("owed", Readers.object(Owed::new));
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The reason. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** As sent. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant quotedAt() {
      return required("quoted_at", Readers.MOMENT);
    }
  }

  public static final class PayoffQuotePage extends JsonObject {
    public PayoffQuotePage(Map<String, ?> members) {
      super(members);
    }

    /** Oldest first. */
    public List<PayoffQuote> quotes() {
      return required("quotes", Readers.list(Readers.object(PayoffQuote::new)));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class PaymentOptions extends JsonObject {
    public PaymentOptions(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** Every Loan of the Client, oldest first. */
    public List<LoanPaymentOptions> loans() {
      return required("loans", Readers.list(Readers.object(LoanPaymentOptions::new)));
    }
  }

  public static final class LoanPaymentOptions extends JsonObject {
    public LoanPaymentOptions(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** Everything still owed by periods that have fallen due; absent only if it cannot be computed. */
    public Optional<Owed> overdue() {
      return optional("overdue", Readers.object(Owed::new));
    }

    /** Present if the Loan is late. */
    public Optional<Late> late() {
      return optional("late", Readers.object(Late::new));
    }

    /** The one in force on the day. */
    public Optional<Suspension> suspension() {
      return optional("suspension", Readers.object(Suspension::new));
    }

    /** The waivers up to the day. All figures already include them. */
    public Optional<List<Waiver>> waivers() {
      return optional("waivers", Readers.list(Readers.object(Waiver::new)));
    }

    /** The next one; absent after every period has fallen due or if the debt is fixed. */
    public Optional<Instalment> instalment() {
      return optional("instalment", Readers.object(Instalment::new));
    }

    /** The whole amount that discharges the Loan. */
    public LoanPaymentOptionsPayoff payoff() {
      return required("payoff", Readers.object(LoanPaymentOptionsPayoff::new));
    }

    public LoanPaymentOptionsAnyOtherAmount anyOtherAmount() {
      return required("any_other_amount", Readers.object(LoanPaymentOptionsAnyOtherAmount::new));
    }

    /** Empty if there are none. */
    public List<Anomaly> anomalies() {
      return required("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }
  }

  public static final class Late extends JsonObject {
    public Late(Map<String, ?> members) {
      super(members);
    }

    /** What the late periods still owe; everything, if the debt of the Loan is fixed. */
    public Owed owed() {
      return required("owed", Readers.object(Owed::new));
    }

    public long worstDaysPastDue() {
      return required("worst_days_past_due", Readers.NUMBER);
    }

    /** The number of late periods. */
    public long periods() {
      return required("periods", Readers.NUMBER);
    }
  }

  public static final class Suspension extends JsonObject {
    public Suspension(Map<String, ?> members) {
      super(members);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The first day that does not count for lateness and penalty. */
    public LocalDate from() {
      return required("from", Readers.DAY);
    }

    /** The last such day, unless it was ended early. */
    public LocalDate to() {
      return required("to", Readers.DAY);
    }

    /** Only if it was ended early: days count again from this one. */
    public Optional<LocalDate> endedOn() {
      return optional("ended_on", Readers.DAY);
    }
  }

  public static final class Waiver extends JsonObject {
    public Waiver(Map<String, ?> members) {
      super(members);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public long period() {
      return required("period", Readers.NUMBER);
    }

    /** One of <code>principal</code>, <code>interest</code>, <code>fee</code>, <code>penalty</code>, <code>late_fee</code>. */
    public String charge() {
      return required("charge", Readers.TEXT);
    }

    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }
  }

  public static final class Instalment extends JsonObject {
    public Instalment(Map<String, ?> members) {
      super(members);
    }

    /** The index of the period. */
    public long period() {
      return required("period", Readers.NUMBER);
    }

    /** The last day of the period. Interest runs to it. */
    public LocalDate scheduledOn() {
      return required("scheduled_on", Readers.DAY);
    }

    /** The scheduled day, or the next day on which banks are open. What is unpaid then is overdue. */
    public LocalDate dueOn() {
      return required("due_on", Readers.DAY);
    }

    public Owed owed() {
      return required("owed", Readers.object(Owed::new));
    }

    /** The first day on which money that covers all of it pays it before it is due. */
    public LocalDate actionableFrom() {
      return required("actionable_from", Readers.DAY);
    }

    /** Whether something older is owed, which money pays first. */
    public boolean requiresOverdueSettled() {
      return required("requires_overdue_settled", Readers.FLAG);
    }

    /**
     * <code>overdue</code> on its own due date, when <code>overdue</code> holds it already; <code>instalment</code> before.
     * One of <code>overdue</code>, <code>instalment</code>.
     */
    public String settledBy() {
      return required("settled_by", Readers.TEXT);
    }
  }

  public static final class LoanSchedule extends JsonObject {
    public LoanSchedule(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The level payment of the plan. */
    public Money level() {
      return required("level", Readers.object(Money::new));
    }

    public List<ScheduledPeriod> periods() {
      return required("periods", Readers.list(Readers.object(ScheduledPeriod::new)));
    }

    /** Of an ended period, only the part that was settled. */
    public LoanScheduleTotals totals() {
      return required("totals", Readers.object(LoanScheduleTotals::new));
    }

    /** Empty if there are none. */
    public List<Anomaly> anomalies() {
      return required("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }
  }

  public static final class ScheduledPeriod extends JsonObject {
    public ScheduledPeriod(Map<String, ?> members) {
      super(members);
    }

    /** 0 is the payment at purchase. */
    public long index() {
      return required("index", Readers.NUMBER);
    }

    /** The last day of the period. Interest runs to it. */
    public LocalDate scheduledOn() {
      return required("scheduled_on", Readers.DAY);
    }

    /** The scheduled day, or the next day on which banks are open. What is unpaid then is overdue. */
    public LocalDate dueOn() {
      return required("due_on", Readers.DAY);
    }

    /** The first day on which money that covers all of it pays it before it is due. */
    public LocalDate actionableFrom() {
      return required("actionable_from", Readers.DAY);
    }

    public Owed charged() {
      return required("charged", Readers.object(Owed::new));
    }

    public Owed settled() {
      return required("settled", Readers.object(Owed::new));
    }

    public Owed waived() {
      return required("waived", Readers.object(Owed::new));
    }

    public Owed owed() {
      return required("owed", Readers.object(Owed::new));
    }

    /** Whether <code>due_on</code> has come. */
    public boolean fallenDue() {
      return required("fallen_due", Readers.FLAG);
    }

    /** Whether it is unpaid and past its tolerance, and no suspension covers the day. */
    public boolean late() {
      return required("late", Readers.FLAG);
    }

    /** The day since which nothing of it is owed. */
    public Optional<LocalDate> settledOn() {
      return optional("settled_on", Readers.DAY);
    }

    /**
     * The fact that created the period.
     * One of <code>issued</code>, <code>recalculated</code>, <code>rolled_over</code>, <code>restructured</code>, <code>called</code>, <code>purchase</code>.
     */
    public String origin() {
      return required("origin", Readers.TEXT);
    }

    /** False for a period that was ended by an act, early money, a payoff or a return. */
    public boolean alive() {
      return required("alive", Readers.FLAG);
    }
  }

  public static final class Delinquency extends JsonObject {
    public Delinquency(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The highest of all periods. */
    public long daysPastDue() {
      return required("days_past_due", Readers.NUMBER);
    }

    /** Present if the Loan is late. */
    public Optional<Late> late() {
      return optional("late", Readers.object(Late::new));
    }

    /** The one in force on the day. */
    public Optional<Suspension> suspension() {
      return optional("suspension", Readers.object(Suspension::new));
    }

    /** The periods that have fallen due and are unpaid. */
    public List<DelinquencyPeriods> periods() {
      return required("periods", Readers.list(Readers.object(DelinquencyPeriods::new)));
    }

    /** Empty if there are none. */
    public List<Anomaly> anomalies() {
      return required("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }
  }

  /** The figures of a Loan on a day and what they consist of, as of one moment. */
  public static final class LoanExplanation extends JsonObject {
    public LoanExplanation(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public Loan loan() {
      return required("loan", Readers.object(Loan::new));
    }

    public LoanPaymentOptions paymentOptions() {
      return required("payment_options", Readers.object(LoanPaymentOptions::new));
    }

    public LoanSchedule schedule() {
      return required("schedule", Readers.object(LoanSchedule::new));
    }

    /** The part of each period in the figures of <code>payment_options</code>, which are the sums of these parts. */
    public List<PeriodParts> periods() {
      return required("periods", Readers.list(Readers.object(PeriodParts::new)));
    }

    /** What Receipts have settled by the day. */
    public Money paid() {
      return required("paid", Readers.object(Money::new));
    }

    /** The newest fifty by the day, newest first. */
    public List<ExplainedReceipt> receipts() {
      return required("receipts", Readers.list(Readers.object(ExplainedReceipt::new)));
    }

    /** The Receipts before those: with them <code>paid</code> is the sum of all. */
    public LoanExplanationEarlierReceipts earlierReceipts() {
      return required("earlier_receipts", Readers.object(LoanExplanationEarlierReceipts::new));
    }
  }

  public static final class PeriodParts extends JsonObject {
    public PeriodParts(Map<String, ?> members) {
      super(members);
    }

    public long index() {
      return required("index", Readers.NUMBER);
    }

    public long daysPastDue() {
      return required("days_past_due", Readers.NUMBER);
    }

    /** The day on which the period became late. */
    public Optional<LocalDate> lateSince() {
      return optional("late_since", Readers.DAY);
    }

    public Owed overdue() {
      return required("overdue", Readers.object(Owed::new));
    }

    public Owed late() {
      return required("late", Readers.object(Owed::new));
    }

    public Owed instalment() {
      return required("instalment", Readers.object(Owed::new));
    }

    public Owed payoff() {
      return required("payoff", Readers.object(Owed::new));
    }

    public PeriodPartsInterest interest() {
      return required("interest", Readers.object(PeriodPartsInterest::new));
    }

    /** Of a period that is past due and became late. */
    public Optional<PeriodPartsPenalty> penalty() {
      return optional("penalty", Readers.object(PeriodPartsPenalty::new));
    }
  }

  public static final class ExplainedReceipt extends JsonObject {
    public ExplainedReceipt(Map<String, ?> members) {
      super(members);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public LocalDate valueDate() {
      return required("value_date", Readers.DAY);
    }

    /** What it settled on this Loan. */
    public ReceiptLoan allocation() {
      return required("allocation", Readers.object(ReceiptLoan::new));
    }
  }

  public static final class Statement extends JsonObject {
    public Statement(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    /** The first day. */
    public LocalDate from() {
      return required("from", Readers.DAY);
    }

    /** The last day, included. */
    public LocalDate to() {
      return required("to", Readers.DAY);
    }

    /** Every Loan of the Client, oldest first. */
    public List<LoanStatement> loans() {
      return required("loans", Readers.list(Readers.object(LoanStatement::new)));
    }

    /** Amounts of different currencies are not added. */
    public List<StatementCurrencies> currencies() {
      return required("currencies", Readers.list(Readers.object(StatementCurrencies::new)));
    }
  }

  public static final class LoanStatement extends JsonObject {
    public LoanStatement(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public String currency() {
      return required("currency", Readers.TEXT);
    }

    /** The first day. */
    public LocalDate from() {
      return required("from", Readers.DAY);
    }

    /** The last day, included. */
    public LocalDate to() {
      return required("to", Readers.DAY);
    }

    /** Owed on the day before <code>from</code>. */
    public Money opening() {
      return required("opening", Readers.object(Money::new));
    }

    /** Charged from <code>from</code> to <code>to</code>, tax included. */
    public Money charged() {
      return required("charged", Readers.object(Money::new));
    }

    public Money received() {
      return required("received", Readers.object(Money::new));
    }

    /** Waived, forgiven or returned. */
    public Money released() {
      return required("released", Readers.object(Money::new));
    }

    public Money cededAway() {
      return required("ceded_away", Readers.object(Money::new));
    }

    /** Owed on <code>to</code>. */
    public Money closing() {
      return required("closing", Readers.object(Money::new));
    }

    public Money interestCharged() {
      return required("interest_charged", Readers.object(Money::new));
    }

    public Money commissionsCharged() {
      return required("commissions_charged", Readers.object(Money::new));
    }

    public Money penaltiesCharged() {
      return required("penalties_charged", Readers.object(Money::new));
    }

    public List<StatementLine> lines() {
      return required("lines", Readers.list(Readers.object(StatementLine::new)));
    }

    /** Empty if there are none. */
    public List<Anomaly> anomalies() {
      return required("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }
  }

  public static final class StatementLine extends JsonObject {
    public StatementLine(Map<String, ?> members) {
      super(members);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** One of <code>charged</code>, <code>moved</code>, <code>received</code>, <code>released</code>, <code>ceded</code>. */
    public String kind() {
      return required("kind", Readers.TEXT);
    }

    /** One of <code>principal</code>, <code>interest</code>, <code>fee</code>, <code>penalty</code>, <code>late_fee</code>. */
    public String charge() {
      return required("charge", Readers.TEXT);
    }

    /** Before tax. */
    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    public Money tax() {
      return required("tax", Readers.object(Money::new));
    }

    public Money total() {
      return required("total", Readers.object(Money::new));
    }

    /** Present on interest and penalty charged, which have one line per period. */
    public Optional<Long> period() {
      return optional("period", Readers.NUMBER);
    }

    /** The fact that caused it; absent if only time passed. */
    public Optional<FactName> fact() {
      return optional("fact", Readers.object(FactName::new));
    }
  }

  public static final class DuesPage extends JsonObject {
    public DuesPage(Map<String, ?> members) {
      super(members);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** In the order of <code>client_id</code>. A page may be short or empty and still have a cursor. */
    public List<ClientDues> clients() {
      return required("clients", Readers.list(Readers.object(ClientDues::new)));
    }

    public List<DuesPageTotals> totals() {
      return required("totals", Readers.list(Readers.object(DuesPageTotals::new)));
    }

    /** Whether the totals are of this page only. */
    public boolean pageTotals() {
      return required("page_totals", Readers.FLAG);
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class ClientDues extends JsonObject {
    public ClientDues(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public List<DueLoan> loans() {
      return required("loans", Readers.list(Readers.object(DueLoan::new)));
    }

    public List<ClientDuesTotals> totals() {
      return required("totals", Readers.list(Readers.object(ClientDuesTotals::new)));
    }

    /** Only if the Client's book cannot be computed from the recorded facts. Its figures are then unknown. */
    public Optional<List<Anomaly>> anomalies() {
      return optional("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }
  }

  public static final class DueLoan extends JsonObject {
    public DueLoan(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public Owed overdue() {
      return required("overdue", Readers.object(Owed::new));
    }

    /** Present if the Loan is late. */
    public Optional<Late> late() {
      return optional("late", Readers.object(Late::new));
    }

    /** The next one; absent after every period has fallen due or if the debt is fixed. */
    public Optional<Instalment> instalment() {
      return optional("instalment", Readers.object(Instalment::new));
    }
  }

  public static final class Client extends JsonObject {
    public Client(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public String tenantId() {
      return required("tenant_id", Readers.TEXT);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant createdAt() {
      return required("created_at", Readers.MOMENT);
    }

    /** Who registered the Client. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** Why. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }
  }

  public static final class ClientPage extends JsonObject {
    public ClientPage(Map<String, ?> members) {
      super(members);
    }

    /** Newest first. */
    public List<Client> clients() {
      return required("clients", Readers.list(Readers.object(Client::new)));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class BookVersion extends JsonObject {
    public BookVersion(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    /** The moment of the last recorded fact about the Client; absent if there is none. */
    public Optional<Instant> version() {
      return optional("version", Readers.MOMENT);
    }

    /** The number of recorded facts. */
    public long facts() {
      return required("facts", Readers.NUMBER);
    }
  }

  public static final class Obligations extends JsonObject {
    public Obligations(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    /** The whole balance owed to the Client. */
    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    /** Oldest first; the only member that is paged. */
    public List<String> receipts() {
      return required("receipts", Readers.list(Readers.TEXT));
    }

    /** Acts, oldest first. */
    public Optional<List<String>> returns() {
      return optional("returns", Readers.list(Readers.TEXT));
    }

    /** In the order of <code>returns</code>. */
    public Optional<List<ObligationsReturned>> returned() {
      return optional("returned", Readers.list(Readers.object(ObligationsReturned::new)));
    }

    /** Acts, oldest first. */
    public Optional<List<String>> rollovers() {
      return optional("rollovers", Readers.list(Readers.TEXT));
    }

    /** The Receipts that were allocated to an undone Loan before the act, oldest first. */
    public Optional<List<ObligationsUndone>> undone() {
      return optional("undone", Readers.list(Readers.object(ObligationsUndone::new)));
    }

    /** Settlements for less whose Receipts exceeded the agreed amount, oldest first. */
    public Optional<List<String>> settlements() {
      return optional("settlements", Readers.list(Readers.TEXT));
    }

    /** Only if there are balances in several currencies. */
    public Optional<List<ObligationsCurrencies>> currencies() {
      return optional("currencies", Readers.list(Readers.object(ObligationsCurrencies::new)));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  /** A Client's book as of one moment. */
  public static final class ClientBook extends JsonObject {
    public ClientBook(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public BookVersion bookVersion() {
      return required("book_version", Readers.object(BookVersion::new));
    }

    /** Oldest first. */
    public List<ClientBookLoans> loans() {
      return required("loans", Readers.list(Readers.object(ClientBookLoans::new)));
    }

    /** All Receipts, newest first. */
    public List<ReceiptRow> receipts() {
      return required("receipts", Readers.list(Readers.object(ReceiptRow::new)));
    }

    /** Complete, not paged. */
    public Obligations obligations() {
      return required("obligations", Readers.object(Obligations::new));
    }

    /** Newest first. */
    public List<FacilityDrawn> facilities() {
      return required("facilities", Readers.list(Readers.object(FacilityDrawn::new)));
    }

    /** The bar on the day. */
    public Bar bar() {
      return required("bar", Readers.object(Bar::new));
    }

    public List<Anomaly> anomalies() {
      return required("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }
  }

  public static final class BookChanges extends JsonObject {
    public BookChanges(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The number of facts in the earlier version. */
    public long fromFacts() {
      return required("from_facts", Readers.NUMBER);
    }

    /** The number of facts in the later version. */
    public long toFacts() {
      return required("to_facts", Readers.NUMBER);
    }

    public List<BookChangesChanges> changes() {
      return required("changes", Readers.list(Readers.object(BookChangesChanges::new)));
    }
  }

  public static final class Simulation extends JsonObject {
    public Simulation(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public String tenantId() {
      return required("tenant_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** One for each supposed fact, in the order sent. */
    public List<SimulationOutcomes> outcomes() {
      return required("outcomes", Readers.list(Readers.object(SimulationOutcomes::new)));
    }

    public ClientBook is() {
      return required("is", Readers.object(ClientBook::new));
    }

    public ClientBook wouldBe() {
      return required("would_be", Readers.object(ClientBook::new));
    }
  }

  public static final class Bar extends JsonObject {
    public Bar(Map<String, ?> members) {
      super(members);
    }

    /** Whether applications are refused under a policy that enforces bars. */
    public boolean barred() {
      return required("barred", Readers.FLAG);
    }

    /** The first day without a bar. */
    public Optional<LocalDate> liftsOn() {
      return optional("lifts_on", Readers.DAY);
    }

    /** The refusal whose moratorium ends last. */
    public Optional<String> decision() {
      return optional("decision", Readers.TEXT);
    }
  }

  public static final class Receipt extends JsonObject {
    public Receipt(Map<String, ?> members) {
      super(members);
    }

    public ReceiptRow receipt() {
      return required("receipt", Readers.object(ReceiptRow::new));
    }

    /** Zero if reversed. */
    public Money settled() {
      return required("settled", Readers.object(Money::new));
    }

    /** Empty if reversed. */
    public List<ReceiptLoan> loans() {
      return required("loans", Readers.list(Readers.object(ReceiptLoan::new)));
    }

    /** The part that was not allocated to any Loan. */
    public Money surplus() {
      return required("surplus", Readers.object(Money::new));
    }

    /** The part above the agreed amount of a settlement for less. */
    public Optional<Money> excess() {
      return optional("excess", Readers.object(Money::new));
    }

    /** Only if the report named a payoff quote. */
    public Optional<String> quoteId() {
      return optional("quote_id", Readers.TEXT);
    }

    /** Whether the quote's total was what discharged the Loan when this Receipt was allocated. */
    public Optional<Boolean> quotedFigureAgrees() {
      return optional("quoted_figure_agrees", Readers.FLAG);
    }

    /** Empty if there are none. */
    public List<Anomaly> anomalies() {
      return required("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }
  }

  public static final class ReceiptRow extends JsonObject {
    public ReceiptRow(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    public LocalDate valueDate() {
      return required("value_date", Readers.DAY);
    }

    /** Only if the report designated one. */
    public Optional<String> designatedLoanId() {
      return optional("designated_loan_id", Readers.TEXT);
    }

    /** As sent; false by default. */
    public boolean payoffIntent() {
      return required("payoff_intent", Readers.FLAG);
    }

    /**
     * As sent.
     * One of <code>bank_transfer</code>, <code>card</code>, <code>cash</code>, <code>direct_debit</code>, <code>wallet</code>, <code>payroll</code>, <code>internal</code>.
     */
    public Optional<String> rail() {
      return optional("rail", Readers.TEXT);
    }

    /** As sent. */
    public Optional<String> providerReference() {
      return optional("provider_reference", Readers.TEXT);
    }

    /** As sent. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant reportedAt() {
      return required("reported_at", Readers.MOMENT);
    }

    /** Whether a reversal took it back. */
    public boolean reversed() {
      return required("reversed", Readers.FLAG);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Optional<Instant> reversedAt() {
      return optional("reversed_at", Readers.MOMENT);
    }

    /** Only if reversed. */
    public Optional<ReceiptRowReversal> reversal() {
      return optional("reversal", Readers.object(ReceiptRowReversal::new));
    }
  }

  public static final class ReceiptLoan extends JsonObject {
    public ReceiptLoan(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public Owed settled() {
      return required("settled", Readers.object(Owed::new));
    }

    public List<ReceiptLoanLines> lines() {
      return required("lines", Readers.list(Readers.object(ReceiptLoanLines::new)));
    }

    /** The part that reduced principal before it was due. */
    public Optional<Money> earlyPrincipal() {
      return optional("early_principal", Readers.object(Money::new));
    }

    /** Whether the Loan owed nothing after this Receipt. */
    public boolean discharged() {
      return required("discharged", Readers.FLAG);
    }
  }

  public static final class ReceiptPage extends JsonObject {
    public ReceiptPage(Map<String, ?> members) {
      super(members);
    }

    /** Newest first, including reversed ones. */
    public List<ReceiptRow> receipts() {
      return required("receipts", Readers.list(Readers.object(ReceiptRow::new)));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class ReceiptBatchOutcomes extends JsonObject {
    public ReceiptBatchOutcomes(Map<String, ?> members) {
      super(members);
    }

    /** In the order of the batch. */
    public List<ReceiptBatchOutcome> outcomes() {
      return required("outcomes", Readers.list(Readers.object(ReceiptBatchOutcome::new)));
    }
  }

  public static final class ReceiptBatchOutcome extends JsonObject {
    public ReceiptBatchOutcome(Map<String, ?> members) {
      super(members);
    }

    /** As sent; absent if the item has no reference that is a string. */
    public Optional<String> reference() {
      return optional("reference", Readers.TEXT);
    }

    /** What <code>POST /receipts</code> would have answered. */
    public long status() {
      return required("status", Readers.NUMBER);
    }

    /** Only if the Receipt was recorded. */
    public Optional<Receipt> receipt() {
      return optional("receipt", Readers.object(Receipt::new));
    }

    /** Only if the Receipt was refused. */
    public Optional<String> code() {
      return optional("code", Readers.TEXT);
    }

    public Optional<String> error() {
      return optional("error", Readers.TEXT);
    }

    public Optional<String> retry() {
      return optional("retry", Readers.TEXT);
    }

    public Optional<Long> retryAfter() {
      return optional("retry_after", Readers.NUMBER);
    }

    public Optional<RefusalDetails> details() {
      return optional("details", Readers.object(RefusalDetails::new));
    }
  }

  public static final class InstalmentValues extends JsonObject {
    public InstalmentValues() {}

    public InstalmentValues(Map<String, ?> members) {
      super(members);
    }

    /** What one sale of the product is called. */
    public Optional<String> unit() {
      return optional("unit", Readers.TEXT);
    }

    /** What one sale of the product is called. */
    public InstalmentValues withUnit(String value) {
      return new InstalmentValues(with("unit", value));
    }

    /** The smallest principal. */
    public Money principalMin() {
      return required("principal_min", Readers.object(Money::new));
    }

    /** The smallest principal. */
    public InstalmentValues withPrincipalMin(Money value) {
      return new InstalmentValues(with("principal_min", value));
    }

    /** The largest principal. */
    public Money principalMax() {
      return required("principal_max", Readers.object(Money::new));
    }

    /** The largest principal. */
    public InstalmentValues withPrincipalMax(Money value) {
      return new InstalmentValues(with("principal_max", value));
    }

    /** The lowest contract rate. Per cent a year. */
    public String rateMin() {
      return required("rate_min", Readers.TEXT);
    }

    /** The lowest contract rate. Per cent a year. */
    public InstalmentValues withRateMin(String value) {
      return new InstalmentValues(with("rate_min", value));
    }

    /** The highest contract rate. Per cent a year. */
    public String rateMax() {
      return required("rate_max", Readers.TEXT);
    }

    /** The highest contract rate. Per cent a year. */
    public InstalmentValues withRateMax(String value) {
      return new InstalmentValues(with("rate_max", value));
    }

    /** The lowest penalty rate. Per cent a year. */
    public Optional<String> penaltyRateMin() {
      return optional("penalty_rate_min", Readers.TEXT);
    }

    /** The lowest penalty rate. Per cent a year. */
    public InstalmentValues withPenaltyRateMin(String value) {
      return new InstalmentValues(with("penalty_rate_min", value));
    }

    /** The highest penalty rate. Per cent a year. */
    public Optional<String> penaltyRateMax() {
      return optional("penalty_rate_max", Readers.TEXT);
    }

    /** The highest penalty rate. Per cent a year. */
    public InstalmentValues withPenaltyRateMax(String value) {
      return new InstalmentValues(with("penalty_rate_max", value));
    }

    /**
     * How days are converted to years.
     * One of <code>actual_360</code>, <code>actual_365</code>, <code>thirty_360</code>, <code>actual_actual</code>.
     */
    public Optional<String> dayCountBasis() {
      return optional("day_count_basis", Readers.TEXT);
    }

    /**
     * How days are converted to years.
     * One of <code>actual_360</code>, <code>actual_365</code>, <code>thirty_360</code>, <code>actual_actual</code>.
     */
    public InstalmentValues withDayCountBasis(String value) {
      return new InstalmentValues(with("day_count_basis", value));
    }

    /**
     * How the plan spreads the principal over the periods.
     * One of <code>level_payment</code>, <code>level_principal_and_interest</code>, <code>equal_principal</code>.
     */
    public Optional<String> amortisation() {
      return optional("amortisation", Readers.TEXT);
    }

    /**
     * How the plan spreads the principal over the periods.
     * One of <code>level_payment</code>, <code>level_principal_and_interest</code>, <code>equal_principal</code>.
     */
    public InstalmentValues withAmortisation(String value) {
      return new InstalmentValues(with("amortisation", value));
    }

    /** The numbers of periods offered. Ascending. */
    public List<Long> terms() {
      return required("terms", Readers.list(Readers.NUMBER));
    }

    /** The numbers of periods offered. Ascending. */
    public InstalmentValues withTerms(List<Long> value) {
      return new InstalmentValues(with("terms", value));
    }

    /** The schedule of every Loan. */
    public Optional<InstalmentValuesSchedule> schedule() {
      return optional("schedule", Readers.object(InstalmentValuesSchedule::new));
    }

    /** The schedule of every Loan. */
    public InstalmentValues withSchedule(InstalmentValuesSchedule value) {
      return new InstalmentValues(with("schedule", value));
    }

    /** A menu of schedules, of which a Loan must state one. None by default. */
    public Optional<List<Schedule>> schedules() {
      return optional("schedules", Readers.list(Readers.object(Schedule::new)));
    }

    /** A menu of schedules, of which a Loan must state one. None by default. */
    public InstalmentValues withSchedules(List<Schedule> value) {
      return new InstalmentValues(with("schedules", value));
    }

    /** Charged with the first period. Zero by default. */
    public Optional<Money> originationFee() {
      return optional("origination_fee", Readers.object(Money::new));
    }

    /** Charged with the first period. Zero by default. */
    public InstalmentValues withOriginationFee(Money value) {
      return new InstalmentValues(with("origination_fee", value));
    }

    /** Charged once for each period that becomes late. Zero by default. */
    public Optional<Money> lateFee() {
      return optional("late_fee", Readers.object(Money::new));
    }

    /** Charged once for each period that becomes late. Zero by default. */
    public InstalmentValues withLateFee(Money value) {
      return new InstalmentValues(with("late_fee", value));
    }

    /**
     * What money does that arrives before it is due.
     * One of <code>reduces_principal</code>, <code>shortens_term</code>, <code>settles_next</code>.
     */
    public Optional<String> earlyMoneyTreatment() {
      return optional("early_money_treatment", Readers.TEXT);
    }

    /**
     * What money does that arrives before it is due.
     * One of <code>reduces_principal</code>, <code>shortens_term</code>, <code>settles_next</code>.
     */
    public InstalmentValues withEarlyMoneyTreatment(String value) {
      return new InstalmentValues(with("early_money_treatment", value));
    }

    /** The order in which money settles the charges of a period. */
    public Optional<List<String>> chargeOrder() {
      return optional("charge_order", Readers.list(Readers.TEXT));
    }

    /** The order in which money settles the charges of a period. */
    public InstalmentValues withChargeOrder(List<String> value) {
      return new InstalmentValues(with("charge_order", value));
    }

    /** Days past due before a period becomes late. */
    public Optional<Long> toleranceDays() {
      return optional("tolerance_days", Readers.NUMBER);
    }

    /** Days past due before a period becomes late. */
    public InstalmentValues withToleranceDays(long value) {
      return new InstalmentValues(with("tolerance_days", value));
    }

    /** A remainder up to this amount makes no period late. Zero is no tolerance. None by default. */
    public Optional<Money> tolerance() {
      return optional("tolerance", Readers.object(Money::new));
    }

    /** A remainder up to this amount makes no period late. Zero is no tolerance. None by default. */
    public InstalmentValues withTolerance(Money value) {
      return new InstalmentValues(with("tolerance", value));
    }

    /**
     * The amount on which a penalty accrues. The market's rule by default.
     * One of <code>overdue_principal</code>, <code>overdue_instalment</code>.
     */
    public Optional<String> penaltyBase() {
      return optional("penalty_base", Readers.TEXT);
    }

    /**
     * The amount on which a penalty accrues. The market's rule by default.
     * One of <code>overdue_principal</code>, <code>overdue_instalment</code>.
     */
    public InstalmentValues withPenaltyBase(String value) {
      return new InstalmentValues(with("penalty_base", value));
    }

    /** The number of days after which a period bears no more penalty. The market's rule by default. */
    public Optional<Long> penaltyCeilingDays() {
      return optional("penalty_ceiling_days", Readers.NUMBER);
    }

    /** The number of days after which a period bears no more penalty. The market's rule by default. */
    public InstalmentValues withPenaltyCeilingDays(long value) {
      return new InstalmentValues(with("penalty_ceiling_days", value));
    }

    /** The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default. */
    public Optional<Long> penaltyCeilingBps() {
      return optional("penalty_ceiling_bps", Readers.NUMBER);
    }

    /** The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default. */
    public InstalmentValues withPenaltyCeilingBps(long value) {
      return new InstalmentValues(with("penalty_ceiling_bps", value));
    }

    /** When the whole balance may be called. The market's rule by default. */
    public Optional<InstalmentValuesAcceleration> acceleration() {
      return optional("acceleration", Readers.object(InstalmentValuesAcceleration::new));
    }

    /** When the whole balance may be called. The market's rule by default. */
    public InstalmentValues withAcceleration(InstalmentValuesAcceleration value) {
      return new InstalmentValues(with("acceleration", value));
    }

    /** The days in which the borrower may withdraw. The market's rule by default. */
    public Optional<Long> withdrawalDays() {
      return optional("withdrawal_days", Readers.NUMBER);
    }

    /** The days in which the borrower may withdraw. The market's rule by default. */
    public InstalmentValues withWithdrawalDays(long value) {
      return new InstalmentValues(with("withdrawal_days", value));
    }

    /** The longest hold. */
    public Optional<Long> holdDays() {
      return optional("hold_days", Readers.NUMBER);
    }

    /** The longest hold. */
    public InstalmentValues withHoldDays(long value) {
      return new InstalmentValues(with("hold_days", value));
    }

    /** How many open Loans a Client may have. None by default. */
    public Optional<Long> maxOpenLoansPerClient() {
      return optional("max_open_loans_per_client", Readers.NUMBER);
    }

    /** How many open Loans a Client may have. None by default. */
    public InstalmentValues withMaxOpenLoansPerClient(long value) {
      return new InstalmentValues(with("max_open_loans_per_client", value));
    }

    /** How much principal a Client may owe. None by default. */
    public Optional<Money> maxOutstandingPerClient() {
      return optional("max_outstanding_per_client", Readers.object(Money::new));
    }

    /** How much principal a Client may owe. None by default. */
    public InstalmentValues withMaxOutstandingPerClient(Money value) {
      return new InstalmentValues(with("max_outstanding_per_client", value));
    }

    /** Whether a new Loan is refused while any Loan of the Client is overdue. None by default. */
    public Optional<Boolean> refuseWhileAnyLoanOverdue() {
      return optional("refuse_while_any_loan_overdue", Readers.FLAG);
    }

    /** Whether a new Loan is refused while any Loan of the Client is overdue. None by default. */
    public InstalmentValues withRefuseWhileAnyLoanOverdue(boolean value) {
      return new InstalmentValues(with("refuse_while_any_loan_overdue", value));
    }
  }

  public static final class BnplValues extends JsonObject {
    public BnplValues() {}

    public BnplValues(Map<String, ?> members) {
      super(members);
    }

    /** What one sale of the product is called. */
    public Optional<String> unit() {
      return optional("unit", Readers.TEXT);
    }

    /** What one sale of the product is called. */
    public BnplValues withUnit(String value) {
      return new BnplValues(with("unit", value));
    }

    /** The smallest principal. */
    public Money principalMin() {
      return required("principal_min", Readers.object(Money::new));
    }

    /** The smallest principal. */
    public BnplValues withPrincipalMin(Money value) {
      return new BnplValues(with("principal_min", value));
    }

    /** The largest principal. */
    public Money principalMax() {
      return required("principal_max", Readers.object(Money::new));
    }

    /** The largest principal. */
    public BnplValues withPrincipalMax(Money value) {
      return new BnplValues(with("principal_max", value));
    }

    /** The lowest contract rate. Per cent a year. */
    public Optional<String> rateMin() {
      return optional("rate_min", Readers.TEXT);
    }

    /** The lowest contract rate. Per cent a year. */
    public BnplValues withRateMin(String value) {
      return new BnplValues(with("rate_min", value));
    }

    /** The highest contract rate. Per cent a year. */
    public Optional<String> rateMax() {
      return optional("rate_max", Readers.TEXT);
    }

    /** The highest contract rate. Per cent a year. */
    public BnplValues withRateMax(String value) {
      return new BnplValues(with("rate_max", value));
    }

    /** The lowest penalty rate. Per cent a year. */
    public Optional<String> penaltyRateMin() {
      return optional("penalty_rate_min", Readers.TEXT);
    }

    /** The lowest penalty rate. Per cent a year. */
    public BnplValues withPenaltyRateMin(String value) {
      return new BnplValues(with("penalty_rate_min", value));
    }

    /** The highest penalty rate. Per cent a year. */
    public Optional<String> penaltyRateMax() {
      return optional("penalty_rate_max", Readers.TEXT);
    }

    /** The highest penalty rate. Per cent a year. */
    public BnplValues withPenaltyRateMax(String value) {
      return new BnplValues(with("penalty_rate_max", value));
    }

    /**
     * How days are converted to years.
     * One of <code>actual_360</code>, <code>actual_365</code>, <code>thirty_360</code>, <code>actual_actual</code>.
     */
    public Optional<String> dayCountBasis() {
      return optional("day_count_basis", Readers.TEXT);
    }

    /**
     * How days are converted to years.
     * One of <code>actual_360</code>, <code>actual_365</code>, <code>thirty_360</code>, <code>actual_actual</code>.
     */
    public BnplValues withDayCountBasis(String value) {
      return new BnplValues(with("day_count_basis", value));
    }

    /**
     * How the plan spreads the principal over the periods.
     * One of <code>level_payment</code>, <code>level_principal_and_interest</code>, <code>equal_principal</code>.
     */
    public Optional<String> amortisation() {
      return optional("amortisation", Readers.TEXT);
    }

    /**
     * How the plan spreads the principal over the periods.
     * One of <code>level_payment</code>, <code>level_principal_and_interest</code>, <code>equal_principal</code>.
     */
    public BnplValues withAmortisation(String value) {
      return new BnplValues(with("amortisation", value));
    }

    /** The numbers of periods offered. Ascending. */
    public List<Long> terms() {
      return required("terms", Readers.list(Readers.NUMBER));
    }

    /** The numbers of periods offered. Ascending. */
    public BnplValues withTerms(List<Long> value) {
      return new BnplValues(with("terms", value));
    }

    /** The schedule of every Loan. */
    public Optional<BnplValuesSchedule> schedule() {
      return optional("schedule", Readers.object(BnplValuesSchedule::new));
    }

    /** The schedule of every Loan. */
    public BnplValues withSchedule(BnplValuesSchedule value) {
      return new BnplValues(with("schedule", value));
    }

    /** A menu of schedules, of which a Loan must state one. None by default. */
    public Optional<List<Schedule>> schedules() {
      return optional("schedules", Readers.list(Readers.object(Schedule::new)));
    }

    /** A menu of schedules, of which a Loan must state one. None by default. */
    public BnplValues withSchedules(List<Schedule> value) {
      return new BnplValues(with("schedules", value));
    }

    /** Charged with the first period. Zero by default. */
    public Optional<Money> originationFee() {
      return optional("origination_fee", Readers.object(Money::new));
    }

    /** Charged with the first period. Zero by default. */
    public BnplValues withOriginationFee(Money value) {
      return new BnplValues(with("origination_fee", value));
    }

    /** Charged once for each period that becomes late. Zero by default. */
    public Optional<Money> lateFee() {
      return optional("late_fee", Readers.object(Money::new));
    }

    /** Charged once for each period that becomes late. Zero by default. */
    public BnplValues withLateFee(Money value) {
      return new BnplValues(with("late_fee", value));
    }

    /** The smallest payment at purchase, in ten-thousandths of the principal. */
    public Optional<Long> downPaymentMinBps() {
      return optional("down_payment_min_bps", Readers.NUMBER);
    }

    /** The smallest payment at purchase, in ten-thousandths of the principal. */
    public BnplValues withDownPaymentMinBps(long value) {
      return new BnplValues(with("down_payment_min_bps", value));
    }

    /** The largest payment at purchase, in ten-thousandths of the principal. */
    public Optional<Long> downPaymentMaxBps() {
      return optional("down_payment_max_bps", Readers.NUMBER);
    }

    /** The largest payment at purchase, in ten-thousandths of the principal. */
    public BnplValues withDownPaymentMaxBps(long value) {
      return new BnplValues(with("down_payment_max_bps", value));
    }

    /**
     * What money does that arrives before it is due.
     * One of <code>reduces_principal</code>, <code>shortens_term</code>, <code>settles_next</code>.
     */
    public Optional<String> earlyMoneyTreatment() {
      return optional("early_money_treatment", Readers.TEXT);
    }

    /**
     * What money does that arrives before it is due.
     * One of <code>reduces_principal</code>, <code>shortens_term</code>, <code>settles_next</code>.
     */
    public BnplValues withEarlyMoneyTreatment(String value) {
      return new BnplValues(with("early_money_treatment", value));
    }

    /** The order in which money settles the charges of a period. */
    public Optional<List<String>> chargeOrder() {
      return optional("charge_order", Readers.list(Readers.TEXT));
    }

    /** The order in which money settles the charges of a period. */
    public BnplValues withChargeOrder(List<String> value) {
      return new BnplValues(with("charge_order", value));
    }

    /** Days past due before a period becomes late. */
    public Optional<Long> toleranceDays() {
      return optional("tolerance_days", Readers.NUMBER);
    }

    /** Days past due before a period becomes late. */
    public BnplValues withToleranceDays(long value) {
      return new BnplValues(with("tolerance_days", value));
    }

    /** A remainder up to this amount makes no period late. Zero is no tolerance. None by default. */
    public Optional<Money> tolerance() {
      return optional("tolerance", Readers.object(Money::new));
    }

    /** A remainder up to this amount makes no period late. Zero is no tolerance. None by default. */
    public BnplValues withTolerance(Money value) {
      return new BnplValues(with("tolerance", value));
    }

    /**
     * The amount on which a penalty accrues. The market's rule by default.
     * One of <code>overdue_principal</code>, <code>overdue_instalment</code>.
     */
    public Optional<String> penaltyBase() {
      return optional("penalty_base", Readers.TEXT);
    }

    /**
     * The amount on which a penalty accrues. The market's rule by default.
     * One of <code>overdue_principal</code>, <code>overdue_instalment</code>.
     */
    public BnplValues withPenaltyBase(String value) {
      return new BnplValues(with("penalty_base", value));
    }

    /** The number of days after which a period bears no more penalty. The market's rule by default. */
    public Optional<Long> penaltyCeilingDays() {
      return optional("penalty_ceiling_days", Readers.NUMBER);
    }

    /** The number of days after which a period bears no more penalty. The market's rule by default. */
    public BnplValues withPenaltyCeilingDays(long value) {
      return new BnplValues(with("penalty_ceiling_days", value));
    }

    /** The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default. */
    public Optional<Long> penaltyCeilingBps() {
      return optional("penalty_ceiling_bps", Readers.NUMBER);
    }

    /** The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default. */
    public BnplValues withPenaltyCeilingBps(long value) {
      return new BnplValues(with("penalty_ceiling_bps", value));
    }

    /** When the whole balance may be called. The market's rule by default. */
    public Optional<InstalmentValuesAcceleration> acceleration() {
      return optional("acceleration", Readers.object(InstalmentValuesAcceleration::new));
    }

    /** When the whole balance may be called. The market's rule by default. */
    public BnplValues withAcceleration(InstalmentValuesAcceleration value) {
      return new BnplValues(with("acceleration", value));
    }

    /** The days in which the borrower may withdraw. The market's rule by default. */
    public Optional<Long> withdrawalDays() {
      return optional("withdrawal_days", Readers.NUMBER);
    }

    /** The days in which the borrower may withdraw. The market's rule by default. */
    public BnplValues withWithdrawalDays(long value) {
      return new BnplValues(with("withdrawal_days", value));
    }

    /** The longest hold. */
    public Optional<Long> holdDays() {
      return optional("hold_days", Readers.NUMBER);
    }

    /** The longest hold. */
    public BnplValues withHoldDays(long value) {
      return new BnplValues(with("hold_days", value));
    }

    /** How many open Loans a Client may have. None by default. */
    public Optional<Long> maxOpenLoansPerClient() {
      return optional("max_open_loans_per_client", Readers.NUMBER);
    }

    /** How many open Loans a Client may have. None by default. */
    public BnplValues withMaxOpenLoansPerClient(long value) {
      return new BnplValues(with("max_open_loans_per_client", value));
    }

    /** How much principal a Client may owe. None by default. */
    public Optional<Money> maxOutstandingPerClient() {
      return optional("max_outstanding_per_client", Readers.object(Money::new));
    }

    /** How much principal a Client may owe. None by default. */
    public BnplValues withMaxOutstandingPerClient(Money value) {
      return new BnplValues(with("max_outstanding_per_client", value));
    }

    /** Whether a new Loan is refused while any Loan of the Client is overdue. None by default. */
    public Optional<Boolean> refuseWhileAnyLoanOverdue() {
      return optional("refuse_while_any_loan_overdue", Readers.FLAG);
    }

    /** Whether a new Loan is refused while any Loan of the Client is overdue. None by default. */
    public BnplValues withRefuseWhileAnyLoanOverdue(boolean value) {
      return new BnplValues(with("refuse_while_any_loan_overdue", value));
    }
  }

  public static final class PaydayValues extends JsonObject {
    public PaydayValues() {}

    public PaydayValues(Map<String, ?> members) {
      super(members);
    }

    /** What one sale of the product is called. */
    public Optional<String> unit() {
      return optional("unit", Readers.TEXT);
    }

    /** What one sale of the product is called. */
    public PaydayValues withUnit(String value) {
      return new PaydayValues(with("unit", value));
    }

    /** The smallest principal. */
    public Money principalMin() {
      return required("principal_min", Readers.object(Money::new));
    }

    /** The smallest principal. */
    public PaydayValues withPrincipalMin(Money value) {
      return new PaydayValues(with("principal_min", value));
    }

    /** The largest principal. */
    public Money principalMax() {
      return required("principal_max", Readers.object(Money::new));
    }

    /** The largest principal. */
    public PaydayValues withPrincipalMax(Money value) {
      return new PaydayValues(with("principal_max", value));
    }

    /** The lowest contract rate. Per cent a year. */
    public String rateMin() {
      return required("rate_min", Readers.TEXT);
    }

    /** The lowest contract rate. Per cent a year. */
    public PaydayValues withRateMin(String value) {
      return new PaydayValues(with("rate_min", value));
    }

    /** The highest contract rate. Per cent a year. */
    public String rateMax() {
      return required("rate_max", Readers.TEXT);
    }

    /** The highest contract rate. Per cent a year. */
    public PaydayValues withRateMax(String value) {
      return new PaydayValues(with("rate_max", value));
    }

    /** The lowest penalty rate. Per cent a year. */
    public Optional<String> penaltyRateMin() {
      return optional("penalty_rate_min", Readers.TEXT);
    }

    /** The lowest penalty rate. Per cent a year. */
    public PaydayValues withPenaltyRateMin(String value) {
      return new PaydayValues(with("penalty_rate_min", value));
    }

    /** The highest penalty rate. Per cent a year. */
    public Optional<String> penaltyRateMax() {
      return optional("penalty_rate_max", Readers.TEXT);
    }

    /** The highest penalty rate. Per cent a year. */
    public PaydayValues withPenaltyRateMax(String value) {
      return new PaydayValues(with("penalty_rate_max", value));
    }

    /**
     * How days are converted to years.
     * One of <code>actual_360</code>, <code>actual_365</code>, <code>thirty_360</code>, <code>actual_actual</code>.
     */
    public Optional<String> dayCountBasis() {
      return optional("day_count_basis", Readers.TEXT);
    }

    /**
     * How days are converted to years.
     * One of <code>actual_360</code>, <code>actual_365</code>, <code>thirty_360</code>, <code>actual_actual</code>.
     */
    public PaydayValues withDayCountBasis(String value) {
      return new PaydayValues(with("day_count_basis", value));
    }

    /** The schedule of every Loan. */
    public Optional<PaydayValuesSchedule> schedule() {
      return optional("schedule", Readers.object(PaydayValuesSchedule::new));
    }

    /** The schedule of every Loan. */
    public PaydayValues withSchedule(PaydayValuesSchedule value) {
      return new PaydayValues(with("schedule", value));
    }

    /** A menu of schedules, of which a Loan must state one. None by default. */
    public Optional<List<Schedule>> schedules() {
      return optional("schedules", Readers.list(Readers.object(Schedule::new)));
    }

    /** A menu of schedules, of which a Loan must state one. None by default. */
    public PaydayValues withSchedules(List<Schedule> value) {
      return new PaydayValues(with("schedules", value));
    }

    /** Charged with the first period. Zero by default. */
    public Optional<Money> originationFee() {
      return optional("origination_fee", Readers.object(Money::new));
    }

    /** Charged with the first period. Zero by default. */
    public PaydayValues withOriginationFee(Money value) {
      return new PaydayValues(with("origination_fee", value));
    }

    /** Charged once for each period that becomes late. Zero by default. */
    public Optional<Money> lateFee() {
      return optional("late_fee", Readers.object(Money::new));
    }

    /** Charged once for each period that becomes late. Zero by default. */
    public PaydayValues withLateFee(Money value) {
      return new PaydayValues(with("late_fee", value));
    }

    /** Charged with the period that a rollover opens. Zero by default. */
    public Optional<Money> rolloverFee() {
      return optional("rollover_fee", Readers.object(Money::new));
    }

    /** Charged with the period that a rollover opens. Zero by default. */
    public PaydayValues withRolloverFee(Money value) {
      return new PaydayValues(with("rollover_fee", value));
    }

    /**
     * What money does that arrives before it is due.
     * One of <code>reduces_principal</code>, <code>shortens_term</code>, <code>settles_next</code>.
     */
    public Optional<String> earlyMoneyTreatment() {
      return optional("early_money_treatment", Readers.TEXT);
    }

    /**
     * What money does that arrives before it is due.
     * One of <code>reduces_principal</code>, <code>shortens_term</code>, <code>settles_next</code>.
     */
    public PaydayValues withEarlyMoneyTreatment(String value) {
      return new PaydayValues(with("early_money_treatment", value));
    }

    /** The order in which money settles the charges of a period. */
    public Optional<List<String>> chargeOrder() {
      return optional("charge_order", Readers.list(Readers.TEXT));
    }

    /** The order in which money settles the charges of a period. */
    public PaydayValues withChargeOrder(List<String> value) {
      return new PaydayValues(with("charge_order", value));
    }

    /** Days past due before a period becomes late. */
    public Optional<Long> toleranceDays() {
      return optional("tolerance_days", Readers.NUMBER);
    }

    /** Days past due before a period becomes late. */
    public PaydayValues withToleranceDays(long value) {
      return new PaydayValues(with("tolerance_days", value));
    }

    /** A remainder up to this amount makes no period late. Zero is no tolerance. None by default. */
    public Optional<Money> tolerance() {
      return optional("tolerance", Readers.object(Money::new));
    }

    /** A remainder up to this amount makes no period late. Zero is no tolerance. None by default. */
    public PaydayValues withTolerance(Money value) {
      return new PaydayValues(with("tolerance", value));
    }

    /**
     * The amount on which a penalty accrues. The market's rule by default.
     * One of <code>overdue_principal</code>, <code>overdue_instalment</code>.
     */
    public Optional<String> penaltyBase() {
      return optional("penalty_base", Readers.TEXT);
    }

    /**
     * The amount on which a penalty accrues. The market's rule by default.
     * One of <code>overdue_principal</code>, <code>overdue_instalment</code>.
     */
    public PaydayValues withPenaltyBase(String value) {
      return new PaydayValues(with("penalty_base", value));
    }

    /** The number of days after which a period bears no more penalty. The market's rule by default. */
    public Optional<Long> penaltyCeilingDays() {
      return optional("penalty_ceiling_days", Readers.NUMBER);
    }

    /** The number of days after which a period bears no more penalty. The market's rule by default. */
    public PaydayValues withPenaltyCeilingDays(long value) {
      return new PaydayValues(with("penalty_ceiling_days", value));
    }

    /** The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default. */
    public Optional<Long> penaltyCeilingBps() {
      return optional("penalty_ceiling_bps", Readers.NUMBER);
    }

    /** The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default. */
    public PaydayValues withPenaltyCeilingBps(long value) {
      return new PaydayValues(with("penalty_ceiling_bps", value));
    }

    /** When the whole balance may be called. The market's rule by default. */
    public Optional<InstalmentValuesAcceleration> acceleration() {
      return optional("acceleration", Readers.object(InstalmentValuesAcceleration::new));
    }

    /** When the whole balance may be called. The market's rule by default. */
    public PaydayValues withAcceleration(InstalmentValuesAcceleration value) {
      return new PaydayValues(with("acceleration", value));
    }

    /** How often a Loan may be rolled over. */
    public Optional<Long> maxRollovers() {
      return optional("max_rollovers", Readers.NUMBER);
    }

    /** How often a Loan may be rolled over. */
    public PaydayValues withMaxRollovers(long value) {
      return new PaydayValues(with("max_rollovers", value));
    }

    /** The days in which the borrower may withdraw. The market's rule by default. */
    public Optional<Long> withdrawalDays() {
      return optional("withdrawal_days", Readers.NUMBER);
    }

    /** The days in which the borrower may withdraw. The market's rule by default. */
    public PaydayValues withWithdrawalDays(long value) {
      return new PaydayValues(with("withdrawal_days", value));
    }

    /** The longest hold. */
    public Optional<Long> holdDays() {
      return optional("hold_days", Readers.NUMBER);
    }

    /** The longest hold. */
    public PaydayValues withHoldDays(long value) {
      return new PaydayValues(with("hold_days", value));
    }

    /** How many open Loans a Client may have. None by default. */
    public Optional<Long> maxOpenLoansPerClient() {
      return optional("max_open_loans_per_client", Readers.NUMBER);
    }

    /** How many open Loans a Client may have. None by default. */
    public PaydayValues withMaxOpenLoansPerClient(long value) {
      return new PaydayValues(with("max_open_loans_per_client", value));
    }

    /** How much principal a Client may owe. None by default. */
    public Optional<Money> maxOutstandingPerClient() {
      return optional("max_outstanding_per_client", Readers.object(Money::new));
    }

    /** How much principal a Client may owe. None by default. */
    public PaydayValues withMaxOutstandingPerClient(Money value) {
      return new PaydayValues(with("max_outstanding_per_client", value));
    }

    /** Whether a new Loan is refused while any Loan of the Client is overdue. None by default. */
    public Optional<Boolean> refuseWhileAnyLoanOverdue() {
      return optional("refuse_while_any_loan_overdue", Readers.FLAG);
    }

    /** Whether a new Loan is refused while any Loan of the Client is overdue. None by default. */
    public PaydayValues withRefuseWhileAnyLoanOverdue(boolean value) {
      return new PaydayValues(with("refuse_while_any_loan_overdue", value));
    }
  }

  /** The value of every field of the frame. A field that is absent by default has no value. */
  public static final class EffectiveValues extends JsonObject {
    public EffectiveValues(Map<String, ?> members) {
      super(members);
    }

    public EffectiveValuesUnit unit() {
      return required("unit", Readers.object(EffectiveValuesUnit::new));
    }

    public EffectiveValuesPrincipalMin principalMin() {
      return required("principal_min", Readers.object(EffectiveValuesPrincipalMin::new));
    }

    public EffectiveValuesPrincipalMin principalMax() {
      return required("principal_max", Readers.object(EffectiveValuesPrincipalMin::new));
    }

    public EffectiveValuesRateMin rateMin() {
      return required("rate_min", Readers.object(EffectiveValuesRateMin::new));
    }

    public EffectiveValuesRateMin rateMax() {
      return required("rate_max", Readers.object(EffectiveValuesRateMin::new));
    }

    public EffectiveValuesRateMin penaltyRateMin() {
      return required("penalty_rate_min", Readers.object(EffectiveValuesRateMin::new));
    }

    public EffectiveValuesRateMin penaltyRateMax() {
      return required("penalty_rate_max", Readers.object(EffectiveValuesRateMin::new));
    }

    public EffectiveValuesDayCountBasis dayCountBasis() {
      return required("day_count_basis", Readers.object(EffectiveValuesDayCountBasis::new));
    }

    public EffectiveValuesAmortisation amortisation() {
      return required("amortisation", Readers.object(EffectiveValuesAmortisation::new));
    }

    public EffectiveValuesTerms terms() {
      return required("terms", Readers.object(EffectiveValuesTerms::new));
    }

    public EffectiveValuesSchedule schedule() {
      return required("schedule", Readers.object(EffectiveValuesSchedule::new));
    }

    public EffectiveValuesSchedules schedules() {
      return required("schedules", Readers.object(EffectiveValuesSchedules::new));
    }

    public EffectiveValuesOriginationFee originationFee() {
      return required("origination_fee", Readers.object(EffectiveValuesOriginationFee::new));
    }

    public EffectiveValuesOriginationFee lateFee() {
      return required("late_fee", Readers.object(EffectiveValuesOriginationFee::new));
    }

    public EffectiveValuesOriginationFee rolloverFee() {
      return required("rollover_fee", Readers.object(EffectiveValuesOriginationFee::new));
    }

    public EffectiveValuesDownPaymentMinBps downPaymentMinBps() {
      return required("down_payment_min_bps", Readers.object(EffectiveValuesDownPaymentMinBps::new));
    }

    public EffectiveValuesDownPaymentMinBps downPaymentMaxBps() {
      return required("down_payment_max_bps", Readers.object(EffectiveValuesDownPaymentMinBps::new));
    }

    public EffectiveValuesEarlyMoneyTreatment earlyMoneyTreatment() {
      return required("early_money_treatment", Readers.object(EffectiveValuesEarlyMoneyTreatment::new));
    }

    public EffectiveValuesChargeOrder chargeOrder() {
      return required("charge_order", Readers.object(EffectiveValuesChargeOrder::new));
    }

    public EffectiveValuesToleranceDays toleranceDays() {
      return required("tolerance_days", Readers.object(EffectiveValuesToleranceDays::new));
    }

    public EffectiveValuesOriginationFee tolerance() {
      return required("tolerance", Readers.object(EffectiveValuesOriginationFee::new));
    }

    public EffectiveValuesPenaltyBase penaltyBase() {
      return required("penalty_base", Readers.object(EffectiveValuesPenaltyBase::new));
    }

    public EffectiveValuesPenaltyCeilingDays penaltyCeilingDays() {
      return required("penalty_ceiling_days", Readers.object(EffectiveValuesPenaltyCeilingDays::new));
    }

    public EffectiveValuesPenaltyCeilingDays penaltyCeilingBps() {
      return required("penalty_ceiling_bps", Readers.object(EffectiveValuesPenaltyCeilingDays::new));
    }

    public EffectiveValuesAcceleration acceleration() {
      return required("acceleration", Readers.object(EffectiveValuesAcceleration::new));
    }

    public EffectiveValuesMaxRollovers maxRollovers() {
      return required("max_rollovers", Readers.object(EffectiveValuesMaxRollovers::new));
    }

    public EffectiveValuesWithdrawalDays withdrawalDays() {
      return required("withdrawal_days", Readers.object(EffectiveValuesWithdrawalDays::new));
    }

    public EffectiveValuesToleranceDays holdDays() {
      return required("hold_days", Readers.object(EffectiveValuesToleranceDays::new));
    }

    public EffectiveValuesPenaltyCeilingDays maxOpenLoansPerClient() {
      return required("max_open_loans_per_client", Readers.object(EffectiveValuesPenaltyCeilingDays::new));
    }

    public EffectiveValuesPrincipalMin maxOutstandingPerClient() {
      return required("max_outstanding_per_client", Readers.object(EffectiveValuesPrincipalMin::new));
    }

    public EffectiveValuesRefuseWhileAnyLoanOverdue refuseWhileAnyLoanOverdue() {
      return required("refuse_while_any_loan_overdue", Readers.object(EffectiveValuesRefuseWhileAnyLoanOverdue::new));
    }
  }

  public static final class ProductConfiguration extends JsonObject {
    public ProductConfiguration(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String tenantId() {
      return required("tenant_id", Readers.TEXT);
    }

    /** When this version was recorded. */
    public Instant createdAt() {
      return required("created_at", Readers.MOMENT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }

    /** One of <code>instalment</code>, <code>bnpl</code>, <code>payday</code>. */
    public String archetype() {
      return required("archetype", Readers.TEXT);
    }

    /** As sent. */
    public JsonObject values() {
      return required("values", Readers.OBJECT);
    }

    public EffectiveValues effective() {
      return required("effective", Readers.object(EffectiveValues::new));
    }

    public List<Advisories2> advisories() {
      return required("advisories", Readers.list(Readers.object(Advisories2::new)));
    }
  }

  public static final class ConfigurationVersion extends JsonObject {
    public ConfigurationVersion(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String tenantId() {
      return required("tenant_id", Readers.TEXT);
    }

    /** When this version was recorded. */
    public Instant createdAt() {
      return required("created_at", Readers.MOMENT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }

    /** One of <code>instalment</code>, <code>bnpl</code>, <code>payday</code>. */
    public String archetype() {
      return required("archetype", Readers.TEXT);
    }

    /** As sent. */
    public JsonObject values() {
      return required("values", Readers.OBJECT);
    }
  }

  public static final class ConfigurationPreview extends JsonObject {
    public ConfigurationPreview(Map<String, ?> members) {
      super(members);
    }

    /** The identifier that creation would give. It is not reserved. */
    public String id() {
      return required("id", Readers.TEXT);
    }

    /** One of <code>instalment</code>, <code>bnpl</code>, <code>payday</code>. */
    public String archetype() {
      return required("archetype", Readers.TEXT);
    }

    /** As sent. */
    public JsonObject values() {
      return required("values", Readers.OBJECT);
    }

    public EffectiveValues effective() {
      return required("effective", Readers.object(EffectiveValues::new));
    }

    public List<Advisories2> advisories() {
      return required("advisories", Readers.list(Readers.object(Advisories2::new)));
    }
  }

  public static final class ConfigurationPage extends JsonObject {
    public ConfigurationPage(Map<String, ?> members) {
      super(members);
    }

    /** The latest version of each, newest first. */
    public List<ProductConfiguration> configurations() {
      return required("configurations", Readers.list(Readers.object(ProductConfiguration::new)));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class ConfigurationVersionPage extends JsonObject {
    public ConfigurationVersionPage(Map<String, ?> members) {
      super(members);
    }

    /** Oldest first. */
    public List<ProductConfiguration> versions() {
      return required("versions", Readers.list(Readers.object(ProductConfiguration::new)));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class LookupKey extends JsonObject {
    public LookupKey(Map<String, ?> members) {
      super(members);
    }

    public String lookupKey() {
      return required("lookup_key", Readers.TEXT);
    }

    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    public long configurationVersion() {
      return required("configuration_version", Readers.NUMBER);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant pointedAt() {
      return required("pointed_at", Readers.MOMENT);
    }

    /** The latest version of that configuration. */
    public long latestVersion() {
      return required("latest_version", Readers.NUMBER);
    }

    public ConfigurationVersion version() {
      return required("version", Readers.object(ConfigurationVersion::new));
    }
  }

  public static final class LookupKeyList extends JsonObject {
    public LookupKeyList(Map<String, ?> members) {
      super(members);
    }

    /** In the order of the keys. Not paged. */
    public List<LookupKeyListLookupKeys> lookupKeys() {
      return required("lookup_keys", Readers.list(Readers.object(LookupKeyListLookupKeys::new)));
    }
  }

  public static final class Rehearsal extends JsonObject {
    public Rehearsal(Map<String, ?> members) {
      super(members);
    }

    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The number of Loans examined for this page. */
    public long examined() {
      return required("examined", Readers.NUMBER);
    }

    /** The Loans that would change or whose figures are unknown, newest first. A page may be short or empty and still have a cursor. */
    public List<RehearseItem> loans() {
      return required("loans", Readers.list(Readers.object(RehearseItem::new)));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class Decision extends JsonObject {
    public Decision(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public String policy() {
      return required("policy", Readers.TEXT);
    }

    public long policyVersion() {
      return required("policy_version", Readers.NUMBER);
    }

    /** SHA-256 of the canonical form of the deciding content. */
    public String policyDigest() {
      return required("policy_digest", Readers.TEXT);
    }

    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    public long configurationVersion() {
      return required("configuration_version", Readers.NUMBER);
    }

    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    /** The day of the application. */
    public LocalDate submittedOn() {
      return required("submitted_on", Readers.DAY);
    }

    /** The sum of the points. */
    public long score() {
      return required("score", Readers.NUMBER);
    }

    /** One of <code>approve</code>, <code>refuse</code>, <code>refer</code>, <code>not_offered</code>. */
    public String outcome() {
      return required("outcome", Readers.TEXT);
    }

    /** Absent if a knockout decided the outcome. */
    public Optional<String> band() {
      return optional("band", Readers.TEXT);
    }

    /** On an approval: the numbers of periods offered. */
    public Optional<List<Long>> terms() {
      return optional("terms", Readers.list(Readers.NUMBER));
    }

    /** On an approval. */
    public Optional<QuotedRate> rate() {
      return optional("rate", Readers.object(QuotedRate::new));
    }

    /** On an approval. */
    public Optional<Money> principalMax() {
      return optional("principal_max", Readers.object(Money::new));
    }

    /** On a limit decision. */
    public Optional<Money> ceiling() {
      return optional("ceiling", Readers.object(Money::new));
    }

    /** On a limit decision: whether the requested principal is above the ceiling. */
    public Optional<Boolean> overCeiling() {
      return optional("over_ceiling", Readers.FLAG);
    }

    /** On a refusal: for how many days it bars the Client. */
    public Optional<Long> moratoriumDays() {
      return optional("moratorium_days", Readers.NUMBER);
    }

    public DecisionTrace trace() {
      return required("trace", Readers.object(DecisionTrace::new));
    }

    /** As sent. */
    public List<String> sources() {
      return required("sources", Readers.list(Readers.TEXT));
    }

    /** True if the adopted version decided, false for a trial. */
    public boolean binding() {
      return required("binding", Readers.FLAG);
    }

    /** Whether the person who published the version had drafted it. */
    public boolean selfConfirmedVersion() {
      return required("self_confirmed_version", Readers.FLAG);
    }

    /** The zone in which the day of the Decision was found. */
    public String timeZone() {
      return required("time_zone", Readers.TEXT);
    }

    /** The day from which a bar of this Decision counts. */
    public LocalDate boundFrom() {
      return required("bound_from", Readers.DAY);
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The reason. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** As sent. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant decidedAt() {
      return required("decided_at", Readers.MOMENT);
    }
  }

  public static final class DecisionPage extends JsonObject {
    public DecisionPage(Map<String, ?> members) {
      super(members);
    }

    /** Newest first. */
    public List<Decision> decisions() {
      return required("decisions", Readers.list(Readers.object(Decision::new)));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class DecisionTrace extends JsonObject {
    public DecisionTrace(Map<String, ?> members) {
      super(members);
    }

    /** In the order of the policy. The first that fired decided the outcome. */
    public List<DecisionTraceKnockouts> knockouts() {
      return required("knockouts", Readers.list(Readers.object(DecisionTraceKnockouts::new)));
    }

    public List<DecisionTraceScorecard> scorecard() {
      return required("scorecard", Readers.list(Readers.object(DecisionTraceScorecard::new)));
    }
  }

  /** A yearly rate as a fraction of one. */
  public static final class QuotedRate extends JsonObject {
    public QuotedRate(Map<String, ?> members) {
      super(members);
    }

    public long numerator() {
      return required("numerator", Readers.NUMBER);
    }

    public long denominator() {
      return required("denominator", Readers.NUMBER);
    }

    public String quotation() {
      return required("quotation", Readers.TEXT);
    }

    /** The exact decimal in per cent. Only a draft in a trial may lack one. */
    public Optional<String> percent() {
      return optional("percent", Readers.TEXT);
    }
  }

  public static final class Resolution extends JsonObject {
    public Resolution(Map<String, ?> members) {
      super(members);
    }

    public String decisionId() {
      return required("decision_id", Readers.TEXT);
    }

    /** One of <code>approve</code>, <code>refuse</code>. */
    public String outcome() {
      return required("outcome", Readers.TEXT);
    }

    /** On an approval: the numbers of periods offered. */
    public Optional<List<Long>> terms() {
      return optional("terms", Readers.list(Readers.NUMBER));
    }

    /** On an approval. */
    public Optional<QuotedRate> rate() {
      return optional("rate", Readers.object(QuotedRate::new));
    }

    /** On an approval. */
    public Optional<Money> principalMax() {
      return optional("principal_max", Readers.object(Money::new));
    }

    /** On a refusal: for how many days it bars the Client. */
    public Optional<Long> moratoriumDays() {
      return optional("moratorium_days", Readers.NUMBER);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The reason. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** As sent. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant recordedAt() {
      return required("recorded_at", Readers.MOMENT);
    }
  }

  public static final class Facility extends JsonObject {
    public Facility(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    /** The configuration version of the Decision. */
    public long decidedVersion() {
      return required("decided_version", Readers.NUMBER);
    }

    /** The approving Decision. */
    public String decisionId() {
      return required("decision_id", Readers.TEXT);
    }

    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    public QuotedRate rate() {
      return required("rate", Readers.object(QuotedRate::new));
    }

    /** The numbers of periods of Loans under the facility. */
    public List<Long> terms() {
      return required("terms", Readers.list(Readers.NUMBER));
    }

    /** The first day on which it may be drawn. */
    public LocalDate opensOn() {
      return required("opens_on", Readers.DAY);
    }

    /** The last day on which it may be drawn. */
    public LocalDate expiresOn() {
      return required("expires_on", Readers.DAY);
    }

    /** Whether repayment makes the amount available again. */
    public boolean line() {
      return required("line", Readers.FLAG);
    }

    /** The line that this one replaced. */
    public Optional<String> supersedes() {
      return optional("supersedes", Readers.TEXT);
    }

    /** The line that replaced this one. */
    public Optional<String> supersededBy() {
      return optional("superseded_by", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The reason. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** As sent. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant createdAt() {
      return required("created_at", Readers.MOMENT);
    }
  }

  public static final class FacilityDrawn extends JsonObject {
    public FacilityDrawn(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    /** The configuration version of the Decision. */
    public long decidedVersion() {
      return required("decided_version", Readers.NUMBER);
    }

    /** The approving Decision. */
    public String decisionId() {
      return required("decision_id", Readers.TEXT);
    }

    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    public QuotedRate rate() {
      return required("rate", Readers.object(QuotedRate::new));
    }

    /** The numbers of periods of Loans under the facility. */
    public List<Long> terms() {
      return required("terms", Readers.list(Readers.NUMBER));
    }

    /** The first day on which it may be drawn. */
    public LocalDate opensOn() {
      return required("opens_on", Readers.DAY);
    }

    /** The last day on which it may be drawn. */
    public LocalDate expiresOn() {
      return required("expires_on", Readers.DAY);
    }

    /** Whether repayment makes the amount available again. */
    public boolean line() {
      return required("line", Readers.FLAG);
    }

    /** The line that this one replaced. */
    public Optional<String> supersedes() {
      return optional("supersedes", Readers.TEXT);
    }

    /** The line that replaced this one. */
    public Optional<String> supersededBy() {
      return optional("superseded_by", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The reason. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** As sent. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant createdAt() {
      return required("created_at", Readers.MOMENT);
    }

    /** What Loans have drawn of the amount. */
    public Money drawn() {
      return required("drawn", Readers.object(Money::new));
    }

    /** The amount that may still be drawn. Negative if more is drawn than the amount. */
    public Money headroom() {
      return required("headroom", Readers.object(Money::new));
    }
  }

  public static final class FacilityList extends JsonObject {
    public FacilityList(Map<String, ?> members) {
      super(members);
    }

    /** Newest first; not paged. */
    public List<Facility> facilities() {
      return required("facilities", Readers.list(Readers.object(Facility::new)));
    }
  }

  public static final class Policy extends JsonObject {
    public Policy(Map<String, ?> members) {
      super(members);
    }

    public String policy() {
      return required("policy", Readers.TEXT);
    }

    /** The number of the newest version, published or not. */
    public long latestVersion() {
      return required("latest_version", Readers.NUMBER);
    }

    /** Absent until a version is published. */
    public Optional<Long> latestPublished() {
      return optional("latest_published", Readers.NUMBER);
    }

    /** The products that use the policy, by identifier. */
    public List<PolicyAdoption> adoptions() {
      return required("adoptions", Readers.list(Readers.object(PolicyAdoption::new)));
    }

    /** Oldest first. */
    public List<PolicyVersion> versions() {
      return required("versions", Readers.list(Readers.object(PolicyVersion::new)));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class PolicyPage extends JsonObject {
    public PolicyPage(Map<String, ?> members) {
      super(members);
    }

    /** Newest first, by the first draft. */
    public List<ListPoliciesItem> policies() {
      return required("policies", Readers.list(Readers.object(ListPoliciesItem::new)));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class PolicyVersion extends JsonObject {
    public PolicyVersion(Map<String, ?> members) {
      super(members);
    }

    public String policy() {
      return required("policy", Readers.TEXT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }

    /** SHA-256 of the canonical form of the content. */
    public String digest() {
      return required("digest", Readers.TEXT);
    }

    public String draftedBy() {
      return required("drafted_by", Readers.TEXT);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant createdAt() {
      return required("created_at", Readers.MOMENT);
    }

    /** Only a published version can be adopted. It never changes. */
    public boolean published() {
      return required("published", Readers.FLAG);
    }

    public Optional<String> publishedBy() {
      return optional("published_by", Readers.TEXT);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Optional<Instant> publishedAt() {
      return optional("published_at", Readers.MOMENT);
    }

    /** Whether the same actor drafted and published it. */
    public Optional<Boolean> selfConfirmed() {
      return optional("self_confirmed", Readers.FLAG);
    }
  }

  public static final class PolicyVersionWhole extends JsonObject {
    public PolicyVersionWhole(Map<String, ?> members) {
      super(members);
    }

    public String policy() {
      return required("policy", Readers.TEXT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }

    /** SHA-256 of the canonical form of the content. */
    public String digest() {
      return required("digest", Readers.TEXT);
    }

    public String draftedBy() {
      return required("drafted_by", Readers.TEXT);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant createdAt() {
      return required("created_at", Readers.MOMENT);
    }

    /** Only a published version can be adopted. It never changes. */
    public boolean published() {
      return required("published", Readers.FLAG);
    }

    public Optional<String> publishedBy() {
      return optional("published_by", Readers.TEXT);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Optional<Instant> publishedAt() {
      return optional("published_at", Readers.MOMENT);
    }

    /** Whether the same actor drafted and published it. */
    public Optional<Boolean> selfConfirmed() {
      return optional("self_confirmed", Readers.FLAG);
    }

    /** As drafted. */
    public PolicyContent content() {
      return required("content", Readers.object(PolicyContent::new));
    }
  }

  public static final class PolicyContent extends JsonObject {
    public PolicyContent() {}

    public PolicyContent(Map<String, ?> members) {
      super(members);
    }

    /** What an application may state about an applicant. */
    public List<PolicyContentAttributes> attributes() {
      return required("attributes", Readers.list(Readers.object(PolicyContentAttributes::new)));
    }

    /** What an application may state about an applicant. */
    public PolicyContent withAttributes(List<PolicyContentAttributes> value) {
      return new PolicyContent(with("attributes", value));
    }

    /** Rules in order. The first that fires decides, whatever the score. */
    public List<PolicyContentKnockouts> knockouts() {
      return required("knockouts", Readers.list(Readers.object(PolicyContentKnockouts::new)));
    }

    /** Rules in order. The first that fires decides, whatever the score. */
    public PolicyContent withKnockouts(List<PolicyContentKnockouts> value) {
      return new PolicyContent(with("knockouts", value));
    }

    /** The score before the scorecard. */
    public long basePoints() {
      return required("base_points", Readers.NUMBER);
    }

    /** The score before the scorecard. */
    public PolicyContent withBasePoints(long value) {
      return new PolicyContent(with("base_points", value));
    }

    /** The points by attribute. The score is their sum with <code>base_points</code>. */
    public List<PolicyContentScorecard> scorecard() {
      return required("scorecard", Readers.list(Readers.object(PolicyContentScorecard::new)));
    }

    /** The points by attribute. The score is their sum with <code>base_points</code>. */
    public PolicyContent withScorecard(List<PolicyContentScorecard> value) {
      return new PolicyContent(with("scorecard", value));
    }

    /** The outcomes by score. Every whole number is in exactly one band. */
    public List<PolicyContentBands> bands() {
      return required("bands", Readers.list(Readers.object(PolicyContentBands::new)));
    }

    /** The outcomes by score. Every whole number is in exactly one band. */
    public PolicyContent withBands(List<PolicyContentBands> value) {
      return new PolicyContent(with("bands", value));
    }

    /** The IANA time zone in which the day of the Decision is found. That of the Tenancy by default. */
    public Optional<String> timeZone() {
      return optional("time_zone", Readers.TEXT);
    }

    /** The IANA time zone in which the day of the Decision is found. That of the Tenancy by default. */
    public PolicyContent withTimeZone(String value) {
      return new PolicyContent(with("time_zone", value));
    }
  }

  public static final class PolicyValidation extends JsonObject {
    public PolicyValidation(Map<String, ?> members) {
      super(members);
    }

    /** SHA-256 of the canonical form of the content. */
    public String digest() {
      return required("digest", Readers.TEXT);
    }

    /** Remarks on content that is valid. */
    public List<PolicyValidationFindings> findings() {
      return required("findings", Readers.list(Readers.object(PolicyValidationFindings::new)));
    }
  }

  public static final class PolicyAdoption extends JsonObject {
    public PolicyAdoption(Map<String, ?> members) {
      super(members);
    }

    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    public String policy() {
      return required("policy", Readers.TEXT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }

    /** Whether an application of a barred Client is refused. */
    public boolean enforceBar() {
      return required("enforce_bar", Readers.FLAG);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant adoptedAt() {
      return required("adopted_at", Readers.MOMENT);
    }
  }

  public static final class MerchantBook extends JsonObject {
    public MerchantBook(Map<String, ?> members) {
      super(members);
    }

    public String merchantRef() {
      return required("merchant_ref", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** Newest first. */
    public List<JsonObject> loans() {
      return required("loans", Readers.list(Readers.OBJECT));
    }

    /** Of the listed Loans with known figures. */
    public List<MerchantBookCurrencies> currencies() {
      return required("currencies", Readers.list(Readers.object(MerchantBookCurrencies::new)));
    }

    /** Whether the totals are of this page only. */
    public boolean pageTotals() {
      return required("page_totals", Readers.FLAG);
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class MerchantRow extends JsonObject {
    public MerchantRow(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public String tenantId() {
      return required("tenant_id", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public Optional<String> merchantRef() {
      return optional("merchant_ref", Readers.TEXT);
    }

    public ConfigurationPin configuration() {
      return required("configuration", Readers.object(ConfigurationPin::new));
    }

    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    public long termPeriods() {
      return required("term_periods", Readers.NUMBER);
    }

    /** The contract rate as issued. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    /** The origination fee as issued. */
    public Money fee() {
      return required("fee", Readers.object(Money::new));
    }

    /** Per cent a year. */
    public String penaltyRate() {
      return required("penalty_rate", Readers.TEXT);
    }

    public LocalDate anchor() {
      return required("anchor", Readers.DAY);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant createdAt() {
      return required("created_at", Readers.MOMENT);
    }

    /**
     * Computed from the facts on every read.
     * One of <code>active</code>, <code>closed</code>, <code>cancelled</code>, <code>written_off</code>, <code>ceded</code>, <code>held</code>, <code>expired</code>, <code>voided</code>, <code>rescinded</code>, <code>withdrawn</code>, <code>restructured</code>.
     */
    public String state() {
      return required("state", Readers.TEXT);
    }

    /** Rollovers in force. */
    public long rolledOver() {
      return required("rolled_over", Readers.NUMBER);
    }

    /** Empty if there are none. */
    public List<Anomaly> anomalies() {
      return required("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }

    /** What Receipts have settled; absent if the allocation of the Client's money cannot be computed. */
    public Optional<Money> paid() {
      return optional("paid", Readers.object(Money::new));
    }

    public LoanTotals totals() {
      return required("totals", Readers.object(LoanTotals::new));
    }

    /** The number of fully settled periods; absent if <code>paid</code> is absent. */
    public Optional<Long> settledPeriods() {
      return optional("settled_periods", Readers.NUMBER);
    }

    /** The number of periods that are not settled; absent if <code>paid</code> is absent. */
    public Optional<Long> remainingPeriods() {
      return optional("remaining_periods", Readers.NUMBER);
    }

    public boolean owes() {
      return required("owes", Readers.FLAG);
    }

    /**
     * Absent if the Loan owes nothing.
     * One of <code>tenant</code>, <code>assignee</code>.
     */
    public Optional<String> owedTo() {
      return optional("owed_to", Readers.TEXT);
    }

    /** Present on a <code>closed</code> Loan. */
    public Optional<LocalDate> closedOn() {
      return optional("closed_on", Readers.DAY);
    }

    /** On a <code>ceded</code> Loan: the cut-off. */
    public Optional<LocalDate> cededOn() {
      return optional("ceded_on", Readers.DAY);
    }

    /** On a <code>written_off</code> row. */
    public Optional<LocalDate> writtenOffOn() {
      return optional("written_off_on", Readers.DAY);
    }

    /** The principal outstanding on the day. */
    public Money outstanding() {
      return required("outstanding", Readers.object(Money::new));
    }
  }

  public static final class FeedEvent extends JsonObject {
    public FeedEvent(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    /** One of <code>issued</code>, <code>confirmed</code>, <code>voided</code>, <code>cancelled</code>, <code>rescinded</code>, <code>withdrawn</code>, <code>suspended</code>, <code>suspension_ended</code>, <code>waived</code>, <code>returned</code>, <code>rolled_over</code>, <code>restructured</code>, <code>accelerated</code>, <code>settled_for_less</code>, <code>written_off</code>, <code>ceded</code>, <code>settled</code>. */
    public String kind() {
      return required("kind", Readers.TEXT);
    }

    public LocalDate occurredOn() {
      return required("occurred_on", Readers.DAY);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant recordedAt() {
      return required("recorded_at", Readers.MOMENT);
    }

    /** Only if the Loan has a merchant. */
    public Optional<String> merchantRef() {
      return optional("merchant_ref", Readers.TEXT);
    }
  }

  public static final class Feed extends JsonObject {
    public Feed(Map<String, ?> members) {
      super(members);
    }

    /** Oldest first, in the order of recording. */
    public List<FeedEvent> events() {
      return required("events", Readers.list(Readers.object(FeedEvent::new)));
    }

    /** Always present. Unchanged and without events, this is the end of the feed so far. */
    public String cursor() {
      return required("cursor", Readers.TEXT);
    }
  }

  public static final class StreamedEvent extends JsonObject {
    public StreamedEvent(Map<String, ?> members) {
      super(members);
    }

    /** The cursor after the event. */
    public String id() {
      return required("id", Readers.TEXT);
    }

    /**
     * The kind of the row.
     * One of <code>issued</code>, <code>confirmed</code>, <code>voided</code>, <code>cancelled</code>, <code>rescinded</code>, <code>withdrawn</code>, <code>suspended</code>, <code>suspension_ended</code>, <code>waived</code>, <code>returned</code>, <code>rolled_over</code>, <code>restructured</code>, <code>accelerated</code>, <code>settled_for_less</code>, <code>written_off</code>, <code>ceded</code>, <code>settled</code>.
     */
    public String event() {
      return required("event", Readers.TEXT);
    }

    /** The row of the feed, as JSON. */
    public String data() {
      return required("data", Readers.TEXT);
    }
  }

  public static final class Bounds extends JsonObject {
    public Bounds(Map<String, ?> members) {
      super(members);
    }

    /** Requests at the same time, for each instance of the service. */
    public long concurrent() {
      return required("concurrent", Readers.NUMBER);
    }

    /** How long a request waits for a free place, in milliseconds. */
    public long patienceMs() {
      return required("patience_ms", Readers.NUMBER);
    }

    /** Requests per second, for all instances of the service together. */
    public long perSecond() {
      return required("per_second", Readers.NUMBER);
    }

    /** Requests at once after a quiet time, for all instances together. */
    public long burst() {
      return required("burst", Readers.NUMBER);
    }

    /**
     * Whether they are the default, or set for this Tenancy.
     * One of <code>default</code>, <code>tenancy</code>.
     */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class LoggedRequest extends JsonObject {
    public LoggedRequest(Map<String, ?> members) {
      super(members);
    }

    /** The <code>Request-Id</code> of the answer. */
    public String requestId() {
      return required("request_id", Readers.TEXT);
    }

    /** The caller's own <code>Request-Id</code>. */
    public Optional<String> callerRequestId() {
      return optional("caller_request_id", Readers.TEXT);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant receivedAt() {
      return required("received_at", Readers.MOMENT);
    }

    /** Until the answer was sent, in microseconds. */
    public long durationUs() {
      return required("duration_us", Readers.NUMBER);
    }

    /** The fingerprint of the key. */
    public String fp() {
      return required("fp", Readers.TEXT);
    }

    public String method() {
      return required("method", Readers.TEXT);
    }

    /** The operation of this document; absent where no route matched the path. */
    public Optional<String> route() {
      return optional("route", Readers.TEXT);
    }

    public long status() {
      return required("status", Readers.NUMBER);
    }

    /** The refusal code. */
    public Optional<String> code() {
      return optional("code", Readers.TEXT);
    }

    /** The member of the request that the refusal is about, at most 100 characters. */
    public Optional<String> field() {
      return optional("field", Readers.TEXT);
    }

    /** Path and query, at most 500 characters. */
    public Optional<String> target() {
      return optional("target", Readers.TEXT);
    }

    /** The contract version of the answer. */
    public Optional<String> contractVersion() {
      return optional("contract_version", Readers.TEXT);
    }

    /** Parts of the duration in microseconds, as in <code>Server-Timing</code>. */
    public Optional<LoggedRequestTiming> timing() {
      return optional("timing", Readers.object(LoggedRequestTiming::new));
    }
  }

  public static final class LoggedRequestPage extends JsonObject {
    public LoggedRequestPage(Map<String, ?> members) {
      super(members);
    }

    /** Newest first. A page may be short or empty and still have a cursor. */
    public List<LoggedRequest> requests() {
      return required("requests", Readers.list(Readers.object(LoggedRequest::new)));
    }

    /** The cursor of the next page. Absent on the last page. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }
  }

  public static final class Market extends JsonObject {
    public Market(Map<String, ?> members) {
      super(members);
    }

    public String jurisdiction() {
      return required("jurisdiction", Readers.TEXT);
    }

    public MarketCurrencies currencies() {
      return required("currencies", Readers.object(MarketCurrencies::new));
    }

    public MarketPenaltyCap penaltyCap() {
      return required("penalty_cap", Readers.object(MarketPenaltyCap::new));
    }

    public MarketPenaltyBase penaltyBase() {
      return required("penalty_base", Readers.object(MarketPenaltyBase::new));
    }

    public MarketPenaltyCeilingDays penaltyCeilingDays() {
      return required("penalty_ceiling_days", Readers.object(MarketPenaltyCeilingDays::new));
    }

    public MarketPenaltyCeilingDays penaltyCeilingBps() {
      return required("penalty_ceiling_bps", Readers.object(MarketPenaltyCeilingDays::new));
    }

    public MarketCapitalises capitalises() {
      return required("capitalises", Readers.object(MarketCapitalises::new));
    }

    public MarketCapitalises lateFeeBesidePenalty() {
      return required("late_fee_beside_penalty", Readers.object(MarketCapitalises::new));
    }

    public MarketAcceleration acceleration() {
      return required("acceleration", Readers.object(MarketAcceleration::new));
    }

    public MarketPenaltyCeilingDays withdrawalDays() {
      return required("withdrawal_days", Readers.object(MarketPenaltyCeilingDays::new));
    }

    public MarketTax tax() {
      return required("tax", Readers.object(MarketTax::new));
    }

    public MarketDisclosure disclosure() {
      return required("disclosure", Readers.object(MarketDisclosure::new));
    }

    public MarketCalendar calendar() {
      return required("calendar", Readers.object(MarketCalendar::new));
    }

    public MarketPenaltyCeilingDays facilityWindow() {
      return required("facility_window", Readers.object(MarketPenaltyCeilingDays::new));
    }
  }

  public static final class CompanyProfile extends JsonObject {
    public CompanyProfile(Map<String, ?> members) {
      super(members);
    }

    public String legalName() {
      return required("legal_name", Readers.TEXT);
    }

    public Optional<String> tradeName() {
      return optional("trade_name", Readers.TEXT);
    }

    public Optional<String> taxId() {
      return optional("tax_id", Readers.TEXT);
    }

    public Optional<Object> address() {
      return optional("address", Readers.ANY);
    }

    public Optional<Object> contact() {
      return optional("contact", Readers.ANY);
    }
  }

  public static final class Readiness extends JsonObject {
    public Readiness(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>ready</code>, <code>not_ready</code>. */
    public String status() {
      return required("status", Readers.TEXT);
    }

    public List<ReadinessNotReady> notReady() {
      return required("not_ready", Readers.list(Readers.object(ReadinessNotReady::new)));
    }

    public List<ReadinessNotReady> degraded() {
      return required("degraded", Readers.list(Readers.object(ReadinessNotReady::new)));
    }
  }

  public static final class LoanEvidence extends JsonObject {
    public LoanEvidence(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    /** Oldest first. */
    public List<ProvenFact> facts() {
      return required("facts", Readers.list(Readers.object(ProvenFact::new)));
    }
  }

  public static final class ReceiptEvidence extends JsonObject {
    public ReceiptEvidence(Map<String, ?> members) {
      super(members);
    }

    public String receipt() {
      return required("receipt", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    /** Oldest first. */
    public List<ProvenFact> facts() {
      return required("facts", Readers.list(Readers.object(ProvenFact::new)));
    }
  }

  public static final class ProvenFact extends JsonObject {
    public ProvenFact(Map<String, ?> members) {
      super(members);
    }

    /** The number of the fact in the Client's book. */
    public long sequence() {
      return required("sequence", Readers.NUMBER);
    }

    public String kind() {
      return required("kind", Readers.TEXT);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant recordedAt() {
      return required("recorded_at", Readers.MOMENT);
    }

    /** The fact as it is stored and published. */
    public Map<String, Object> body() {
      return required("body", Readers.map(Readers.ANY));
    }

    /** The log entry of the submission. */
    public ProvenFactLog log() {
      return required("log", Readers.object(ProvenFactLog::new));
    }

    /** The published event of the fact. */
    public ProvenFactEvent event() {
      return required("event", Readers.object(ProvenFactEvent::new));
    }

    public ProvenFactSubmission submission() {
      return required("submission", Readers.object(ProvenFactSubmission::new));
    }
  }

  public static final class Schedule extends JsonObject {
    public Schedule() {}

    public Schedule(Map<String, ?> members) {
      super(members);
    }

    /**
     * By months, or by a number of days. Both count from the anchor.
     * One of <code>anchored_monthly</code>, <code>anchored_every_n_days</code>.
     */
    public String kind() {
      return required("kind", Readers.TEXT);
    }

    /**
     * By months, or by a number of days. Both count from the anchor.
     * One of <code>anchored_monthly</code>, <code>anchored_every_n_days</code>.
     */
    public Schedule withKind(String value) {
      return new Schedule(with("kind", value));
    }

    /** With <code>anchored_every_n_days</code>: the days of each period. */
    public Optional<Long> intervalDays() {
      return optional("interval_days", Readers.NUMBER);
    }

    /** With <code>anchored_every_n_days</code>: the days of each period. */
    public Schedule withIntervalDays(long value) {
      return new Schedule(with("interval_days", value));
    }

    /** With <code>anchored_monthly</code>: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
    public Optional<Long> dayOfMonth() {
      return optional("day_of_month", Readers.NUMBER);
    }

    /** With <code>anchored_monthly</code>: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
    public Schedule withDayOfMonth(long value) {
      return new Schedule(with("day_of_month", value));
    }

    /** With <code>day_of_month</code>: the days that the first period has at least. One by default. */
    public Optional<Long> firstAfterDays() {
      return optional("first_after_days", Readers.NUMBER);
    }

    /** With <code>day_of_month</code>: the days that the first period has at least. One by default. */
    public Schedule withFirstAfterDays(long value) {
      return new Schedule(with("first_after_days", value));
    }
  }

  public static final class Ratio extends JsonObject {
    public Ratio() {}

    public Ratio(Map<String, ?> members) {
      super(members);
    }

    /** Of the yearly rate as a fraction of one. */
    public long numerator() {
      return required("numerator", Readers.NUMBER);
    }

    /** Of the yearly rate as a fraction of one. */
    public Ratio withNumerator(long value) {
      return new Ratio(with("numerator", value));
    }

    /** Of the yearly rate as a fraction of one. */
    public long denominator() {
      return required("denominator", Readers.NUMBER);
    }

    /** Of the yearly rate as a fraction of one. */
    public Ratio withDenominator(long value) {
      return new Ratio(with("denominator", value));
    }

    public String quotation() {
      return required("quotation", Readers.TEXT);
    }

    public Ratio withQuotation(String value) {
      return new Ratio(with("quotation", value));
    }
  }

  public static final class ActOnADay extends JsonObject {
    public ActOnADay() {}

    public ActOnADay(Map<String, ?> members) {
      super(members);
    }

    /** The civil day of the fact or of the answer. */
    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The civil day of the fact or of the answer. */
    public ActOnADay withOn(LocalDate value) {
      return new ActOnADay(with("on", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public ActOnADay withReference(String value) {
      return new ActOnADay(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public ActOnADay withActor(String value) {
      return new ActOnADay(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public ActOnADay withBasis(String value) {
      return new ActOnADay(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public ActOnADay withContext(Map<String, Object> value) {
      return new ActOnADay(with("context", value));
    }
  }

  public static final class SuspensionAct extends JsonObject {
    public SuspensionAct() {}

    public SuspensionAct(Map<String, ?> members) {
      super(members);
    }

    /** The civil day of the fact or of the answer. */
    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The civil day of the fact or of the answer. */
    public SuspensionAct withOn(LocalDate value) {
      return new SuspensionAct(with("on", value));
    }

    /** The last day of the window. */
    public LocalDate to() {
      return required("to", Readers.DAY);
    }

    /** The last day of the window. */
    public SuspensionAct withTo(LocalDate value) {
      return new SuspensionAct(with("to", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public SuspensionAct withReference(String value) {
      return new SuspensionAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public SuspensionAct withActor(String value) {
      return new SuspensionAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public SuspensionAct withBasis(String value) {
      return new SuspensionAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public SuspensionAct withContext(Map<String, Object> value) {
      return new SuspensionAct(with("context", value));
    }
  }

  public static final class SuspensionEndAct extends JsonObject {
    public SuspensionEndAct() {}

    public SuspensionEndAct(Map<String, ?> members) {
      super(members);
    }

    /** The civil day of the fact or of the answer. */
    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The civil day of the fact or of the answer. */
    public SuspensionEndAct withOn(LocalDate value) {
      return new SuspensionEndAct(with("on", value));
    }

    /** The suspension to end. */
    public String suspensionId() {
      return required("suspension_id", Readers.TEXT);
    }

    /** The suspension to end. */
    public SuspensionEndAct withSuspensionId(String value) {
      return new SuspensionEndAct(with("suspension_id", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public SuspensionEndAct withReference(String value) {
      return new SuspensionEndAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public SuspensionEndAct withActor(String value) {
      return new SuspensionEndAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public SuspensionEndAct withBasis(String value) {
      return new SuspensionEndAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public SuspensionEndAct withContext(Map<String, Object> value) {
      return new SuspensionEndAct(with("context", value));
    }
  }

  public static final class WaiverAct extends JsonObject {
    public WaiverAct() {}

    public WaiverAct(Map<String, ?> members) {
      super(members);
    }

    /** The civil day of the fact or of the answer. */
    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The civil day of the fact or of the answer. */
    public WaiverAct withOn(LocalDate value) {
      return new WaiverAct(with("on", value));
    }

    /** The index of a period, from 1. */
    public long period() {
      return required("period", Readers.NUMBER);
    }

    /** The index of a period, from 1. */
    public WaiverAct withPeriod(long value) {
      return new WaiverAct(with("period", value));
    }

    /**
     * The charge of the period.
     * One of <code>principal</code>, <code>interest</code>, <code>fee</code>, <code>penalty</code>, <code>late_fee</code>.
     */
    public String charge() {
      return required("charge", Readers.TEXT);
    }

    /**
     * The charge of the period.
     * One of <code>principal</code>, <code>interest</code>, <code>fee</code>, <code>penalty</code>, <code>late_fee</code>.
     */
    public WaiverAct withCharge(String value) {
      return new WaiverAct(with("charge", value));
    }

    /** The amount. */
    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    /** The amount. */
    public WaiverAct withAmount(Money value) {
      return new WaiverAct(with("amount", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public WaiverAct withReference(String value) {
      return new WaiverAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public WaiverAct withActor(String value) {
      return new WaiverAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public WaiverAct withBasis(String value) {
      return new WaiverAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public WaiverAct withContext(Map<String, Object> value) {
      return new WaiverAct(with("context", value));
    }
  }

  public static final class ReturnAct extends JsonObject {
    public ReturnAct() {}

    public ReturnAct(Map<String, ?> members) {
      super(members);
    }

    /** The civil day of the fact or of the answer. */
    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The civil day of the fact or of the answer. */
    public ReturnAct withOn(LocalDate value) {
      return new ReturnAct(with("on", value));
    }

    /** The amount. */
    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    /** The amount. */
    public ReturnAct withAmount(Money value) {
      return new ReturnAct(with("amount", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public ReturnAct withReference(String value) {
      return new ReturnAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public ReturnAct withActor(String value) {
      return new ReturnAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public ReturnAct withBasis(String value) {
      return new ReturnAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public ReturnAct withContext(Map<String, Object> value) {
      return new ReturnAct(with("context", value));
    }
  }

  public static final class RestructureAct extends JsonObject {
    public RestructureAct() {}

    public RestructureAct(Map<String, ?> members) {
      super(members);
    }

    /** The civil day of the fact or of the answer. */
    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The civil day of the fact or of the answer. */
    public RestructureAct withOn(LocalDate value) {
      return new RestructureAct(with("on", value));
    }

    /** The number of periods. */
    public long termPeriods() {
      return required("term_periods", Readers.NUMBER);
    }

    /** The number of periods. */
    public RestructureAct withTermPeriods(long value) {
      return new RestructureAct(with("term_periods", value));
    }

    /** Per cent a year. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    /** Per cent a year. */
    public RestructureAct withRate(String value) {
      return new RestructureAct(with("rate", value));
    }

    /** The days on which periods end. Required if the product offers a menu. */
    public Optional<Schedule> schedule() {
      return optional("schedule", Readers.object(Schedule::new));
    }

    /** The days on which periods end. Required if the product offers a menu. */
    public RestructureAct withSchedule(Schedule value) {
      return new RestructureAct(with("schedule", value));
    }

    /** Per cent a year. */
    public Optional<String> penaltyRate() {
      return optional("penalty_rate", Readers.TEXT);
    }

    /** Per cent a year. */
    public RestructureAct withPenaltyRate(String value) {
      return new RestructureAct(with("penalty_rate", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public RestructureAct withReference(String value) {
      return new RestructureAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public RestructureAct withActor(String value) {
      return new RestructureAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public RestructureAct withBasis(String value) {
      return new RestructureAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public RestructureAct withContext(Map<String, Object> value) {
      return new RestructureAct(with("context", value));
    }
  }

  public static final class AccelerationAct extends JsonObject {
    public AccelerationAct() {}

    public AccelerationAct(Map<String, ?> members) {
      super(members);
    }

    /** The civil day of the fact or of the answer. */
    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The civil day of the fact or of the answer. */
    public AccelerationAct withOn(LocalDate value) {
      return new AccelerationAct(with("on", value));
    }

    /** The day on which the borrower was notified. */
    public LocalDate notifiedOn() {
      return required("notified_on", Readers.DAY);
    }

    /** The day on which the borrower was notified. */
    public AccelerationAct withNotifiedOn(LocalDate value) {
      return new AccelerationAct(with("notified_on", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public AccelerationAct withReference(String value) {
      return new AccelerationAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public AccelerationAct withActor(String value) {
      return new AccelerationAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public AccelerationAct withBasis(String value) {
      return new AccelerationAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public AccelerationAct withContext(Map<String, Object> value) {
      return new AccelerationAct(with("context", value));
    }
  }

  public static final class SettlementAct extends JsonObject {
    public SettlementAct() {}

    public SettlementAct(Map<String, ?> members) {
      super(members);
    }

    /** The civil day of the fact or of the answer. */
    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The civil day of the fact or of the answer. */
    public SettlementAct withOn(LocalDate value) {
      return new SettlementAct(with("on", value));
    }

    /** The amount accepted for the whole debt. */
    public Money agreed() {
      return required("agreed", Readers.object(Money::new));
    }

    /** The amount accepted for the whole debt. */
    public SettlementAct withAgreed(Money value) {
      return new SettlementAct(with("agreed", value));
    }

    /** The last day on which the agreed amount settles the debt. */
    public Optional<LocalDate> until() {
      return optional("until", Readers.DAY);
    }

    /** The last day on which the agreed amount settles the debt. */
    public SettlementAct withUntil(LocalDate value) {
      return new SettlementAct(with("until", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public SettlementAct withReference(String value) {
      return new SettlementAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public SettlementAct withActor(String value) {
      return new SettlementAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public SettlementAct withBasis(String value) {
      return new SettlementAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public SettlementAct withContext(Map<String, Object> value) {
      return new SettlementAct(with("context", value));
    }
  }

  public static final class RetractionAct extends JsonObject {
    public RetractionAct() {}

    public RetractionAct(Map<String, ?> members) {
      super(members);
    }

    /** The civil day of the fact or of the answer. */
    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The civil day of the fact or of the answer. */
    public RetractionAct withOn(LocalDate value) {
      return new RetractionAct(with("on", value));
    }

    /** The event to withdraw. */
    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    /** The event to withdraw. */
    public RetractionAct withEventId(String value) {
      return new RetractionAct(with("event_id", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public RetractionAct withReference(String value) {
      return new RetractionAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public RetractionAct withActor(String value) {
      return new RetractionAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public RetractionAct withBasis(String value) {
      return new RetractionAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public RetractionAct withContext(Map<String, Object> value) {
      return new RetractionAct(with("context", value));
    }
  }

  public static final class LoanToIssue extends JsonObject {
    public LoanToIssue() {}

    public LoanToIssue(Map<String, ?> members) {
      super(members);
    }

    /** The caller's identifier of the Client. */
    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    /** The caller's identifier of the Client. */
    public LoanToIssue withClientId(String value) {
      return new LoanToIssue(with("client_id", value));
    }

    /** The product configuration. */
    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    /** The product configuration. */
    public LoanToIssue withConfigurationId(String value) {
      return new LoanToIssue(with("configuration_id", value));
    }

    /** The version of the product configuration. */
    public long configurationVersion() {
      return required("configuration_version", Readers.NUMBER);
    }

    /** The version of the product configuration. */
    public LoanToIssue withConfigurationVersion(long value) {
      return new LoanToIssue(with("configuration_version", value));
    }

    /** The amount lent, including a payment at purchase. */
    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    /** The amount lent, including a payment at purchase. */
    public LoanToIssue withPrincipal(Money value) {
      return new LoanToIssue(with("principal", value));
    }

    /** The number of periods. */
    public long termPeriods() {
      return required("term_periods", Readers.NUMBER);
    }

    /** The number of periods. */
    public LoanToIssue withTermPeriods(long value) {
      return new LoanToIssue(with("term_periods", value));
    }

    /** Per cent a year. */
    public Optional<String> rate() {
      return optional("rate", Readers.TEXT);
    }

    /** Per cent a year. */
    public LoanToIssue withRate(String value) {
      return new LoanToIssue(with("rate", value));
    }

    /** Per cent a year. */
    public Optional<String> penaltyRate() {
      return optional("penalty_rate", Readers.TEXT);
    }

    /** Per cent a year. */
    public LoanToIssue withPenaltyRate(String value) {
      return new LoanToIssue(with("penalty_rate", value));
    }

    /** The first day of the Loan. */
    public LocalDate anchor() {
      return required("anchor", Readers.DAY);
    }

    /** The first day of the Loan. */
    public LoanToIssue withAnchor(LocalDate value) {
      return new LoanToIssue(with("anchor", value));
    }

    /** The market whose law applies, in upper case. */
    public String jurisdiction() {
      return required("jurisdiction", Readers.TEXT);
    }

    /** The market whose law applies, in upper case. */
    public LoanToIssue withJurisdiction(String value) {
      return new LoanToIssue(with("jurisdiction", value));
    }

    /** The rate of the tax and the taxed charges. */
    public LoanToIssueTax tax() {
      return required("tax", Readers.object(LoanToIssueTax::new));
    }

    /** The rate of the tax and the taxed charges. */
    public LoanToIssue withTax(LoanToIssueTax value) {
      return new LoanToIssue(with("tax", value));
    }

    /** The payment at purchase. */
    public Optional<Money> downPayment() {
      return optional("down_payment", Readers.object(Money::new));
    }

    /** The payment at purchase. */
    public LoanToIssue withDownPayment(Money value) {
      return new LoanToIssue(with("down_payment", value));
    }

    /** The days on which periods end. Required if the product offers a menu. */
    public Optional<Schedule> schedule() {
      return optional("schedule", Readers.object(Schedule::new));
    }

    /** The days on which periods end. Required if the product offers a menu. */
    public LoanToIssue withSchedule(Schedule value) {
      return new LoanToIssue(with("schedule", value));
    }

    /** The caller's identifier of the merchant of the sale. */
    public Optional<String> merchantRef() {
      return optional("merchant_ref", Readers.TEXT);
    }

    /** The caller's identifier of the merchant of the sale. */
    public LoanToIssue withMerchantRef(String value) {
      return new LoanToIssue(with("merchant_ref", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public LoanToIssue withContext(Map<String, Object> value) {
      return new LoanToIssue(with("context", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public LoanToIssue withReference(String value) {
      return new LoanToIssue(with("reference", value));
    }

    /** The facility under which the Loan is issued. It then gives the rate. */
    public Optional<String> facilityId() {
      return optional("facility_id", Readers.TEXT);
    }

    /** The facility under which the Loan is issued. It then gives the rate. */
    public LoanToIssue withFacilityId(String value) {
      return new LoanToIssue(with("facility_id", value));
    }

    /** The last day on which the hold may be confirmed. */
    public Optional<LocalDate> holdUntil() {
      return optional("hold_until", Readers.DAY);
    }

    /** The last day on which the hold may be confirmed. */
    public LoanToIssue withHoldUntil(LocalDate value) {
      return new LoanToIssue(with("hold_until", value));
    }
  }

  public static final class LoanToPreview extends JsonObject {
    public LoanToPreview() {}

    public LoanToPreview(Map<String, ?> members) {
      super(members);
    }

    /** The caller's identifier of the Client. */
    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    /** The caller's identifier of the Client. */
    public LoanToPreview withClientId(String value) {
      return new LoanToPreview(with("client_id", value));
    }

    /** The product configuration. */
    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    /** The product configuration. */
    public LoanToPreview withConfigurationId(String value) {
      return new LoanToPreview(with("configuration_id", value));
    }

    /** The version of the product configuration. */
    public long configurationVersion() {
      return required("configuration_version", Readers.NUMBER);
    }

    /** The version of the product configuration. */
    public LoanToPreview withConfigurationVersion(long value) {
      return new LoanToPreview(with("configuration_version", value));
    }

    /** The amount lent, including a payment at purchase. */
    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    /** The amount lent, including a payment at purchase. */
    public LoanToPreview withPrincipal(Money value) {
      return new LoanToPreview(with("principal", value));
    }

    /** The number of periods. */
    public long termPeriods() {
      return required("term_periods", Readers.NUMBER);
    }

    /** The number of periods. */
    public LoanToPreview withTermPeriods(long value) {
      return new LoanToPreview(with("term_periods", value));
    }

    /** Per cent a year. */
    public Optional<String> rate() {
      return optional("rate", Readers.TEXT);
    }

    /** Per cent a year. */
    public LoanToPreview withRate(String value) {
      return new LoanToPreview(with("rate", value));
    }

    /** Per cent a year. */
    public Optional<String> penaltyRate() {
      return optional("penalty_rate", Readers.TEXT);
    }

    /** Per cent a year. */
    public LoanToPreview withPenaltyRate(String value) {
      return new LoanToPreview(with("penalty_rate", value));
    }

    /** The first day of the Loan. */
    public LocalDate anchor() {
      return required("anchor", Readers.DAY);
    }

    /** The first day of the Loan. */
    public LoanToPreview withAnchor(LocalDate value) {
      return new LoanToPreview(with("anchor", value));
    }

    /** The market whose law applies, in upper case. */
    public String jurisdiction() {
      return required("jurisdiction", Readers.TEXT);
    }

    /** The market whose law applies, in upper case. */
    public LoanToPreview withJurisdiction(String value) {
      return new LoanToPreview(with("jurisdiction", value));
    }

    /** The rate of the tax and the taxed charges. */
    public LoanToIssueTax tax() {
      return required("tax", Readers.object(LoanToIssueTax::new));
    }

    /** The rate of the tax and the taxed charges. */
    public LoanToPreview withTax(LoanToIssueTax value) {
      return new LoanToPreview(with("tax", value));
    }

    /** The payment at purchase. */
    public Optional<Money> downPayment() {
      return optional("down_payment", Readers.object(Money::new));
    }

    /** The payment at purchase. */
    public LoanToPreview withDownPayment(Money value) {
      return new LoanToPreview(with("down_payment", value));
    }

    /** The days on which periods end. Required if the product offers a menu. */
    public Optional<Schedule> schedule() {
      return optional("schedule", Readers.object(Schedule::new));
    }

    /** The days on which periods end. Required if the product offers a menu. */
    public LoanToPreview withSchedule(Schedule value) {
      return new LoanToPreview(with("schedule", value));
    }

    /** The caller's identifier of the merchant of the sale. */
    public Optional<String> merchantRef() {
      return optional("merchant_ref", Readers.TEXT);
    }

    /** The caller's identifier of the merchant of the sale. */
    public LoanToPreview withMerchantRef(String value) {
      return new LoanToPreview(with("merchant_ref", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public LoanToPreview withContext(Map<String, Object> value) {
      return new LoanToPreview(with("context", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public Optional<Object> reference() {
      return optional("reference", Readers.ANY);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public LoanToPreview withReference(Object value) {
      return new LoanToPreview(with("reference", value));
    }

    /** The facility under which the Loan is issued. It then gives the rate. */
    public Optional<String> facilityId() {
      return optional("facility_id", Readers.TEXT);
    }

    /** The facility under which the Loan is issued. It then gives the rate. */
    public LoanToPreview withFacilityId(String value) {
      return new LoanToPreview(with("facility_id", value));
    }

    /** The last day on which the hold may be confirmed. */
    public Optional<LocalDate> holdUntil() {
      return optional("hold_until", Readers.DAY);
    }

    /** The last day on which the hold may be confirmed. */
    public LoanToPreview withHoldUntil(LocalDate value) {
      return new LoanToPreview(with("hold_until", value));
    }
  }

  public static final class ClientToRegister extends JsonObject {
    public ClientToRegister() {}

    public ClientToRegister(Map<String, ?> members) {
      super(members);
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public ClientToRegister withActor(String value) {
      return new ClientToRegister(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public ClientToRegister withBasis(String value) {
      return new ClientToRegister(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public ClientToRegister withContext(Map<String, Object> value) {
      return new ClientToRegister(with("context", value));
    }
  }

  public static final class SimulationToRun extends JsonObject {
    public SimulationToRun() {}

    public SimulationToRun(Map<String, ?> members) {
      super(members);
    }

    /** The civil day of the fact or of the answer. */
    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The civil day of the fact or of the answer. */
    public SimulationToRun withOn(LocalDate value) {
      return new SimulationToRun(with("on", value));
    }

    /** The supposed facts, in order. */
    public List<SimulationToRunFacts> facts() {
      return required("facts", Readers.list(Readers.object(SimulationToRunFacts::new)));
    }

    /** The supposed facts, in order. */
    public SimulationToRun withFacts(List<SimulationToRunFacts> value) {
      return new SimulationToRun(with("facts", value));
    }
  }

  public static final class CompanyProfileToPut extends JsonObject {
    public CompanyProfileToPut() {}

    public CompanyProfileToPut(Map<String, ?> members) {
      super(members);
    }

    /** The registered name. */
    public String legalName() {
      return required("legal_name", Readers.TEXT);
    }

    /** The registered name. */
    public CompanyProfileToPut withLegalName(String value) {
      return new CompanyProfileToPut(with("legal_name", value));
    }

    public Optional<String> tradeName() {
      return optional("trade_name", Readers.TEXT);
    }

    public CompanyProfileToPut withTradeName(String value) {
      return new CompanyProfileToPut(with("trade_name", value));
    }

    public Optional<String> taxId() {
      return optional("tax_id", Readers.TEXT);
    }

    public CompanyProfileToPut withTaxId(String value) {
      return new CompanyProfileToPut(with("tax_id", value));
    }

    public Optional<Object> address() {
      return optional("address", Readers.ANY);
    }

    public CompanyProfileToPut withAddress(Object value) {
      return new CompanyProfileToPut(with("address", value));
    }

    public Optional<Object> contact() {
      return optional("contact", Readers.ANY);
    }

    public CompanyProfileToPut withContact(Object value) {
      return new CompanyProfileToPut(with("contact", value));
    }

    /**
     * Accepted and ignored. Refused from 2027-01-15.
     * Deprecated.
     */
    public Optional<Object> vatRateBps() {
      return optional("vat_rate_bps", Readers.ANY);
    }

    /**
     * Accepted and ignored. Refused from 2027-01-15.
     * Deprecated.
     */
    public CompanyProfileToPut withVatRateBps(Object value) {
      return new CompanyProfileToPut(with("vat_rate_bps", value));
    }
  }

  public static final class ReceiptToReport extends JsonObject {
    public ReceiptToReport() {}

    public ReceiptToReport(Map<String, ?> members) {
      super(members);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public ReceiptToReport withReference(String value) {
      return new ReceiptToReport(with("reference", value));
    }

    /** The caller's identifier of the Client. */
    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    /** The caller's identifier of the Client. */
    public ReceiptToReport withClientId(String value) {
      return new ReceiptToReport(with("client_id", value));
    }

    /** The amount. */
    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    /** The amount. */
    public ReceiptToReport withAmount(Money value) {
      return new ReceiptToReport(with("amount", value));
    }

    /** The civil day on which the money arrived. */
    public LocalDate valueDate() {
      return required("value_date", Readers.DAY);
    }

    /** The civil day on which the money arrived. */
    public ReceiptToReport withValueDate(LocalDate value) {
      return new ReceiptToReport(with("value_date", value));
    }

    /** The only Loan that the money is for. */
    public Optional<String> designatedLoanId() {
      return optional("designated_loan_id", Readers.TEXT);
    }

    /** The only Loan that the money is for. */
    public ReceiptToReport withDesignatedLoanId(String value) {
      return new ReceiptToReport(with("designated_loan_id", value));
    }

    /** Whether the money is meant to discharge the designated Loan. False by default. */
    public Optional<Boolean> payoffIntent() {
      return optional("payoff_intent", Readers.FLAG);
    }

    /** Whether the money is meant to discharge the designated Loan. False by default. */
    public ReceiptToReport withPayoffIntent(boolean value) {
      return new ReceiptToReport(with("payoff_intent", value));
    }

    /** The payoff quote that the money follows. */
    public Optional<String> quoteId() {
      return optional("quote_id", Readers.TEXT);
    }

    /** The payoff quote that the money follows. */
    public ReceiptToReport withQuoteId(String value) {
      return new ReceiptToReport(with("quote_id", value));
    }

    /**
     * How the money was paid.
     * One of <code>bank_transfer</code>, <code>card</code>, <code>cash</code>, <code>direct_debit</code>, <code>wallet</code>, <code>payroll</code>, <code>internal</code>.
     */
    public Optional<String> rail() {
      return optional("rail", Readers.TEXT);
    }

    /**
     * How the money was paid.
     * One of <code>bank_transfer</code>, <code>card</code>, <code>cash</code>, <code>direct_debit</code>, <code>wallet</code>, <code>payroll</code>, <code>internal</code>.
     */
    public ReceiptToReport withRail(String value) {
      return new ReceiptToReport(with("rail", value));
    }

    /** The provider's identifier of the payment. */
    public Optional<String> providerReference() {
      return optional("provider_reference", Readers.TEXT);
    }

    /** The provider's identifier of the payment. */
    public ReceiptToReport withProviderReference(String value) {
      return new ReceiptToReport(with("provider_reference", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public ReceiptToReport withContext(Map<String, Object> value) {
      return new ReceiptToReport(with("context", value));
    }
  }

  public static final class ReceiptBatch extends JsonObject {
    public ReceiptBatch() {}

    public ReceiptBatch(Map<String, ?> members) {
      super(members);
    }

    /** The Receipts. Each is accepted or refused by itself. */
    public List<ReceiptToReport> receipts() {
      return required("receipts", Readers.list(Readers.object(ReceiptToReport::new)));
    }

    /** The Receipts. Each is accepted or refused by itself. */
    public ReceiptBatch withReceipts(List<ReceiptToReport> value) {
      return new ReceiptBatch(with("receipts", value));
    }
  }

  public static final class ReversalAct extends JsonObject {
    public ReversalAct() {}

    public ReversalAct(Map<String, ?> members) {
      super(members);
    }

    /** Why the money was returned. */
    public String reason() {
      return required("reason", Readers.TEXT);
    }

    /** Why the money was returned. */
    public ReversalAct withReason(String value) {
      return new ReversalAct(with("reason", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public ReversalAct withReference(String value) {
      return new ReversalAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public ReversalAct withActor(String value) {
      return new ReversalAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public ReversalAct withBasis(String value) {
      return new ReversalAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public ReversalAct withContext(Map<String, Object> value) {
      return new ReversalAct(with("context", value));
    }
  }

  public static final class PolicyAdoptionAct extends JsonObject {
    public PolicyAdoptionAct() {}

    public PolicyAdoptionAct(Map<String, ?> members) {
      super(members);
    }

    /** The policy. */
    public String policy() {
      return required("policy", Readers.TEXT);
    }

    /** The policy. */
    public PolicyAdoptionAct withPolicy(String value) {
      return new PolicyAdoptionAct(with("policy", value));
    }

    /** The number of a published version. */
    public long version() {
      return required("version", Readers.NUMBER);
    }

    /** The number of a published version. */
    public PolicyAdoptionAct withVersion(long value) {
      return new PolicyAdoptionAct(with("version", value));
    }

    /** Whether an application of a barred Client is refused. */
    public boolean enforceBar() {
      return required("enforce_bar", Readers.FLAG);
    }

    /** Whether an application of a barred Client is refused. */
    public PolicyAdoptionAct withEnforceBar(boolean value) {
      return new PolicyAdoptionAct(with("enforce_bar", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public PolicyAdoptionAct withReference(String value) {
      return new PolicyAdoptionAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public PolicyAdoptionAct withActor(String value) {
      return new PolicyAdoptionAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public PolicyAdoptionAct withBasis(String value) {
      return new PolicyAdoptionAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public PolicyAdoptionAct withContext(Map<String, Object> value) {
      return new PolicyAdoptionAct(with("context", value));
    }
  }

  public static final class PublicationAct extends JsonObject {
    public PublicationAct() {}

    public PublicationAct(Map<String, ?> members) {
      super(members);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public PublicationAct withReference(String value) {
      return new PublicationAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public PublicationAct withActor(String value) {
      return new PublicationAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public PublicationAct withBasis(String value) {
      return new PublicationAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public PublicationAct withContext(Map<String, Object> value) {
      return new PublicationAct(with("context", value));
    }
  }

  public static final class InstalmentToConfigure extends JsonObject {
    public InstalmentToConfigure() {}

    public InstalmentToConfigure(Map<String, ?> members) {
      super(members);
    }

    /** The archetype of the product. It cannot be changed later. */
    public String archetype() {
      return required("archetype", Readers.TEXT);
    }

    /** The archetype of the product. It cannot be changed later. */
    public InstalmentToConfigure withArchetype(String value) {
      return new InstalmentToConfigure(with("archetype", value));
    }

    /** All terms of the product. */
    public InstalmentValues values() {
      return required("values", Readers.object(InstalmentValues::new));
    }

    /** All terms of the product. */
    public InstalmentToConfigure withValues(InstalmentValues value) {
      return new InstalmentToConfigure(with("values", value));
    }
  }

  public static final class BnplToConfigure extends JsonObject {
    public BnplToConfigure() {}

    public BnplToConfigure(Map<String, ?> members) {
      super(members);
    }

    /** The archetype of the product. It cannot be changed later. */
    public String archetype() {
      return required("archetype", Readers.TEXT);
    }

    /** The archetype of the product. It cannot be changed later. */
    public BnplToConfigure withArchetype(String value) {
      return new BnplToConfigure(with("archetype", value));
    }

    /** All terms of the product. */
    public BnplValues values() {
      return required("values", Readers.object(BnplValues::new));
    }

    /** All terms of the product. */
    public BnplToConfigure withValues(BnplValues value) {
      return new BnplToConfigure(with("values", value));
    }
  }

  public static final class PaydayToConfigure extends JsonObject {
    public PaydayToConfigure() {}

    public PaydayToConfigure(Map<String, ?> members) {
      super(members);
    }

    /** The archetype of the product. It cannot be changed later. */
    public String archetype() {
      return required("archetype", Readers.TEXT);
    }

    /** The archetype of the product. It cannot be changed later. */
    public PaydayToConfigure withArchetype(String value) {
      return new PaydayToConfigure(with("archetype", value));
    }

    /** All terms of the product. */
    public PaydayValues values() {
      return required("values", Readers.object(PaydayValues::new));
    }

    /** All terms of the product. */
    public PaydayToConfigure withValues(PaydayValues value) {
      return new PaydayToConfigure(with("values", value));
    }
  }

  public static final class LookupKeyPointing extends JsonObject {
    public LookupKeyPointing() {}

    public LookupKeyPointing(Map<String, ?> members) {
      super(members);
    }

    /** The product configuration. */
    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    /** The product configuration. */
    public LookupKeyPointing withConfigurationId(String value) {
      return new LookupKeyPointing(with("configuration_id", value));
    }

    /** The version of the product configuration. */
    public long configurationVersion() {
      return required("configuration_version", Readers.NUMBER);
    }

    /** The version of the product configuration. */
    public LookupKeyPointing withConfigurationVersion(long value) {
      return new LookupKeyPointing(with("configuration_version", value));
    }

    /** Whether to move a key that points at another version. */
    public Optional<Boolean> transfer() {
      return optional("transfer", Readers.FLAG);
    }

    /** Whether to move a key that points at another version. */
    public LookupKeyPointing withTransfer(boolean value) {
      return new LookupKeyPointing(with("transfer", value));
    }
  }

  public static final class Application extends JsonObject {
    public Application() {}

    public Application(Map<String, ?> members) {
      super(members);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public Application withReference(String value) {
      return new Application(with("reference", value));
    }

    /** The caller's identifier of the Client. */
    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    /** The caller's identifier of the Client. */
    public Application withClientId(String value) {
      return new Application(with("client_id", value));
    }

    /** The product configuration. */
    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    /** The product configuration. */
    public Application withConfigurationId(String value) {
      return new Application(with("configuration_id", value));
    }

    /** The version of the product configuration. */
    public long configurationVersion() {
      return required("configuration_version", Readers.NUMBER);
    }

    /** The version of the product configuration. */
    public Application withConfigurationVersion(long value) {
      return new Application(with("configuration_version", value));
    }

    /** The amount lent, including a payment at purchase. */
    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    /** The amount lent, including a payment at purchase. */
    public Application withPrincipal(Money value) {
      return new Application(with("principal", value));
    }

    /** The day of the application. */
    public LocalDate submittedOn() {
      return required("submitted_on", Readers.DAY);
    }

    /** The day of the application. */
    public Application withSubmittedOn(LocalDate value) {
      return new Application(with("submitted_on", value));
    }

    /** The observed attributes, by the names that the policy uses. */
    public Map<String, ApplicationAttributes> attributes() {
      return required("attributes", Readers.map(Readers.object(ApplicationAttributes::new)));
    }

    /** The observed attributes, by the names that the policy uses. */
    public Application withAttributes(Map<String, ApplicationAttributes> value) {
      return new Application(with("attributes", value));
    }

    /** The sources of the attributes. */
    public List<String> sources() {
      return required("sources", Readers.list(Readers.TEXT));
    }

    /** The sources of the attributes. */
    public Application withSources(List<String> value) {
      return new Application(with("sources", value));
    }

    /** Whether to decide a ceiling for a line. */
    public Optional<Boolean> limit() {
      return optional("limit", Readers.FLAG);
    }

    /** Whether to decide a ceiling for a line. */
    public Application withLimit(boolean value) {
      return new Application(with("limit", value));
    }

    /** The policy. */
    public Optional<String> policy() {
      return optional("policy", Readers.TEXT);
    }

    /** The policy. */
    public Application withPolicy(String value) {
      return new Application(with("policy", value));
    }

    /** With <code>policy</code>: the version of a trial, which has no binding effect. */
    public Optional<Long> policyVersion() {
      return optional("policy_version", Readers.NUMBER);
    }

    /** With <code>policy</code>: the version of a trial, which has no binding effect. */
    public Application withPolicyVersion(long value) {
      return new Application(with("policy_version", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public Application withActor(String value) {
      return new Application(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public Application withBasis(String value) {
      return new Application(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Application withContext(Map<String, Object> value) {
      return new Application(with("context", value));
    }
  }

  public static final class ResolutionAct extends JsonObject {
    public ResolutionAct() {}

    public ResolutionAct(Map<String, ?> members) {
      super(members);
    }

    /**
     * The outcome that the person decided.
     * One of <code>approve</code>, <code>refuse</code>.
     */
    public String outcome() {
      return required("outcome", Readers.TEXT);
    }

    /**
     * The outcome that the person decided.
     * One of <code>approve</code>, <code>refuse</code>.
     */
    public ResolutionAct withOutcome(String value) {
      return new ResolutionAct(with("outcome", value));
    }

    /** The contract rate. */
    public Optional<Object> rate() {
      return optional("rate", Readers.ANY);
    }

    /** The contract rate. */
    public ResolutionAct withRate(Object value) {
      return new ResolutionAct(with("rate", value));
    }

    /** The largest amount that may be lent. */
    public Optional<Money> principalMax() {
      return optional("principal_max", Readers.object(Money::new));
    }

    /** The largest amount that may be lent. */
    public ResolutionAct withPrincipalMax(Money value) {
      return new ResolutionAct(with("principal_max", value));
    }

    /** The number of days for which a refusal bars the Client. */
    public Optional<Long> moratoriumDays() {
      return optional("moratorium_days", Readers.NUMBER);
    }

    /** The number of days for which a refusal bars the Client. */
    public ResolutionAct withMoratoriumDays(long value) {
      return new ResolutionAct(with("moratorium_days", value));
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public ResolutionAct withReference(String value) {
      return new ResolutionAct(with("reference", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public ResolutionAct withActor(String value) {
      return new ResolutionAct(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public ResolutionAct withBasis(String value) {
      return new ResolutionAct(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public ResolutionAct withContext(Map<String, Object> value) {
      return new ResolutionAct(with("context", value));
    }
  }

  public static final class FacilityToOpen extends JsonObject {
    public FacilityToOpen() {}

    public FacilityToOpen(Map<String, ?> members) {
      super(members);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's name for this record. The same reference with the same body answers what is recorded. */
    public FacilityToOpen withReference(String value) {
      return new FacilityToOpen(with("reference", value));
    }

    /** The caller's identifier of the Client. */
    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    /** The caller's identifier of the Client. */
    public FacilityToOpen withClientId(String value) {
      return new FacilityToOpen(with("client_id", value));
    }

    /** The approving Decision. */
    public String decisionId() {
      return required("decision_id", Readers.TEXT);
    }

    /** The approving Decision. */
    public FacilityToOpen withDecisionId(String value) {
      return new FacilityToOpen(with("decision_id", value));
    }

    /** The amount. */
    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    /** The amount. */
    public FacilityToOpen withAmount(Money value) {
      return new FacilityToOpen(with("amount", value));
    }

    /** The first day on which the facility may be drawn. */
    public LocalDate opensOn() {
      return required("opens_on", Readers.DAY);
    }

    /** The first day on which the facility may be drawn. */
    public FacilityToOpen withOpensOn(LocalDate value) {
      return new FacilityToOpen(with("opens_on", value));
    }

    /** The last day on which the facility may be drawn. */
    public LocalDate expiresOn() {
      return required("expires_on", Readers.DAY);
    }

    /** The last day on which the facility may be drawn. */
    public FacilityToOpen withExpiresOn(LocalDate value) {
      return new FacilityToOpen(with("expires_on", value));
    }

    /** Whether repayment makes the amount available again. */
    public Optional<Boolean> line() {
      return optional("line", Readers.FLAG);
    }

    /** Whether repayment makes the amount available again. */
    public FacilityToOpen withLine(boolean value) {
      return new FacilityToOpen(with("line", value));
    }

    /** The line that this one replaces. */
    public Optional<String> supersedes() {
      return optional("supersedes", Readers.TEXT);
    }

    /** The line that this one replaces. */
    public FacilityToOpen withSupersedes(String value) {
      return new FacilityToOpen(with("supersedes", value));
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public FacilityToOpen withActor(String value) {
      return new FacilityToOpen(with("actor", value));
    }

    /** The reason, for later readers of the book. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** The reason, for later readers of the book. */
    public FacilityToOpen withBasis(String value) {
      return new FacilityToOpen(with("basis", value));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
    public FacilityToOpen withContext(Map<String, Object> value) {
      return new FacilityToOpen(with("context", value));
    }
  }

  public static final class FactAct extends JsonObject {
    public FactAct(Map<String, ?> members) {
      super(members);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public String actor() {
      return required("actor", Readers.TEXT);
    }

    public String basis() {
      return required("basis", Readers.TEXT);
    }

    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }
  }

  public static final class FactOrigin extends JsonObject {
    public FactOrigin(Map<String, ?> members) {
      super(members);
    }

    public String channel() {
      return required("channel", Readers.TEXT);
    }

    public Optional<String> address() {
      return optional("address", Readers.TEXT);
    }
  }

  public static final class FactSchedule extends JsonObject {
    public FactSchedule(Map<String, ?> members) {
      super(members);
    }

    /** By months, or by a number of days. Both count from the anchor. */
    public String kind() {
      return required("kind", Readers.TEXT);
    }

    /** With <code>anchored_every_n_days</code>: the days of each period. */
    public Optional<Long> intervalDays() {
      return optional("interval_days", Readers.NUMBER);
    }

    /** With <code>anchored_monthly</code>: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
    public Optional<Long> dayOfMonth() {
      return optional("day_of_month", Readers.NUMBER);
    }

    /** With <code>day_of_month</code>: the days that the first period has at least. One by default. */
    public Optional<Long> firstAfterDays() {
      return optional("first_after_days", Readers.NUMBER);
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code>, <code>stated</code>: <code>notified_on</code> */
  public static final class AcceleratedBody extends JsonObject {
    public AcceleratedBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public AcceleratedBodyStated stated() {
      return required("stated", Readers.object(AcceleratedBodyStated::new));
    }
  }

  /** <code>bounds</code> (null for the default), <code>before</code>, <code>actor</code>, <code>origin</code>. */
  public static final class BoundsSetBody extends JsonObject {
    public BoundsSetBody(Map<String, ?> members) {
      super(members);
    }

    public Optional<Map<String, Object>> bounds() {
      return optional("bounds", Readers.map(Readers.ANY));
    }

    public Optional<Map<String, Object>> before() {
      return optional("before", Readers.map(Readers.ANY));
    }

    public Optional<String> actor() {
      return optional("actor", Readers.TEXT);
    }

    public Optional<FactOrigin> origin() {
      return optional("origin", Readers.object(FactOrigin::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code> */
  public static final class CancelledBody extends JsonObject {
    public CancelledBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code> */
  public static final class CededBody extends JsonObject {
    public CededBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** <code>profile</code> (all of it). */
  public static final class CompanyProfilePutBody extends JsonObject {
    public CompanyProfilePutBody(Map<String, ?> members) {
      super(members);
    }

    public Map<String, Object> profile() {
      return required("profile", Readers.map(Readers.ANY));
    }
  }

  /** <code>id</code>, <code>archetype</code>, <code>values</code>. */
  public static final class ConfigurationCreatedBody extends JsonObject {
    public ConfigurationCreatedBody(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String archetype() {
      return required("archetype", Readers.TEXT);
    }

    public Map<String, Object> values() {
      return required("values", Readers.map(Readers.ANY));
    }
  }

  /** <code>id</code>, <code>version</code>, <code>values</code>. */
  public static final class ConfigurationVersionBody extends JsonObject {
    public ConfigurationVersionBody(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }

    public Map<String, Object> values() {
      return required("values", Readers.map(Readers.ANY));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code> */
  public static final class ConfirmedBody extends JsonObject {
    public ConfirmedBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** The Decision as the API answers it, with reference, actor and basis under <code>act</code>. */
  public static final class CreditDecidedBody extends JsonObject {
    public CreditDecidedBody(Map<String, ?> members) {
      super(members);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public String policy() {
      return required("policy", Readers.TEXT);
    }

    public long policyVersion() {
      return required("policy_version", Readers.NUMBER);
    }

    /** SHA-256 of the canonical form of the deciding content. */
    public String policyDigest() {
      return required("policy_digest", Readers.TEXT);
    }

    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    public long configurationVersion() {
      return required("configuration_version", Readers.NUMBER);
    }

    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    /** The day of the application. */
    public LocalDate submittedOn() {
      return required("submitted_on", Readers.DAY);
    }

    /** The sum of the points. */
    public long score() {
      return required("score", Readers.NUMBER);
    }

    public String outcome() {
      return required("outcome", Readers.TEXT);
    }

    /** Absent if a knockout decided the outcome. */
    public Optional<String> band() {
      return optional("band", Readers.TEXT);
    }

    /** On an approval: the numbers of periods offered. */
    public Optional<List<Long>> terms() {
      return optional("terms", Readers.list(Readers.NUMBER));
    }

    /** On an approval. */
    public Optional<CreditDecidedBodyRate> rate() {
      return optional("rate", Readers.object(CreditDecidedBodyRate::new));
    }

    /** On an approval. */
    public Optional<Money> principalMax() {
      return optional("principal_max", Readers.object(Money::new));
    }

    /** On a limit decision. */
    public Optional<Money> ceiling() {
      return optional("ceiling", Readers.object(Money::new));
    }

    /** On a limit decision: whether the requested principal is above the ceiling. */
    public Optional<Boolean> overCeiling() {
      return optional("over_ceiling", Readers.FLAG);
    }

    /** On a refusal: for how many days it bars the Client. */
    public Optional<Long> moratoriumDays() {
      return optional("moratorium_days", Readers.NUMBER);
    }

    public CreditDecidedBodyTrace trace() {
      return required("trace", Readers.object(CreditDecidedBodyTrace::new));
    }

    /** As sent. */
    public List<String> sources() {
      return required("sources", Readers.list(Readers.TEXT));
    }

    /** True if the adopted version decided, false for a trial. */
    public boolean binding() {
      return required("binding", Readers.FLAG);
    }

    /** Whether the person who published the version had drafted it. */
    public boolean selfConfirmedVersion() {
      return required("self_confirmed_version", Readers.FLAG);
    }

    /** The zone in which the day of the Decision was found. */
    public String timeZone() {
      return required("time_zone", Readers.TEXT);
    }

    /** The day from which a bar of this Decision counts. */
    public LocalDate boundFrom() {
      return required("bound_from", Readers.DAY);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Optional<Instant> decidedAt() {
      return optional("decided_at", Readers.MOMENT);
    }
  }

  /** The resolution as the API answers it, with reference, actor and basis under <code>act</code>. */
  public static final class DecisionResolvedBody extends JsonObject {
    public DecisionResolvedBody(Map<String, ?> members) {
      super(members);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public String decisionId() {
      return required("decision_id", Readers.TEXT);
    }

    public String outcome() {
      return required("outcome", Readers.TEXT);
    }

    /** On an approval: the numbers of periods offered. */
    public Optional<List<Long>> terms() {
      return optional("terms", Readers.list(Readers.NUMBER));
    }

    /** On an approval. */
    public Optional<CreditDecidedBodyRate> rate() {
      return optional("rate", Readers.object(CreditDecidedBodyRate::new));
    }

    /** On an approval. */
    public Optional<Money> principalMax() {
      return optional("principal_max", Readers.object(Money::new));
    }

    /** On a refusal: for how many days it bars the Client. */
    public Optional<Long> moratoriumDays() {
      return optional("moratorium_days", Readers.NUMBER);
    }
  }

  /** The facility as the API answers it, with reference, actor and basis under <code>act</code>. */
  public static final class FacilityOpenedBody extends JsonObject {
    public FacilityOpenedBody(Map<String, ?> members) {
      super(members);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    /** The configuration version of the Decision. */
    public long decidedVersion() {
      return required("decided_version", Readers.NUMBER);
    }

    /** The approving Decision. */
    public String decisionId() {
      return required("decision_id", Readers.TEXT);
    }

    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    /** A yearly rate as a fraction of one. */
    public FacilityOpenedBodyRate rate() {
      return required("rate", Readers.object(FacilityOpenedBodyRate::new));
    }

    /** The numbers of periods of Loans under the facility. */
    public List<Long> terms() {
      return required("terms", Readers.list(Readers.NUMBER));
    }

    /** The first day on which it may be drawn. */
    public LocalDate opensOn() {
      return required("opens_on", Readers.DAY);
    }

    /** The last day on which it may be drawn. */
    public LocalDate expiresOn() {
      return required("expires_on", Readers.DAY);
    }

    /** Whether repayment makes the amount available again. */
    public boolean line() {
      return required("line", Readers.FLAG);
    }

    /** The line that this one replaced. */
    public Optional<String> supersedes() {
      return optional("supersedes", Readers.TEXT);
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>reference</code>, <code>configuration</code>, <code>stated</code> (the requested terms), and the terms fixed at issuance: <code>terms</code>, <code>plan</code>, <code>disclosure</code>. */
  public static final class IssuedBody extends JsonObject {
    public IssuedBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public IssuedBodyConfiguration configuration() {
      return required("configuration", Readers.object(IssuedBodyConfiguration::new));
    }

    public IssuedBodyStated stated() {
      return required("stated", Readers.object(IssuedBodyStated::new));
    }

    public IssuedBodyTerms terms() {
      return required("terms", Readers.object(IssuedBodyTerms::new));
    }

    public IssuedBodyPlan plan() {
      return required("plan", Readers.object(IssuedBodyPlan::new));
    }

    public IssuedBodyDisclosure disclosure() {
      return required("disclosure", Readers.object(IssuedBodyDisclosure::new));
    }
  }

  /** <code>fp</code>, <code>public_key</code>, <code>scope</code>, <code>holder</code>, <code>label</code>, <code>actor</code>, <code>origin</code>. */
  public static final class KeyMintedBody extends JsonObject {
    public KeyMintedBody(Map<String, ?> members) {
      super(members);
    }

    public String fp() {
      return required("fp", Readers.TEXT);
    }

    public String publicKey() {
      return required("public_key", Readers.TEXT);
    }

    public String scope() {
      return required("scope", Readers.TEXT);
    }

    public String holder() {
      return required("holder", Readers.TEXT);
    }

    public String label() {
      return required("label", Readers.TEXT);
    }

    public Optional<String> actor() {
      return optional("actor", Readers.TEXT);
    }

    public Optional<FactOrigin> origin() {
      return optional("origin", Readers.object(FactOrigin::new));
    }
  }

  /** <code>fp</code>, <code>actor</code>, <code>origin</code>. */
  public static final class KeyRevokedBody extends JsonObject {
    public KeyRevokedBody(Map<String, ?> members) {
      super(members);
    }

    public String fp() {
      return required("fp", Readers.TEXT);
    }

    public Optional<String> actor() {
      return optional("actor", Readers.TEXT);
    }

    public Optional<FactOrigin> origin() {
      return optional("origin", Readers.object(FactOrigin::new));
    }
  }

  /** <code>lookup_key</code>, <code>configuration_id</code>, <code>configuration_version</code>. */
  public static final class LookupKeyPointedBody extends JsonObject {
    public LookupKeyPointedBody(Map<String, ?> members) {
      super(members);
    }

    public String lookupKey() {
      return required("lookup_key", Readers.TEXT);
    }

    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    public long configurationVersion() {
      return required("configuration_version", Readers.NUMBER);
    }
  }

  /** <code>lookup_key</code>. */
  public static final class LookupKeyRemovedBody extends JsonObject {
    public LookupKeyRemovedBody(Map<String, ?> members) {
      super(members);
    }

    public String lookupKey() {
      return required("lookup_key", Readers.TEXT);
    }
  }

  /** <code>id</code>, <code>loan_id</code>, <code>on</code>, <code>owed</code>, <code>act</code>. */
  public static final class PayoffQuotedBody extends JsonObject {
    public PayoffQuotedBody(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public PayoffQuotedBodyOwed owed() {
      return required("owed", Readers.object(PayoffQuotedBodyOwed::new));
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** <code>act_id</code>, <code>action</code>, <code>subject</code>, <code>before</code>, <code>after</code>, <code>actor</code>, <code>origin</code>. What was done to a person of the console; it changes no figures. */
  public static final class PersonActBody extends JsonObject {
    public PersonActBody(Map<String, ?> members) {
      super(members);
    }

    public String actId() {
      return required("act_id", Readers.TEXT);
    }

    public String action() {
      return required("action", Readers.TEXT);
    }

    public String subject() {
      return required("subject", Readers.TEXT);
    }

    public Optional<String> before() {
      return optional("before", Readers.TEXT);
    }

    public Optional<String> after() {
      return optional("after", Readers.TEXT);
    }

    public Optional<String> actor() {
      return optional("actor", Readers.TEXT);
    }

    public Optional<FactOrigin> origin() {
      return optional("origin", Readers.object(FactOrigin::new));
    }
  }

  /** <code>configuration_id</code>, <code>policy</code>, <code>version</code>, <code>enforce_bar</code>, <code>adopted_by</code>, <code>act</code>. */
  public static final class PolicyAdoptedBody extends JsonObject {
    public PolicyAdoptedBody(Map<String, ?> members) {
      super(members);
    }

    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    public String policy() {
      return required("policy", Readers.TEXT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }

    public boolean enforceBar() {
      return required("enforce_bar", Readers.FLAG);
    }

    public String adoptedBy() {
      return required("adopted_by", Readers.TEXT);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** <code>policy</code>, <code>version</code>, <code>digest</code>, <code>content</code>, <code>drafted_by</code>, <code>act</code>. */
  public static final class PolicyDraftedBody extends JsonObject {
    public PolicyDraftedBody(Map<String, ?> members) {
      super(members);
    }

    public String policy() {
      return required("policy", Readers.TEXT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }

    public String digest() {
      return required("digest", Readers.TEXT);
    }

    public Map<String, Object> content() {
      return required("content", Readers.map(Readers.ANY));
    }

    public String draftedBy() {
      return required("drafted_by", Readers.TEXT);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** <code>policy</code>, <code>version</code>, <code>published_by</code>, <code>self_confirmed</code>, <code>act</code>. */
  public static final class PolicyPublishedBody extends JsonObject {
    public PolicyPublishedBody(Map<String, ?> members) {
      super(members);
    }

    public String policy() {
      return required("policy", Readers.TEXT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }

    public String publishedBy() {
      return required("published_by", Readers.TEXT);
    }

    public boolean selfConfirmed() {
      return required("self_confirmed", Readers.FLAG);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** <code>id</code>, <code>receipt</code> (as requested), <code>quote</code> (if the Receipt names one). */
  public static final class ReceiptReportedBody extends JsonObject {
    public ReceiptReportedBody(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public ReceiptReportedBodyReceipt receipt() {
      return required("receipt", Readers.object(ReceiptReportedBodyReceipt::new));
    }

    public Optional<ReceiptReportedBodyQuote> quote() {
      return optional("quote", Readers.object(ReceiptReportedBodyQuote::new));
    }
  }

  /** <code>receipt</code> (its reference), <code>reason</code>, <code>act</code>. */
  public static final class ReceiptReversedBody extends JsonObject {
    public ReceiptReversedBody(Map<String, ?> members) {
      super(members);
    }

    public String receipt() {
      return required("receipt", Readers.TEXT);
    }

    public String reason() {
      return required("reason", Readers.TEXT);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** The members of the registration. */
  public static final class RegisteredBody extends JsonObject {
    public RegisteredBody(Map<String, ?> members) {
      super(members);
    }

    public String actor() {
      return required("actor", Readers.TEXT);
    }

    public String basis() {
      return required("basis", Readers.TEXT);
    }

    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }
  }

  /** <code>basis</code>, <code>drop</code> (the submissions that were dropped), <code>actor</code>. It releases a parked book and changes no figures. */
  public static final class ReleasedBody extends JsonObject {
    public ReleasedBody(Map<String, ?> members) {
      super(members);
    }

    public String basis() {
      return required("basis", Readers.TEXT);
    }

    public List<String> drop() {
      return required("drop", Readers.list(Readers.TEXT));
    }

    public Optional<String> actor() {
      return optional("actor", Readers.TEXT);
    }

    public Optional<FactOrigin> origin() {
      return optional("origin", Readers.object(FactOrigin::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code> */
  public static final class RescindedBody extends JsonObject {
    public RescindedBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code>, <code>stated</code>: <code>term_periods</code>, <code>rate</code>, <code>schedule</code>, <code>penalty_rate</code> */
  public static final class RestructuredBody extends JsonObject {
    public RestructuredBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public RestructuredBodyStated stated() {
      return required("stated", Readers.object(RestructuredBodyStated::new));
    }

    public String calendar() {
      return required("calendar", Readers.TEXT);
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code>, <code>stated</code>: <code>event_id</code> (the withdrawn fact) */
  public static final class RetractedBody extends JsonObject {
    public RetractedBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public RetractedBodyStated stated() {
      return required("stated", Readers.object(RetractedBodyStated::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code>, <code>stated</code>: <code>amount</code> */
  public static final class ReturnedBody extends JsonObject {
    public ReturnedBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public ReturnedBodyStated stated() {
      return required("stated", Readers.object(ReturnedBodyStated::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code> */
  public static final class RolledOverBody extends JsonObject {
    public RolledOverBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public String calendar() {
      return required("calendar", Readers.TEXT);
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code>, <code>stated</code>: <code>agreed</code>, <code>until</code> */
  public static final class SettledForLessBody extends JsonObject {
    public SettledForLessBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public SettledForLessBodyStated stated() {
      return required("stated", Readers.object(SettledForLessBodyStated::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code>, <code>stated</code>: <code>to</code> */
  public static final class SuspendedBody extends JsonObject {
    public SuspendedBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public SuspendedBodyStated stated() {
      return required("stated", Readers.object(SuspendedBodyStated::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code>, <code>stated</code>: <code>suspension_id</code> */
  public static final class SuspensionEndedBody extends JsonObject {
    public SuspensionEndedBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public SuspensionEndedBodyStated stated() {
      return required("stated", Readers.object(SuspensionEndedBodyStated::new));
    }
  }

  /** <code>basis</code>, <code>keys</code> (the fingerprints of the keys it revoked: all that were valid), <code>actor</code>, <code>origin</code>. */
  public static final class TenancyClosedBody extends JsonObject {
    public TenancyClosedBody(Map<String, ?> members) {
      super(members);
    }

    public String basis() {
      return required("basis", Readers.TEXT);
    }

    public List<String> keys() {
      return required("keys", Readers.list(Readers.TEXT));
    }

    public Optional<String> actor() {
      return optional("actor", Readers.TEXT);
    }

    public Optional<FactOrigin> origin() {
      return optional("origin", Readers.object(FactOrigin::new));
    }
  }

  /** <code>name</code>, <code>live</code>, <code>jurisdiction</code>, <code>time_zone</code>, <code>bounds</code>, <code>actor</code> (the operator), <code>origin</code> (where it was done: <code>channel</code>, <code>address</code>). */
  public static final class TenancyOpenedBody extends JsonObject {
    public TenancyOpenedBody(Map<String, ?> members) {
      super(members);
    }

    public String name() {
      return required("name", Readers.TEXT);
    }

    public boolean live() {
      return required("live", Readers.FLAG);
    }

    public String jurisdiction() {
      return required("jurisdiction", Readers.TEXT);
    }

    public String timeZone() {
      return required("time_zone", Readers.TEXT);
    }

    public Optional<Map<String, Object>> bounds() {
      return optional("bounds", Readers.map(Readers.ANY));
    }

    public Optional<String> actor() {
      return optional("actor", Readers.TEXT);
    }

    public Optional<FactOrigin> origin() {
      return optional("origin", Readers.object(FactOrigin::new));
    }
  }

  /** <code>actor</code>, <code>origin</code>. The keys stay revoked. */
  public static final class TenancyReopenedBody extends JsonObject {
    public TenancyReopenedBody(Map<String, ?> members) {
      super(members);
    }

    public Optional<String> actor() {
      return optional("actor", Readers.TEXT);
    }

    public Optional<FactOrigin> origin() {
      return optional("origin", Readers.object(FactOrigin::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code> */
  public static final class VoidedBody extends JsonObject {
    public VoidedBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code>, <code>stated</code>: <code>period</code>, <code>charge</code>, <code>amount</code> */
  public static final class WaivedBody extends JsonObject {
    public WaivedBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }

    public WaivedBodyStated stated() {
      return required("stated", Readers.object(WaivedBodyStated::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code> */
  public static final class WithdrawnBody extends JsonObject {
    public WithdrawnBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** <code>loan_id</code>, <code>event_id</code>, <code>on</code>, <code>act</code> */
  public static final class WrittenOffBody extends JsonObject {
    public WrittenOffBody(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public FactAct act() {
      return required("act", Readers.object(FactAct::new));
    }
  }

  /** The optional parameters of <code>listLoans</code>. */
  public static final class ListLoansQuery extends JsonObject {
    public ListLoansQuery() {}

    public ListLoansQuery(Map<String, ?> members) {
      super(members);
    }

    /** Only items of this Client. */
    public Optional<String> clientId() {
      return optional("client_id", Readers.TEXT);
    }

    /** Only items of this Client. */
    public ListLoansQuery withClientId(String value) {
      return new ListLoansQuery(with("client_id", value));
    }

    /** Only items of this product, in any version. */
    public Optional<String> configurationId() {
      return optional("configuration_id", Readers.TEXT);
    }

    /** Only items of this product, in any version. */
    public ListLoansQuery withConfigurationId(String value) {
      return new ListLoansQuery(with("configuration_id", value));
    }

    /** Only items of this merchant. */
    public Optional<String> merchantRef() {
      return optional("merchant_ref", Readers.TEXT);
    }

    /** Only items of this merchant. */
    public ListLoansQuery withMerchantRef(String value) {
      return new ListLoansQuery(with("merchant_ref", value));
    }

    /**
     * Only Loans in this state. <code>expired</code> requires <code>on</code>.
     * One of <code>active</code>, <code>closed</code>, <code>cancelled</code>, <code>written_off</code>, <code>ceded</code>, <code>held</code>, <code>expired</code>, <code>voided</code>, <code>rescinded</code>, <code>withdrawn</code>, <code>restructured</code>.
     */
    public Optional<String> state() {
      return optional("state", Readers.TEXT);
    }

    /**
     * Only Loans in this state. <code>expired</code> requires <code>on</code>.
     * One of <code>active</code>, <code>closed</code>, <code>cancelled</code>, <code>written_off</code>, <code>ceded</code>, <code>held</code>, <code>expired</code>, <code>voided</code>, <code>rescinded</code>, <code>withdrawn</code>, <code>restructured</code>.
     */
    public ListLoansQuery withState(String value) {
      return new ListLoansQuery(with("state", value));
    }

    /** The day that decides between <code>held</code> and <code>expired</code>. */
    public Optional<LocalDate> on() {
      return optional("on", Readers.DAY);
    }

    /** The day that decides between <code>held</code> and <code>expired</code>. */
    public ListLoansQuery withOn(LocalDate value) {
      return new ListLoansQuery(with("on", value));
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ListLoansQuery withLimit(long value) {
      return new ListLoansQuery(with("limit", value));
    }
  }

  /** The optional parameters of <code>listPayoffQuotes</code>. */
  public static final class ListPayoffQuotesQuery extends JsonObject {
    public ListPayoffQuotesQuery() {}

    public ListPayoffQuotesQuery(Map<String, ?> members) {
      super(members);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ListPayoffQuotesQuery withLimit(long value) {
      return new ListPayoffQuotesQuery(with("limit", value));
    }
  }

  /** The optional parameters of <code>readSchedule</code>. */
  public static final class ReadScheduleQuery extends JsonObject {
    public ReadScheduleQuery() {}

    public ReadScheduleQuery(Map<String, ?> members) {
      super(members);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public Optional<Instant> knownAt() {
      return optional("known_at", Readers.MOMENT);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public ReadScheduleQuery withKnownAt(Instant value) {
      return new ReadScheduleQuery(with("known_at", value));
    }
  }

  /** The optional parameters of <code>readDelinquency</code>. */
  public static final class ReadDelinquencyQuery extends JsonObject {
    public ReadDelinquencyQuery() {}

    public ReadDelinquencyQuery(Map<String, ?> members) {
      super(members);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public Optional<Instant> knownAt() {
      return optional("known_at", Readers.MOMENT);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public ReadDelinquencyQuery withKnownAt(Instant value) {
      return new ReadDelinquencyQuery(with("known_at", value));
    }
  }

  /** The optional parameters of <code>explainLoan</code>. */
  public static final class ExplainLoanQuery extends JsonObject {
    public ExplainLoanQuery() {}

    public ExplainLoanQuery(Map<String, ?> members) {
      super(members);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public Optional<Instant> knownAt() {
      return optional("known_at", Readers.MOMENT);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public ExplainLoanQuery withKnownAt(Instant value) {
      return new ExplainLoanQuery(with("known_at", value));
    }
  }

  /** The optional parameters of <code>readLoanStatement</code>. */
  public static final class ReadLoanStatementQuery extends JsonObject {
    public ReadLoanStatementQuery() {}

    public ReadLoanStatementQuery(Map<String, ?> members) {
      super(members);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public Optional<Instant> knownAt() {
      return optional("known_at", Readers.MOMENT);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public ReadLoanStatementQuery withKnownAt(Instant value) {
      return new ReadLoanStatementQuery(with("known_at", value));
    }
  }

  /** The optional parameters of <code>readFeed</code>. */
  public static final class ReadFeedQuery extends JsonObject {
    public ReadFeedQuery() {}

    public ReadFeedQuery(Map<String, ?> members) {
      super(members);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ReadFeedQuery withLimit(long value) {
      return new ReadFeedQuery(with("limit", value));
    }

    /** The cursor of the previous page. It never expires and belongs to this listing and its filters. */
    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }

    /** The cursor of the previous page. It never expires and belongs to this listing and its filters. */
    public ReadFeedQuery withCursor(String value) {
      return new ReadFeedQuery(with("cursor", value));
    }
  }

  /** The optional parameters of <code>listClients</code>. */
  public static final class ListClientsQuery extends JsonObject {
    public ListClientsQuery() {}

    public ListClientsQuery(Map<String, ?> members) {
      super(members);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ListClientsQuery withLimit(long value) {
      return new ListClientsQuery(with("limit", value));
    }
  }

  /** The optional parameters of <code>readPaymentOptions</code>. */
  public static final class ReadPaymentOptionsQuery extends JsonObject {
    public ReadPaymentOptionsQuery() {}

    public ReadPaymentOptionsQuery(Map<String, ?> members) {
      super(members);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public Optional<Instant> knownAt() {
      return optional("known_at", Readers.MOMENT);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public ReadPaymentOptionsQuery withKnownAt(Instant value) {
      return new ReadPaymentOptionsQuery(with("known_at", value));
    }
  }

  /** The optional parameters of <code>readStatement</code>. */
  public static final class ReadStatementQuery extends JsonObject {
    public ReadStatementQuery() {}

    public ReadStatementQuery(Map<String, ?> members) {
      super(members);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public Optional<Instant> knownAt() {
      return optional("known_at", Readers.MOMENT);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public ReadStatementQuery withKnownAt(Instant value) {
      return new ReadStatementQuery(with("known_at", value));
    }
  }

  /** The optional parameters of <code>listReceipts</code>. */
  public static final class ListReceiptsQuery extends JsonObject {
    public ListReceiptsQuery() {}

    public ListReceiptsQuery(Map<String, ?> members) {
      super(members);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ListReceiptsQuery withLimit(long value) {
      return new ListReceiptsQuery(with("limit", value));
    }
  }

  /** The optional parameters of <code>readObligations</code>. */
  public static final class ReadObligationsQuery extends JsonObject {
    public ReadObligationsQuery() {}

    public ReadObligationsQuery(Map<String, ?> members) {
      super(members);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ReadObligationsQuery withLimit(long value) {
      return new ReadObligationsQuery(with("limit", value));
    }
  }

  /** The optional parameters of <code>readClientBook</code>. */
  public static final class ReadClientBookQuery extends JsonObject {
    public ReadClientBookQuery() {}

    public ReadClientBookQuery(Map<String, ?> members) {
      super(members);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public Optional<Instant> knownAt() {
      return optional("known_at", Readers.MOMENT);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public ReadClientBookQuery withKnownAt(Instant value) {
      return new ReadClientBookQuery(with("known_at", value));
    }
  }

  /** The optional parameters of <code>readChanges</code>. */
  public static final class ReadChangesQuery extends JsonObject {
    public ReadChangesQuery() {}

    public ReadChangesQuery(Map<String, ?> members) {
      super(members);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public Optional<Instant> knownAt() {
      return optional("known_at", Readers.MOMENT);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public ReadChangesQuery withKnownAt(Instant value) {
      return new ReadChangesQuery(with("known_at", value));
    }
  }

  /** The optional parameters of <code>readMerchantBook</code>. */
  public static final class ReadMerchantBookQuery extends JsonObject {
    public ReadMerchantBookQuery() {}

    public ReadMerchantBookQuery(Map<String, ?> members) {
      super(members);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ReadMerchantBookQuery withLimit(long value) {
      return new ReadMerchantBookQuery(with("limit", value));
    }
  }

  /** The optional parameters of <code>listConfigurations</code>. */
  public static final class ListConfigurationsQuery extends JsonObject {
    public ListConfigurationsQuery() {}

    public ListConfigurationsQuery(Map<String, ?> members) {
      super(members);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ListConfigurationsQuery withLimit(long value) {
      return new ListConfigurationsQuery(with("limit", value));
    }
  }

  /** The optional parameters of <code>listConfigurationVersions</code>. */
  public static final class ListConfigurationVersionsQuery extends JsonObject {
    public ListConfigurationVersionsQuery() {}

    public ListConfigurationVersionsQuery(Map<String, ?> members) {
      super(members);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ListConfigurationVersionsQuery withLimit(long value) {
      return new ListConfigurationVersionsQuery(with("limit", value));
    }
  }

  public static final class WriteConfigurationVersionBody extends JsonObject {
    public WriteConfigurationVersionBody() {}

    public WriteConfigurationVersionBody(Map<String, ?> members) {
      super(members);
    }

    /** All values, by the archetype of the configuration. */
    public JsonObject values() {
      return required("values", Readers.OBJECT);
    }

    /** All values, by the archetype of the configuration. */
    public WriteConfigurationVersionBody withValues(JsonObject value) {
      return new WriteConfigurationVersionBody(with("values", value));
    }
  }

  public static final class RehearseItem extends JsonObject {
    public RehearseItem(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** Only if the product would not offer the Loan. Its figures then stay as issued. */
    public Optional<RehearseItemRefused> refused() {
      return optional("refused", Readers.object(RehearseItemRefused::new));
    }

    public List<RehearseItemChanges> changes() {
      return required("changes", Readers.list(Readers.object(RehearseItemChanges::new)));
    }

    /** Only if the Client's book was not computed: book_not_derivable, or book_too_large for one request. */
    public Optional<List<Anomaly>> anomalies() {
      return optional("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }
  }

  public static final class RehearseBody extends JsonObject {
    public RehearseBody() {}

    public RehearseBody(Map<String, ?> members) {
      super(members);
    }

    /** All values, by the archetype of the configuration. */
    public JsonObject values() {
      return required("values", Readers.OBJECT);
    }

    /** All values, by the archetype of the configuration. */
    public RehearseBody withValues(JsonObject value) {
      return new RehearseBody(with("values", value));
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public RehearseBody withOn(LocalDate value) {
      return new RehearseBody(with("on", value));
    }

    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    public RehearseBody withLimit(long value) {
      return new RehearseBody(with("limit", value));
    }

    public Optional<String> cursor() {
      return optional("cursor", Readers.TEXT);
    }

    public RehearseBody withCursor(String value) {
      return new RehearseBody(with("cursor", value));
    }
  }

  /** The optional parameters of <code>listLookupKeys</code>. */
  public static final class ListLookupKeysQuery extends JsonObject {
    public ListLookupKeysQuery() {}

    public ListLookupKeysQuery(Map<String, ?> members) {
      super(members);
    }

    /** Only this key. May be repeated. */
    public Optional<List<String>> lookupKey() {
      return optional("lookup_key", Readers.list(Readers.TEXT));
    }

    /** Only this key. May be repeated. */
    public ListLookupKeysQuery withLookupKey(List<String> value) {
      return new ListLookupKeysQuery(with("lookup_key", value));
    }
  }

  /** The optional parameters of <code>listPolicies</code>. */
  public static final class ListPoliciesQuery extends JsonObject {
    public ListPoliciesQuery() {}

    public ListPoliciesQuery(Map<String, ?> members) {
      super(members);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ListPoliciesQuery withLimit(long value) {
      return new ListPoliciesQuery(with("limit", value));
    }
  }

  public static final class ListPoliciesItem extends JsonObject {
    public ListPoliciesItem(Map<String, ?> members) {
      super(members);
    }

    public String policy() {
      return required("policy", Readers.TEXT);
    }

    /** The number of the newest version, published or not. */
    public long latestVersion() {
      return required("latest_version", Readers.NUMBER);
    }

    /** Absent until a version is published. */
    public Optional<Long> latestPublished() {
      return optional("latest_published", Readers.NUMBER);
    }
  }

  /** The optional parameters of <code>readPolicy</code>. */
  public static final class ReadPolicyQuery extends JsonObject {
    public ReadPolicyQuery() {}

    public ReadPolicyQuery(Map<String, ?> members) {
      super(members);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ReadPolicyQuery withLimit(long value) {
      return new ReadPolicyQuery(with("limit", value));
    }
  }

  public static final class ValidatePolicyBody extends JsonObject {
    public ValidatePolicyBody() {}

    public ValidatePolicyBody(Map<String, ?> members) {
      super(members);
    }

    public PolicyContent content() {
      return required("content", Readers.object(PolicyContent::new));
    }

    public ValidatePolicyBody withContent(PolicyContent value) {
      return new ValidatePolicyBody(with("content", value));
    }
  }

  public static final class DraftPolicyVersionBody extends JsonObject {
    public DraftPolicyVersionBody() {}

    public DraftPolicyVersionBody(Map<String, ?> members) {
      super(members);
    }

    public PolicyContent content() {
      return required("content", Readers.object(PolicyContent::new));
    }

    public DraftPolicyVersionBody withContent(PolicyContent value) {
      return new DraftPolicyVersionBody(with("content", value));
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public DraftPolicyVersionBody withReference(String value) {
      return new DraftPolicyVersionBody(with("reference", value));
    }

    public String actor() {
      return required("actor", Readers.TEXT);
    }

    public DraftPolicyVersionBody withActor(String value) {
      return new DraftPolicyVersionBody(with("actor", value));
    }

    public String basis() {
      return required("basis", Readers.TEXT);
    }

    public DraftPolicyVersionBody withBasis(String value) {
      return new DraftPolicyVersionBody(with("basis", value));
    }

    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    public DraftPolicyVersionBody withContext(Map<String, Object> value) {
      return new DraftPolicyVersionBody(with("context", value));
    }
  }

  /** The optional parameters of <code>listDecisions</code>. */
  public static final class ListDecisionsQuery extends JsonObject {
    public ListDecisionsQuery() {}

    public ListDecisionsQuery(Map<String, ?> members) {
      super(members);
    }

    /** Only items of this Client. */
    public Optional<String> client() {
      return optional("client", Readers.TEXT);
    }

    /** Only items of this Client. */
    public ListDecisionsQuery withClient(String value) {
      return new ListDecisionsQuery(with("client", value));
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ListDecisionsQuery withLimit(long value) {
      return new ListDecisionsQuery(with("limit", value));
    }
  }

  /** The optional parameters of <code>readBar</code>. */
  public static final class ReadBarQuery extends JsonObject {
    public ReadBarQuery() {}

    public ReadBarQuery(Map<String, ?> members) {
      super(members);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public Optional<Instant> knownAt() {
      return optional("known_at", Readers.MOMENT);
    }

    /** Answers from the facts recorded by this moment, withdrawals included. */
    public ReadBarQuery withKnownAt(Instant value) {
      return new ReadBarQuery(with("known_at", value));
    }
  }

  /** The optional parameters of <code>listFacilities</code>. */
  public static final class ListFacilitiesQuery extends JsonObject {
    public ListFacilitiesQuery() {}

    public ListFacilitiesQuery(Map<String, ?> members) {
      super(members);
    }

    /** Only items of this Client. */
    public Optional<String> client() {
      return optional("client", Readers.TEXT);
    }

    /** Only items of this Client. */
    public ListFacilitiesQuery withClient(String value) {
      return new ListFacilitiesQuery(with("client", value));
    }
  }

  /** The optional parameters of <code>readDues</code>. */
  public static final class ReadDuesQuery extends JsonObject {
    public ReadDuesQuery() {}

    public ReadDuesQuery(Map<String, ?> members) {
      super(members);
    }

    /** <code>late</code>: only Loans that are late. */
    public Optional<String> only() {
      return optional("only", Readers.TEXT);
    }

    /** <code>late</code>: only Loans that are late. */
    public ReadDuesQuery withOnly(String value) {
      return new ReadDuesQuery(with("only", value));
    }

    /** Only Loans that are at least so many days past due. */
    public Optional<Long> minDaysPastDue() {
      return optional("min_days_past_due", Readers.NUMBER);
    }

    /** Only Loans that are at least so many days past due. */
    public ReadDuesQuery withMinDaysPastDue(long value) {
      return new ReadDuesQuery(with("min_days_past_due", value));
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ReadDuesQuery withLimit(long value) {
      return new ReadDuesQuery(with("limit", value));
    }
  }

  /** The optional parameters of <code>listRequests</code>. */
  public static final class ListRequestsQuery extends JsonObject {
    public ListRequestsQuery() {}

    public ListRequestsQuery(Map<String, ?> members) {
      super(members);
    }

    /** Only the request with this <code>Request-Id</code> of an answer. */
    public Optional<String> requestId() {
      return optional("request_id", Readers.TEXT);
    }

    /** Only the request with this <code>Request-Id</code> of an answer. */
    public ListRequestsQuery withRequestId(String value) {
      return new ListRequestsQuery(with("request_id", value));
    }

    /** Only requests with this <code>Request-Id</code> of the caller. */
    public Optional<String> callerRequestId() {
      return optional("caller_request_id", Readers.TEXT);
    }

    /** Only requests with this <code>Request-Id</code> of the caller. */
    public ListRequestsQuery withCallerRequestId(String value) {
      return new ListRequestsQuery(with("caller_request_id", value));
    }

    /** Only requests received on this day in UTC. */
    public Optional<LocalDate> day() {
      return optional("day", Readers.DAY);
    }

    /** Only requests received on this day in UTC. */
    public ListRequestsQuery withDay(LocalDate value) {
      return new ListRequestsQuery(with("day", value));
    }

    /** Only requests of the key with this fingerprint. */
    public Optional<String> fp() {
      return optional("fp", Readers.TEXT);
    }

    /** Only requests of the key with this fingerprint. */
    public ListRequestsQuery withFp(String value) {
      return new ListRequestsQuery(with("fp", value));
    }

    /** Only requests with this HTTP method. */
    public Optional<String> method() {
      return optional("method", Readers.TEXT);
    }

    /** Only requests with this HTTP method. */
    public ListRequestsQuery withMethod(String value) {
      return new ListRequestsQuery(with("method", value));
    }

    /** Only requests of this operation of the document. */
    public Optional<String> route() {
      return optional("route", Readers.TEXT);
    }

    /** Only requests of this operation of the document. */
    public ListRequestsQuery withRoute(String value) {
      return new ListRequestsQuery(with("route", value));
    }

    /** Only requests whose path and query contain this text, such as the id of a Loan. */
    public Optional<String> target() {
      return optional("target", Readers.TEXT);
    }

    /** Only requests whose path and query contain this text, such as the id of a Loan. */
    public ListRequestsQuery withTarget(String value) {
      return new ListRequestsQuery(with("target", value));
    }

    /** Only requests with this HTTP status. */
    public Optional<Long> status() {
      return optional("status", Readers.NUMBER);
    }

    /** Only requests with this HTTP status. */
    public ListRequestsQuery withStatus(long value) {
      return new ListRequestsQuery(with("status", value));
    }

    /** Only requests refused with this code. */
    public Optional<String> code() {
      return optional("code", Readers.TEXT);
    }

    /** Only requests refused with this code. */
    public ListRequestsQuery withCode(String value) {
      return new ListRequestsQuery(with("code", value));
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public Optional<Long> limit() {
      return optional("limit", Readers.NUMBER);
    }

    /** The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused. */
    public ListRequestsQuery withLimit(long value) {
      return new ListRequestsQuery(with("limit", value));
    }
  }

  public static final class ReadLivenessAnswer extends JsonObject {
    public ReadLivenessAnswer(Map<String, ?> members) {
      super(members);
    }

    public String status() {
      return required("status", Readers.TEXT);
    }
  }

  public static final class RefusalDetailsFields extends JsonObject {
    public RefusalDetailsFields(Map<String, ?> members) {
      super(members);
    }

    /** A JSON pointer into the body. */
    public String field() {
      return required("field", Readers.TEXT);
    }

    /**
     * The code of a refusal for this field alone.
     * One of <code>unknown_field</code>, <code>missing_field</code>, <code>invalid_field</code>, <code>invalid_identifier</code>, <code>amount_out_of_range</code>, <code>field_locked</code>, <code>payoff_needs_designation</code>, <code>invalid_policy</code>.
     */
    public String code() {
      return required("code", Readers.TEXT);
    }

    /** The value or limit that is accepted. */
    public Optional<Object> bound() {
      return optional("bound", Readers.ANY);
    }

    /** The value that was sent. */
    public Optional<Object> observed() {
      return optional("observed", Readers.ANY);
    }
  }

  public static final class LoanTotals extends JsonObject {
    public LoanTotals(Map<String, ?> members) {
      super(members);
    }

    /** The sum of the payments of the plan, including the payment at purchase. */
    public Money payments() {
      return required("payments", Readers.object(Money::new));
    }
  }

  /** Only if a write-off is in force. */
  public static final class LoanWriteOff extends JsonObject {
    public LoanWriteOff(Map<String, ?> members) {
      super(members);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** The debt on the day of the write-off. */
    public Owed cost() {
      return required("cost", Readers.object(Owed::new));
    }

    public Money recovered() {
      return required("recovered", Readers.object(Money::new));
    }
  }

  public static final class LoanTermsTax extends JsonObject {
    public LoanTermsTax(Map<String, ?> members) {
      super(members);
    }

    /** Per cent a year. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    public List<String> on() {
      return required("on", Readers.list(Readers.TEXT));
    }
  }

  /** The terms as sent. */
  public static final class LoanPreviewTerms extends JsonObject {
    public LoanPreviewTerms(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    public long termPeriods() {
      return required("term_periods", Readers.NUMBER);
    }

    /** As sent, or from the facility or a single-point corridor. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    /** As sent, or from a single-point corridor. */
    public String penaltyRate() {
      return required("penalty_rate", Readers.TEXT);
    }

    public LocalDate anchor() {
      return required("anchor", Readers.DAY);
    }

    public String jurisdiction() {
      return required("jurisdiction", Readers.TEXT);
    }

    public LoanTermsTax tax() {
      return required("tax", Readers.object(LoanTermsTax::new));
    }

    public Optional<Money> downPayment() {
      return optional("down_payment", Readers.object(Money::new));
    }

    public Optional<Schedule> schedule() {
      return optional("schedule", Readers.object(Schedule::new));
    }

    public Optional<String> merchantRef() {
      return optional("merchant_ref", Readers.TEXT);
    }

    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    public Optional<String> facilityId() {
      return optional("facility_id", Readers.TEXT);
    }

    public Optional<LocalDate> holdUntil() {
      return optional("hold_until", Readers.DAY);
    }
  }

  /** Absent if the issuance cannot be read either. */
  public static final class RecordedLoanRowTotals extends JsonObject {
    public RecordedLoanRowTotals(Map<String, ?> members) {
      super(members);
    }

    public Money payments() {
      return required("payments", Readers.object(Money::new));
    }
  }

  /** On a withdrawn fact, which has no effect and stays readable. */
  public static final class LoanEventRetraction extends JsonObject {
    public LoanEventRetraction(Map<String, ?> members) {
      super(members);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant recordedAt() {
      return required("recorded_at", Readers.MOMENT);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The reason. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** As sent. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }
  }

  /** The whole amount that discharges the Loan. */
  public static final class LoanPaymentOptionsPayoff extends JsonObject {
    public LoanPaymentOptionsPayoff(Map<String, ?> members) {
      super(members);
    }

    public Owed owed() {
      return required("owed", Readers.object(Owed::new));
    }

    public LocalDate actionableOn() {
      return required("actionable_on", Readers.DAY);
    }

    /** Always true. */
    public boolean requiresPayoffIntent() {
      return required("requires_payoff_intent", Readers.FLAG);
    }

    /** True if the Client has another open Loan in the currency. */
    public boolean requiresDesignation() {
      return required("requires_designation", Readers.FLAG);
    }
  }

  public static final class LoanPaymentOptionsAnyOtherAmount extends JsonObject {
    public LoanPaymentOptionsAnyOtherAmount(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>reduces_principal</code>, <code>shortens_term</code>, <code>settles_next</code>. */
    public String treatment() {
      return required("treatment", Readers.TEXT);
    }

    /** A sentence for the borrower. */
    public String description() {
      return required("description", Readers.TEXT);
    }
  }

  /** Of an ended period, only the part that was settled. */
  public static final class LoanScheduleTotals extends JsonObject {
    public LoanScheduleTotals(Map<String, ?> members) {
      super(members);
    }

    public Owed charged() {
      return required("charged", Readers.object(Owed::new));
    }

    public Owed settled() {
      return required("settled", Readers.object(Owed::new));
    }

    public Owed waived() {
      return required("waived", Readers.object(Owed::new));
    }

    public Owed owed() {
      return required("owed", Readers.object(Owed::new));
    }
  }

  public static final class DelinquencyPeriods extends JsonObject {
    public DelinquencyPeriods(Map<String, ?> members) {
      super(members);
    }

    public long index() {
      return required("index", Readers.NUMBER);
    }

    public LocalDate dueOn() {
      return required("due_on", Readers.DAY);
    }

    public long daysPastDue() {
      return required("days_past_due", Readers.NUMBER);
    }

    public Owed owed() {
      return required("owed", Readers.object(Owed::new));
    }
  }

  /** The Receipts before those: with them <code>paid</code> is the sum of all. */
  public static final class LoanExplanationEarlierReceipts extends JsonObject {
    public LoanExplanationEarlierReceipts(Map<String, ?> members) {
      super(members);
    }

    public long count() {
      return required("count", Readers.NUMBER);
    }

    public Money settled() {
      return required("settled", Readers.object(Money::new));
    }
  }

  public static final class PeriodPartsInterest extends JsonObject {
    public PeriodPartsInterest(Map<String, ?> members) {
      super(members);
    }

    /** Per cent a year. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    /** Interest of the period runs from this day. */
    public LocalDate from() {
      return required("from", Readers.DAY);
    }

    public LocalDate to() {
      return required("to", Readers.DAY);
    }

    /** The principal that bears interest. */
    public Money balance() {
      return required("balance", Readers.object(Money::new));
    }

    /** The day since which the balance is this one. */
    public LocalDate balanceFrom() {
      return required("balance_from", Readers.DAY);
    }
  }

  /** Of a period that is past due and became late. */
  public static final class PeriodPartsPenalty extends JsonObject {
    public PeriodPartsPenalty(Map<String, ?> members) {
      super(members);
    }

    /** Per cent a year. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    /** What bears penalty on the next day. */
    public Money base() {
      return required("base", Readers.object(Money::new));
    }

    /** The days counted so far. */
    public long days() {
      return required("days", Readers.NUMBER);
    }

    /** The base of each counted day, added up: minor units times days. Absent with a ceiling of the whole Loan. */
    public Optional<String> baseDays() {
      return optional("base_days", Readers.TEXT);
    }
  }

  public static final class StatementCurrencies extends JsonObject {
    public StatementCurrencies(Map<String, ?> members) {
      super(members);
    }

    public String currency() {
      return required("currency", Readers.TEXT);
    }

    public long loans() {
      return required("loans", Readers.NUMBER);
    }

    /** Owed on the day before <code>from</code>. */
    public Money opening() {
      return required("opening", Readers.object(Money::new));
    }

    /** Charged from <code>from</code> to <code>to</code>, tax included. */
    public Money charged() {
      return required("charged", Readers.object(Money::new));
    }

    public Money received() {
      return required("received", Readers.object(Money::new));
    }

    /** Waived, forgiven or returned. */
    public Money released() {
      return required("released", Readers.object(Money::new));
    }

    public Money cededAway() {
      return required("ceded_away", Readers.object(Money::new));
    }

    /** Owed on <code>to</code>. */
    public Money closing() {
      return required("closing", Readers.object(Money::new));
    }

    public Money interestCharged() {
      return required("interest_charged", Readers.object(Money::new));
    }

    public Money commissionsCharged() {
      return required("commissions_charged", Readers.object(Money::new));
    }

    public Money penaltiesCharged() {
      return required("penalties_charged", Readers.object(Money::new));
    }

    /** Empty if there are none. */
    public List<Anomaly> anomalies() {
      return required("anomalies", Readers.list(Readers.object(Anomaly::new)));
    }
  }

  public static final class DuesPageTotals extends JsonObject {
    public DuesPageTotals(Map<String, ?> members) {
      super(members);
    }

    public String currency() {
      return required("currency", Readers.TEXT);
    }

    public long clients() {
      return required("clients", Readers.NUMBER);
    }

    public Money overdue() {
      return required("overdue", Readers.object(Money::new));
    }

    public Money late() {
      return required("late", Readers.object(Money::new));
    }
  }

  public static final class ClientDuesTotals extends JsonObject {
    public ClientDuesTotals(Map<String, ?> members) {
      super(members);
    }

    public String currency() {
      return required("currency", Readers.TEXT);
    }

    public Money overdue() {
      return required("overdue", Readers.object(Money::new));
    }

    public Money late() {
      return required("late", Readers.object(Money::new));
    }
  }

  public static final class ObligationsReturned extends JsonObject {
    public ObligationsReturned(Map<String, ?> members) {
      super(members);
    }

    public String act() {
      return required("act", Readers.TEXT);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    public Money interest() {
      return required("interest", Readers.object(Money::new));
    }

    /** The sum of principal and interest. */
    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }
  }

  public static final class ObligationsUndone extends JsonObject {
    public ObligationsUndone(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>rescinded</code>, <code>voided</code>, <code>withdrawn</code>. */
    public String kind() {
      return required("kind", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }

    public String act() {
      return required("act", Readers.TEXT);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public String receipt() {
      return required("receipt", Readers.TEXT);
    }

    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }
  }

  public static final class ObligationsCurrencies extends JsonObject {
    public ObligationsCurrencies(Map<String, ?> members) {
      super(members);
    }

    public String currency() {
      return required("currency", Readers.TEXT);
    }

    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }
  }

  public static final class ClientBookLoans extends JsonObject {
    public ClientBookLoans(Map<String, ?> members) {
      super(members);
    }

    public Loan loan() {
      return required("loan", Readers.object(Loan::new));
    }

    public LoanPaymentOptions paymentOptions() {
      return required("payment_options", Readers.object(LoanPaymentOptions::new));
    }

    public LoanSchedule schedule() {
      return required("schedule", Readers.object(LoanSchedule::new));
    }
  }

  public static final class BookChangesChanges extends JsonObject {
    public BookChangesChanges(Map<String, ?> members) {
      super(members);
    }

    /** The path of the figure: a JSON pointer in which items of a list are identified by name. */
    public String figure() {
      return required("figure", Readers.TEXT);
    }

    /** The value; absent if there was none. */
    public Optional<Object> from() {
      return optional("from", Readers.ANY);
    }

    /** The value; absent if there was none. */
    public Optional<Object> to() {
      return optional("to", Readers.ANY);
    }

    /** The facts that changed the figure. */
    public List<BookChangesChangesFacts> facts() {
      return required("facts", Readers.list(Readers.object(BookChangesChangesFacts::new)));
    }
  }

  public static final class SimulationOutcomes extends JsonObject {
    public SimulationOutcomes(Map<String, ?> members) {
      super(members);
    }

    /** The status that the route would have answered. */
    public long status() {
      return required("status", Readers.NUMBER);
    }

    public Optional<String> error() {
      return optional("error", Readers.TEXT);
    }

    public Optional<String> code() {
      return optional("code", Readers.TEXT);
    }

    public Optional<String> retry() {
      return optional("retry", Readers.TEXT);
    }

    public Optional<Long> retryAfter() {
      return optional("retry_after", Readers.NUMBER);
    }

    public Optional<RefusalDetails> details() {
      return optional("details", Readers.object(RefusalDetails::new));
    }
  }

  /** Only if reversed. */
  public static final class ReceiptRowReversal extends JsonObject {
    public ReceiptRowReversal(Map<String, ?> members) {
      super(members);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    /** The caller's identifier of the person or system that acts. */
    public String actor() {
      return required("actor", Readers.TEXT);
    }

    /** The reason. */
    public String basis() {
      return required("basis", Readers.TEXT);
    }

    /** As sent. */
    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    public String reason() {
      return required("reason", Readers.TEXT);
    }
  }

  public static final class ReceiptLoanLines extends JsonObject {
    public ReceiptLoanLines(Map<String, ?> members) {
      super(members);
    }

    public long period() {
      return required("period", Readers.NUMBER);
    }

    /** One of <code>principal</code>, <code>interest</code>, <code>fee</code>, <code>penalty</code>, <code>late_fee</code>. */
    public String charge() {
      return required("charge", Readers.TEXT);
    }

    /** Before tax. */
    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    public Money tax() {
      return required("tax", Readers.object(Money::new));
    }

    public Money total() {
      return required("total", Readers.object(Money::new));
    }
  }

  /** The schedule of every Loan. */
  public static final class InstalmentValuesSchedule extends JsonObject {
    public InstalmentValuesSchedule() {}

    public InstalmentValuesSchedule(Map<String, ?> members) {
      super(members);
    }

    /**
     * By months, or by a number of days. Both count from the anchor.
     * One of <code>anchored_monthly</code>, <code>anchored_every_n_days</code>.
     */
    public String kind() {
      return required("kind", Readers.TEXT);
    }

    /**
     * By months, or by a number of days. Both count from the anchor.
     * One of <code>anchored_monthly</code>, <code>anchored_every_n_days</code>.
     */
    public InstalmentValuesSchedule withKind(String value) {
      return new InstalmentValuesSchedule(with("kind", value));
    }

    /** With <code>anchored_every_n_days</code>: the days of each period. */
    public Optional<Long> intervalDays() {
      return optional("interval_days", Readers.NUMBER);
    }

    /** With <code>anchored_every_n_days</code>: the days of each period. */
    public InstalmentValuesSchedule withIntervalDays(long value) {
      return new InstalmentValuesSchedule(with("interval_days", value));
    }

    /** With <code>anchored_monthly</code>: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
    public Optional<Long> dayOfMonth() {
      return optional("day_of_month", Readers.NUMBER);
    }

    /** With <code>anchored_monthly</code>: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
    public InstalmentValuesSchedule withDayOfMonth(long value) {
      return new InstalmentValuesSchedule(with("day_of_month", value));
    }

    /** With <code>day_of_month</code>: the days that the first period has at least. One by default. */
    public Optional<Long> firstAfterDays() {
      return optional("first_after_days", Readers.NUMBER);
    }

    /** With <code>day_of_month</code>: the days that the first period has at least. One by default. */
    public InstalmentValuesSchedule withFirstAfterDays(long value) {
      return new InstalmentValuesSchedule(with("first_after_days", value));
    }
  }

  /** When the whole balance may be called. The market's rule by default. */
  public static final class InstalmentValuesAcceleration extends JsonObject {
    public InstalmentValuesAcceleration() {}

    public InstalmentValuesAcceleration(Map<String, ?> members) {
      super(members);
    }

    /** Whether the whole balance may never be called. */
    public boolean forbidden() {
      return required("forbidden", Readers.FLAG);
    }

    /** Whether the whole balance may never be called. */
    public InstalmentValuesAcceleration withForbidden(boolean value) {
      return new InstalmentValuesAcceleration(with("forbidden", value));
    }

    /** How many periods must be late before it may be called. */
    public long missedPeriods() {
      return required("missed_periods", Readers.NUMBER);
    }

    /** How many periods must be late before it may be called. */
    public InstalmentValuesAcceleration withMissedPeriods(long value) {
      return new InstalmentValuesAcceleration(with("missed_periods", value));
    }

    /** The days between the notice to the borrower and the call. */
    public long noticeDays() {
      return required("notice_days", Readers.NUMBER);
    }

    /** The days between the notice to the borrower and the call. */
    public InstalmentValuesAcceleration withNoticeDays(long value) {
      return new InstalmentValuesAcceleration(with("notice_days", value));
    }
  }

  /** The schedule of every Loan. */
  public static final class BnplValuesSchedule extends JsonObject {
    public BnplValuesSchedule() {}

    public BnplValuesSchedule(Map<String, ?> members) {
      super(members);
    }

    /**
     * By months, or by a number of days. Both count from the anchor.
     * One of <code>anchored_monthly</code>, <code>anchored_every_n_days</code>.
     */
    public String kind() {
      return required("kind", Readers.TEXT);
    }

    /**
     * By months, or by a number of days. Both count from the anchor.
     * One of <code>anchored_monthly</code>, <code>anchored_every_n_days</code>.
     */
    public BnplValuesSchedule withKind(String value) {
      return new BnplValuesSchedule(with("kind", value));
    }

    /** With <code>anchored_every_n_days</code>: the days of each period. */
    public Optional<Long> intervalDays() {
      return optional("interval_days", Readers.NUMBER);
    }

    /** With <code>anchored_every_n_days</code>: the days of each period. */
    public BnplValuesSchedule withIntervalDays(long value) {
      return new BnplValuesSchedule(with("interval_days", value));
    }

    /** With <code>anchored_monthly</code>: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
    public Optional<Long> dayOfMonth() {
      return optional("day_of_month", Readers.NUMBER);
    }

    /** With <code>anchored_monthly</code>: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
    public BnplValuesSchedule withDayOfMonth(long value) {
      return new BnplValuesSchedule(with("day_of_month", value));
    }

    /** With <code>day_of_month</code>: the days that the first period has at least. One by default. */
    public Optional<Long> firstAfterDays() {
      return optional("first_after_days", Readers.NUMBER);
    }

    /** With <code>day_of_month</code>: the days that the first period has at least. One by default. */
    public BnplValuesSchedule withFirstAfterDays(long value) {
      return new BnplValuesSchedule(with("first_after_days", value));
    }
  }

  /** The schedule of every Loan. */
  public static final class PaydayValuesSchedule extends JsonObject {
    public PaydayValuesSchedule() {}

    public PaydayValuesSchedule(Map<String, ?> members) {
      super(members);
    }

    /**
     * By months, or by a number of days. Both count from the anchor.
     * One of <code>anchored_monthly</code>, <code>anchored_every_n_days</code>.
     */
    public String kind() {
      return required("kind", Readers.TEXT);
    }

    /**
     * By months, or by a number of days. Both count from the anchor.
     * One of <code>anchored_monthly</code>, <code>anchored_every_n_days</code>.
     */
    public PaydayValuesSchedule withKind(String value) {
      return new PaydayValuesSchedule(with("kind", value));
    }

    /** With <code>anchored_every_n_days</code>: the days of each period. */
    public Optional<Long> intervalDays() {
      return optional("interval_days", Readers.NUMBER);
    }

    /** With <code>anchored_every_n_days</code>: the days of each period. */
    public PaydayValuesSchedule withIntervalDays(long value) {
      return new PaydayValuesSchedule(with("interval_days", value));
    }

    /** With <code>anchored_monthly</code>: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
    public Optional<Long> dayOfMonth() {
      return optional("day_of_month", Readers.NUMBER);
    }

    /** With <code>anchored_monthly</code>: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
    public PaydayValuesSchedule withDayOfMonth(long value) {
      return new PaydayValuesSchedule(with("day_of_month", value));
    }

    /** With <code>day_of_month</code>: the days that the first period has at least. One by default. */
    public Optional<Long> firstAfterDays() {
      return optional("first_after_days", Readers.NUMBER);
    }

    /** With <code>day_of_month</code>: the days that the first period has at least. One by default. */
    public PaydayValuesSchedule withFirstAfterDays(long value) {
      return new PaydayValuesSchedule(with("first_after_days", value));
    }
  }

  public static final class EffectiveValuesUnit extends JsonObject {
    public EffectiveValuesUnit(Map<String, ?> members) {
      super(members);
    }

    public Optional<String> value() {
      return optional("value", Readers.TEXT);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesPrincipalMin extends JsonObject {
    public EffectiveValuesPrincipalMin(Map<String, ?> members) {
      super(members);
    }

    public Optional<Money> value() {
      return optional("value", Readers.object(Money::new));
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesRateMin extends JsonObject {
    public EffectiveValuesRateMin(Map<String, ?> members) {
      super(members);
    }

    /** Per cent a year. */
    public Optional<String> value() {
      return optional("value", Readers.TEXT);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesDayCountBasis extends JsonObject {
    public EffectiveValuesDayCountBasis(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>actual_360</code>, <code>actual_365</code>, <code>thirty_360</code>, <code>actual_actual</code>. */
    public Optional<String> value() {
      return optional("value", Readers.TEXT);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesAmortisation extends JsonObject {
    public EffectiveValuesAmortisation(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>level_payment</code>, <code>level_principal_and_interest</code>, <code>equal_principal</code>. */
    public Optional<String> value() {
      return optional("value", Readers.TEXT);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesTerms extends JsonObject {
    public EffectiveValuesTerms(Map<String, ?> members) {
      super(members);
    }

    /** Ascending. */
    public Optional<List<Long>> value() {
      return optional("value", Readers.list(Readers.NUMBER));
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesSchedule extends JsonObject {
    public EffectiveValuesSchedule(Map<String, ?> members) {
      super(members);
    }

    public Optional<Schedule> value() {
      return optional("value", Readers.object(Schedule::new));
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesSchedules extends JsonObject {
    public EffectiveValuesSchedules(Map<String, ?> members) {
      super(members);
    }

    public Optional<List<Schedule>> value() {
      return optional("value", Readers.list(Readers.object(Schedule::new)));
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesOriginationFee extends JsonObject {
    public EffectiveValuesOriginationFee(Map<String, ?> members) {
      super(members);
    }

    public Optional<Money> value() {
      return optional("value", Readers.object(Money::new));
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesDownPaymentMinBps extends JsonObject {
    public EffectiveValuesDownPaymentMinBps(Map<String, ?> members) {
      super(members);
    }

    public Optional<Long> value() {
      return optional("value", Readers.NUMBER);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesEarlyMoneyTreatment extends JsonObject {
    public EffectiveValuesEarlyMoneyTreatment(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>reduces_principal</code>, <code>shortens_term</code>, <code>settles_next</code>. */
    public Optional<String> value() {
      return optional("value", Readers.TEXT);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesChargeOrder extends JsonObject {
    public EffectiveValuesChargeOrder(Map<String, ?> members) {
      super(members);
    }

    public Optional<List<String>> value() {
      return optional("value", Readers.list(Readers.TEXT));
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesToleranceDays extends JsonObject {
    public EffectiveValuesToleranceDays(Map<String, ?> members) {
      super(members);
    }

    public Optional<Long> value() {
      return optional("value", Readers.NUMBER);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesPenaltyBase extends JsonObject {
    public EffectiveValuesPenaltyBase(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>overdue_principal</code>, <code>overdue_instalment</code>. */
    public Optional<String> value() {
      return optional("value", Readers.TEXT);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesPenaltyCeilingDays extends JsonObject {
    public EffectiveValuesPenaltyCeilingDays(Map<String, ?> members) {
      super(members);
    }

    public Optional<Long> value() {
      return optional("value", Readers.NUMBER);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesAcceleration extends JsonObject {
    public EffectiveValuesAcceleration(Map<String, ?> members) {
      super(members);
    }

    public Optional<EffectiveValuesAccelerationValue> value() {
      return optional("value", Readers.object(EffectiveValuesAccelerationValue::new));
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesMaxRollovers extends JsonObject {
    public EffectiveValuesMaxRollovers(Map<String, ?> members) {
      super(members);
    }

    public Optional<Long> value() {
      return optional("value", Readers.NUMBER);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesWithdrawalDays extends JsonObject {
    public EffectiveValuesWithdrawalDays(Map<String, ?> members) {
      super(members);
    }

    public Optional<Long> value() {
      return optional("value", Readers.NUMBER);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class EffectiveValuesRefuseWhileAnyLoanOverdue extends JsonObject {
    public EffectiveValuesRefuseWhileAnyLoanOverdue(Map<String, ?> members) {
      super(members);
    }

    public Optional<Boolean> value() {
      return optional("value", Readers.FLAG);
    }

    /** One of <code>stated</code>, <code>default</code>. */
    public String source() {
      return required("source", Readers.TEXT);
    }
  }

  public static final class Advisories2 extends JsonObject {
    public Advisories2(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>first_period_may_fall_next_day</code>, <code>no_tolerance</code>, <code>zero_rate</code>, <code>penalty_without_ceiling</code>, <code>single_term</code>, <code>guard_without_amount</code>. */
    public String code() {
      return required("code", Readers.TEXT);
    }

    /** A JSON pointer to the field to change. */
    public String field() {
      return required("field", Readers.TEXT);
    }

    /** A sentence for people. Its wording may change at any time. */
    public String says() {
      return required("says", Readers.TEXT);
    }
  }

  public static final class LookupKeyListLookupKeys extends JsonObject {
    public LookupKeyListLookupKeys(Map<String, ?> members) {
      super(members);
    }

    public String lookupKey() {
      return required("lookup_key", Readers.TEXT);
    }

    public String configurationId() {
      return required("configuration_id", Readers.TEXT);
    }

    public long configurationVersion() {
      return required("configuration_version", Readers.NUMBER);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant pointedAt() {
      return required("pointed_at", Readers.MOMENT);
    }

    /** The latest version of that configuration. */
    public long latestVersion() {
      return required("latest_version", Readers.NUMBER);
    }

    /** Only if the query names keys. */
    public Optional<ConfigurationVersion> version() {
      return optional("version", Readers.object(ConfigurationVersion::new));
    }
  }

  public static final class DecisionTraceKnockouts extends JsonObject {
    public DecisionTraceKnockouts(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String text() {
      return required("text", Readers.TEXT);
    }

    public String attribute() {
      return required("attribute", Readers.TEXT);
    }

    /** One of <code>at_least</code>, <code>at_most</code>, <code>above</code>, <code>below</code>, <code>equals</code>. */
    public String comparison() {
      return required("comparison", Readers.TEXT);
    }

    public Object bound() {
      return required("bound", Readers.ANY);
    }

    public DecisionTraceKnockoutsObserved observed() {
      return required("observed", Readers.object(DecisionTraceKnockoutsObserved::new));
    }

    /** Whether the rule fired. */
    public boolean fired() {
      return required("fired", Readers.FLAG);
    }

    /** One of <code>approve</code>, <code>refuse</code>, <code>refer</code>, <code>not_offered</code>. */
    public String outcome() {
      return required("outcome", Readers.TEXT);
    }
  }

  public static final class DecisionTraceScorecard extends JsonObject {
    public DecisionTraceScorecard(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String attribute() {
      return required("attribute", Readers.TEXT);
    }

    public DecisionTraceKnockoutsObserved observed() {
      return required("observed", Readers.object(DecisionTraceKnockoutsObserved::new));
    }

    /** The index of the bin, from 0; absent if no bin contains the observed value. */
    public Optional<Long> bin() {
      return optional("bin", Readers.NUMBER);
    }

    public long points() {
      return required("points", Readers.NUMBER);
    }
  }

  public static final class PolicyContentAttributes extends JsonObject {
    public PolicyContentAttributes() {}

    public PolicyContentAttributes(Map<String, ?> members) {
      super(members);
    }

    /** The name that applications and rules use. */
    public String name() {
      return required("name", Readers.TEXT);
    }

    /** The name that applications and rules use. */
    public PolicyContentAttributes withName(String value) {
      return new PolicyContentAttributes(with("name", value));
    }

    /** What its number counts, for readers. */
    public Optional<String> unit() {
      return optional("unit", Readers.TEXT);
    }

    /** What its number counts, for readers. */
    public PolicyContentAttributes withUnit(String value) {
      return new PolicyContentAttributes(with("unit", value));
    }
  }

  public static final class PolicyContentKnockouts extends JsonObject {
    public PolicyContentKnockouts() {}

    public PolicyContentKnockouts(Map<String, ?> members) {
      super(members);
    }

    /** The name of the rule in the trace. Each rule has another one. */
    public String id() {
      return required("id", Readers.TEXT);
    }

    /** The name of the rule in the trace. Each rule has another one. */
    public PolicyContentKnockouts withId(String value) {
      return new PolicyContentKnockouts(with("id", value));
    }

    /** What the rule says, for readers of the trace. */
    public String text() {
      return required("text", Readers.TEXT);
    }

    /** What the rule says, for readers of the trace. */
    public PolicyContentKnockouts withText(String value) {
      return new PolicyContentKnockouts(with("text", value));
    }

    /** The attribute that is compared. */
    public String attribute() {
      return required("attribute", Readers.TEXT);
    }

    /** The attribute that is compared. */
    public PolicyContentKnockouts withAttribute(String value) {
      return new PolicyContentKnockouts(with("attribute", value));
    }

    /**
     * The rule fires where the attribute is this to <code>bound</code>.
     * One of <code>at_least</code>, <code>at_most</code>, <code>above</code>, <code>below</code>, <code>equals</code>.
     */
    public String comparison() {
      return required("comparison", Readers.TEXT);
    }

    /**
     * The rule fires where the attribute is this to <code>bound</code>.
     * One of <code>at_least</code>, <code>at_most</code>, <code>above</code>, <code>below</code>, <code>equals</code>.
     */
    public PolicyContentKnockouts withComparison(String value) {
      return new PolicyContentKnockouts(with("comparison", value));
    }

    /** The number that the attribute is compared with. */
    public Object bound() {
      return required("bound", Readers.ANY);
    }

    /** The number that the attribute is compared with. */
    public PolicyContentKnockouts withBound(Object value) {
      return new PolicyContentKnockouts(with("bound", value));
    }

    /**
     * The outcome of the Decision where this is the first rule that fires.
     * One of <code>refuse</code>, <code>refer</code>, <code>not_offered</code>.
     */
    public String outcome() {
      return required("outcome", Readers.TEXT);
    }

    /**
     * The outcome of the Decision where this is the first rule that fires.
     * One of <code>refuse</code>, <code>refer</code>, <code>not_offered</code>.
     */
    public PolicyContentKnockouts withOutcome(String value) {
      return new PolicyContentKnockouts(with("outcome", value));
    }

    /** With the outcome <code>refuse</code>: for how many days the refusal bars the Client. Without it the Client is not barred. */
    public Optional<Long> moratoriumDays() {
      return optional("moratorium_days", Readers.NUMBER);
    }

    /** With the outcome <code>refuse</code>: for how many days the refusal bars the Client. Without it the Client is not barred. */
    public PolicyContentKnockouts withMoratoriumDays(long value) {
      return new PolicyContentKnockouts(with("moratorium_days", value));
    }

    /**
     * What the rule does where the application does not state the attribute.
     * One of <code>fires</code>, <code>passes</code>.
     */
    public String whenUnknown() {
      return required("when_unknown", Readers.TEXT);
    }

    /**
     * What the rule does where the application does not state the attribute.
     * One of <code>fires</code>, <code>passes</code>.
     */
    public PolicyContentKnockouts withWhenUnknown(String value) {
      return new PolicyContentKnockouts(with("when_unknown", value));
    }
  }

  public static final class PolicyContentScorecard extends JsonObject {
    public PolicyContentScorecard() {}

    public PolicyContentScorecard(Map<String, ?> members) {
      super(members);
    }

    /** The name of the line in the trace. Each line has another one. */
    public String id() {
      return required("id", Readers.TEXT);
    }

    /** The name of the line in the trace. Each line has another one. */
    public PolicyContentScorecard withId(String value) {
      return new PolicyContentScorecard(with("id", value));
    }

    /** The attribute that earns points. */
    public String attribute() {
      return required("attribute", Readers.TEXT);
    }

    /** The attribute that earns points. */
    public PolicyContentScorecard withAttribute(String value) {
      return new PolicyContentScorecard(with("attribute", value));
    }

    /** Ranges that do not overlap. A value in none of them earns no points. */
    public List<PolicyContentScorecardBins> bins() {
      return required("bins", Readers.list(Readers.object(PolicyContentScorecardBins::new)));
    }

    /** Ranges that do not overlap. A value in none of them earns no points. */
    public PolicyContentScorecard withBins(List<PolicyContentScorecardBins> value) {
      return new PolicyContentScorecard(with("bins", value));
    }

    /** The points where the application does not state the attribute. */
    public long whenUnknown() {
      return required("when_unknown", Readers.NUMBER);
    }

    /** The points where the application does not state the attribute. */
    public PolicyContentScorecard withWhenUnknown(long value) {
      return new PolicyContentScorecard(with("when_unknown", value));
    }
  }

  public static final class PolicyContentBands extends JsonObject {
    public PolicyContentBands() {}

    public PolicyContentBands(Map<String, ?> members) {
      super(members);
    }

    /** The name of the band in the Decision. Each band has another one. */
    public String id() {
      return required("id", Readers.TEXT);
    }

    /** The name of the band in the Decision. Each band has another one. */
    public PolicyContentBands withId(String value) {
      return new PolicyContentBands(with("id", value));
    }

    /** The first value of the range. Without it the range has no beginning. */
    public Optional<Object> from() {
      return optional("from", Readers.ANY);
    }

    /** The first value of the range. Without it the range has no beginning. */
    public PolicyContentBands withFrom(Object value) {
      return new PolicyContentBands(with("from", value));
    }

    /** The end of the range, which is not part of it. Without it the range has no end. */
    public Optional<Object> to() {
      return optional("to", Readers.ANY);
    }

    /** The end of the range, which is not part of it. Without it the range has no end. */
    public PolicyContentBands withTo(Object value) {
      return new PolicyContentBands(with("to", value));
    }

    /**
     * The outcome of a score in this band.
     * One of <code>approve</code>, <code>refuse</code>, <code>refer</code>, <code>not_offered</code>.
     */
    public String outcome() {
      return required("outcome", Readers.TEXT);
    }

    /**
     * The outcome of a score in this band.
     * One of <code>approve</code>, <code>refuse</code>, <code>refer</code>, <code>not_offered</code>.
     */
    public PolicyContentBands withOutcome(String value) {
      return new PolicyContentBands(with("outcome", value));
    }

    public Optional<Ratio> rate() {
      return optional("rate", Readers.object(Ratio::new));
    }

    public PolicyContentBands withRate(Ratio value) {
      return new PolicyContentBands(with("rate", value));
    }

    /** On an approval: the numbers of periods offered, ascending. Those of the product by default. */
    public Optional<List<Long>> terms() {
      return optional("terms", Readers.list(Readers.NUMBER));
    }

    /** On an approval: the numbers of periods offered, ascending. Those of the product by default. */
    public PolicyContentBands withTerms(List<Long> value) {
      return new PolicyContentBands(with("terms", value));
    }

    public Optional<Money> principalMax() {
      return optional("principal_max", Readers.object(Money::new));
    }

    public PolicyContentBands withPrincipalMax(Money value) {
      return new PolicyContentBands(with("principal_max", value));
    }

    /** With the outcome <code>refuse</code>: for how many days the refusal bars the Client. Without it the Client is not barred. */
    public Optional<Long> moratoriumDays() {
      return optional("moratorium_days", Readers.NUMBER);
    }

    /** With the outcome <code>refuse</code>: for how many days the refusal bars the Client. Without it the Client is not barred. */
    public PolicyContentBands withMoratoriumDays(long value) {
      return new PolicyContentBands(with("moratorium_days", value));
    }
  }

  public static final class PolicyValidationFindings extends JsonObject {
    public PolicyValidationFindings(Map<String, ?> members) {
      super(members);
    }

    /** More codes may be added. */
    public String code() {
      return required("code", Readers.TEXT);
    }

    /** A JSON pointer. */
    public String field() {
      return required("field", Readers.TEXT);
    }
  }

  public static final class MerchantBookCurrencies extends JsonObject {
    public MerchantBookCurrencies(Map<String, ?> members) {
      super(members);
    }

    public String currency() {
      return required("currency", Readers.TEXT);
    }

    public long loans() {
      return required("loans", Readers.NUMBER);
    }

    public Money sold() {
      return required("sold", Readers.object(Money::new));
    }

    public Money returned() {
      return required("returned", Readers.object(Money::new));
    }

    public Money outstanding() {
      return required("outstanding", Readers.object(Money::new));
    }

    public Money overdue() {
      return required("overdue", Readers.object(Money::new));
    }
  }

  /** Parts of the duration in microseconds, as in <code>Server-Timing</code>. */
  public static final class LoggedRequestTiming extends JsonObject {
    public LoggedRequestTiming(Map<String, ?> members) {
      super(members);
    }

    /** Waiting for a permit. */
    public long queueUs() {
      return required("queue_us", Readers.NUMBER);
    }

    /** Waiting for a database connection. */
    public long connUs() {
      return required("conn_us", Readers.NUMBER);
    }

    public long dbUs() {
      return required("db_us", Readers.NUMBER);
    }

    /** Computing figures. */
    public long deriveUs() {
      return required("derive_us", Readers.NUMBER);
    }

    /** From handing a write to Kafka to its verdict. */
    public long submitUs() {
      return required("submit_us", Readers.NUMBER);
    }
  }

  public static final class MarketCurrencies extends JsonObject {
    public MarketCurrencies(Map<String, ?> members) {
      super(members);
    }

    public List<String> value() {
      return required("value", Readers.list(Readers.TEXT));
    }

    /** The law or rule that it follows. */
    public String source() {
      return required("source", Readers.TEXT);
    }

    public boolean provisional() {
      return required("provisional", Readers.FLAG);
    }
  }

  public static final class MarketPenaltyCap extends JsonObject {
    public MarketPenaltyCap(Map<String, ?> members) {
      super(members);
    }

    public MarketPenaltyCapValue value() {
      return required("value", Readers.object(MarketPenaltyCapValue::new));
    }

    /** The law or rule that it follows. */
    public String source() {
      return required("source", Readers.TEXT);
    }

    public boolean provisional() {
      return required("provisional", Readers.FLAG);
    }
  }

  public static final class MarketPenaltyBase extends JsonObject {
    public MarketPenaltyBase(Map<String, ?> members) {
      super(members);
    }

    public List<String> value() {
      return required("value", Readers.list(Readers.TEXT));
    }

    /** The law or rule that it follows. */
    public String source() {
      return required("source", Readers.TEXT);
    }

    public boolean provisional() {
      return required("provisional", Readers.FLAG);
    }
  }

  public static final class MarketPenaltyCeilingDays extends JsonObject {
    public MarketPenaltyCeilingDays(Map<String, ?> members) {
      super(members);
    }

    /** Absent if the market has no such rule. */
    public Optional<Long> value() {
      return optional("value", Readers.NUMBER);
    }

    /** The law or rule that it follows. */
    public String source() {
      return required("source", Readers.TEXT);
    }

    public boolean provisional() {
      return required("provisional", Readers.FLAG);
    }
  }

  public static final class MarketCapitalises extends JsonObject {
    public MarketCapitalises(Map<String, ?> members) {
      super(members);
    }

    public boolean value() {
      return required("value", Readers.FLAG);
    }

    /** The law or rule that it follows. */
    public String source() {
      return required("source", Readers.TEXT);
    }

    public boolean provisional() {
      return required("provisional", Readers.FLAG);
    }
  }

  public static final class MarketAcceleration extends JsonObject {
    public MarketAcceleration(Map<String, ?> members) {
      super(members);
    }

    public Acceleration value() {
      return required("value", Readers.object(Acceleration::new));
    }

    /** The law or rule that it follows. */
    public String source() {
      return required("source", Readers.TEXT);
    }

    public boolean provisional() {
      return required("provisional", Readers.FLAG);
    }
  }

  public static final class MarketTax extends JsonObject {
    public MarketTax(Map<String, ?> members) {
      super(members);
    }

    public MarketTaxValue value() {
      return required("value", Readers.object(MarketTaxValue::new));
    }

    /** The law or rule that it follows. */
    public String source() {
      return required("source", Readers.TEXT);
    }

    public boolean provisional() {
      return required("provisional", Readers.FLAG);
    }
  }

  public static final class MarketDisclosure extends JsonObject {
    public MarketDisclosure(Map<String, ?> members) {
      super(members);
    }

    public MarketDisclosureValue value() {
      return required("value", Readers.object(MarketDisclosureValue::new));
    }

    /** The law or rule that it follows. */
    public String source() {
      return required("source", Readers.TEXT);
    }

    public boolean provisional() {
      return required("provisional", Readers.FLAG);
    }
  }

  public static final class MarketCalendar extends JsonObject {
    public MarketCalendar(Map<String, ?> members) {
      super(members);
    }

    public LocalDate coversTo() {
      return required("covers_to", Readers.DAY);
    }

    /** The law or rule that it follows. */
    public String source() {
      return required("source", Readers.TEXT);
    }

    public boolean provisional() {
      return required("provisional", Readers.FLAG);
    }
  }

  public static final class ReadinessNotReady extends JsonObject {
    public ReadinessNotReady(Map<String, ?> members) {
      super(members);
    }

    public String name() {
      return required("name", Readers.TEXT);
    }

    public String reason() {
      return required("reason", Readers.TEXT);
    }
  }

  /** The log entry of the submission. */
  public static final class ProvenFactLog extends JsonObject {
    public ProvenFactLog(Map<String, ?> members) {
      super(members);
    }

    public String topic() {
      return required("topic", Readers.TEXT);
    }

    public long partition() {
      return required("partition", Readers.NUMBER);
    }

    public long offset() {
      return required("offset", Readers.NUMBER);
    }

    public long item() {
      return required("item", Readers.NUMBER);
    }
  }

  /** The published event of the fact. */
  public static final class ProvenFactEvent extends JsonObject {
    public ProvenFactEvent(Map<String, ?> members) {
      super(members);
    }

    public String topic() {
      return required("topic", Readers.TEXT);
    }

    public long partition() {
      return required("partition", Readers.NUMBER);
    }

    public long sequence() {
      return required("sequence", Readers.NUMBER);
    }
  }

  public static final class ProvenFactSubmission extends JsonObject {
    public ProvenFactSubmission(Map<String, ?> members) {
      super(members);
    }

    public String requestId() {
      return required("request_id", Readers.TEXT);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant takenInAt() {
      return required("taken_in_at", Readers.MOMENT);
    }

    /** The signed text. */
    public String canonical() {
      return required("canonical", Readers.TEXT);
    }

    /** The fingerprint of the key. */
    public String fp() {
      return required("fp", Readers.TEXT);
    }

    /** Base64url. */
    public String publicKey() {
      return required("public_key", Readers.TEXT);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant keyCreatedAt() {
      return required("key_created_at", Readers.MOMENT);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Optional<Instant> keyRevokedAt() {
      return optional("key_revoked_at", Readers.MOMENT);
    }

    /** Base64url. */
    public String signature() {
      return required("signature", Readers.TEXT);
    }

    /** The bytes as sent, in base64. */
    public String body() {
      return required("body", Readers.TEXT);
    }
  }

  /** The rate of the tax and the taxed charges. */
  public static final class LoanToIssueTax extends JsonObject {
    public LoanToIssueTax() {}

    public LoanToIssueTax(Map<String, ?> members) {
      super(members);
    }

    /** Per cent a year. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    /** Per cent a year. */
    public LoanToIssueTax withRate(String value) {
      return new LoanToIssueTax(with("rate", value));
    }

    public List<String> on() {
      return required("on", Readers.list(Readers.TEXT));
    }

    public LoanToIssueTax withOn(List<String> value) {
      return new LoanToIssueTax(with("on", value));
    }
  }

  public static final class SimulationToRunFacts extends JsonObject {
    public SimulationToRunFacts() {}

    public SimulationToRunFacts(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>issue</code>, <code>receipt</code>, <code>reversal</code>, <code>confirm</code>, <code>void</code>, <code>cancel</code>, <code>rescind</code>, <code>withdraw</code>, <code>suspension</code>, <code>suspension-end</code>, <code>waiver</code>, <code>return</code>, <code>rollover</code>, <code>restructure</code>, <code>acceleration</code>, <code>settlement</code>, <code>write-off</code>, <code>cession</code>, <code>retraction</code>. */
    public String act() {
      return required("act", Readers.TEXT);
    }

    /** One of <code>issue</code>, <code>receipt</code>, <code>reversal</code>, <code>confirm</code>, <code>void</code>, <code>cancel</code>, <code>rescind</code>, <code>withdraw</code>, <code>suspension</code>, <code>suspension-end</code>, <code>waiver</code>, <code>return</code>, <code>rollover</code>, <code>restructure</code>, <code>acceleration</code>, <code>settlement</code>, <code>write-off</code>, <code>cession</code>, <code>retraction</code>. */
    public SimulationToRunFacts withAct(String value) {
      return new SimulationToRunFacts(with("act", value));
    }

    public Optional<String> loanId() {
      return optional("loan_id", Readers.TEXT);
    }

    public SimulationToRunFacts withLoanId(String value) {
      return new SimulationToRunFacts(with("loan_id", value));
    }

    public Optional<String> loanReference() {
      return optional("loan_reference", Readers.TEXT);
    }

    public SimulationToRunFacts withLoanReference(String value) {
      return new SimulationToRunFacts(with("loan_reference", value));
    }

    public Optional<String> designatedLoanReference() {
      return optional("designated_loan_reference", Readers.TEXT);
    }

    public SimulationToRunFacts withDesignatedLoanReference(String value) {
      return new SimulationToRunFacts(with("designated_loan_reference", value));
    }

    public Optional<String> reference() {
      return optional("reference", Readers.TEXT);
    }

    public SimulationToRunFacts withReference(String value) {
      return new SimulationToRunFacts(with("reference", value));
    }

    public Map<String, Object> body() {
      return required("body", Readers.map(Readers.ANY));
    }

    public SimulationToRunFacts withBody(Map<String, Object> value) {
      return new SimulationToRunFacts(with("body", value));
    }
  }

  public static final class ApplicationAttributes extends JsonObject {
    public ApplicationAttributes() {}

    public ApplicationAttributes(Map<String, ?> members) {
      super(members);
    }

    /**
     * Whether the value is known.
     * One of <code>known</code>, <code>unknown</code>.
     */
    public String state() {
      return required("state", Readers.TEXT);
    }

    /**
     * Whether the value is known.
     * One of <code>known</code>, <code>unknown</code>.
     */
    public ApplicationAttributes withState(String value) {
      return new ApplicationAttributes(with("state", value));
    }

    /** The value, where it is known. */
    public Optional<Object> number() {
      return optional("number", Readers.ANY);
    }

    /** The value, where it is known. */
    public ApplicationAttributes withNumber(Object value) {
      return new ApplicationAttributes(with("number", value));
    }

    /** The day on which the value was observed. */
    public Optional<LocalDate> asOf() {
      return optional("as_of", Readers.DAY);
    }

    /** The day on which the value was observed. */
    public ApplicationAttributes withAsOf(LocalDate value) {
      return new ApplicationAttributes(with("as_of", value));
    }
  }

  public static final class AcceleratedBodyStated extends JsonObject {
    public AcceleratedBodyStated(Map<String, ?> members) {
      super(members);
    }

    public LocalDate notifiedOn() {
      return required("notified_on", Readers.DAY);
    }
  }

  /** On an approval. */
  public static final class CreditDecidedBodyRate extends JsonObject {
    public CreditDecidedBodyRate(Map<String, ?> members) {
      super(members);
    }

    public long numerator() {
      return required("numerator", Readers.NUMBER);
    }

    public long denominator() {
      return required("denominator", Readers.NUMBER);
    }

    public String quotation() {
      return required("quotation", Readers.TEXT);
    }

    /** The exact decimal in per cent. Only a draft in a trial may lack one. */
    public Optional<String> percent() {
      return optional("percent", Readers.TEXT);
    }
  }

  public static final class CreditDecidedBodyTrace extends JsonObject {
    public CreditDecidedBodyTrace(Map<String, ?> members) {
      super(members);
    }

    /** In the order of the policy. The first that fired decided the outcome. */
    public List<CreditDecidedBodyTraceKnockouts> knockouts() {
      return required("knockouts", Readers.list(Readers.object(CreditDecidedBodyTraceKnockouts::new)));
    }

    public List<CreditDecidedBodyTraceScorecard> scorecard() {
      return required("scorecard", Readers.list(Readers.object(CreditDecidedBodyTraceScorecard::new)));
    }
  }

  /** A yearly rate as a fraction of one. */
  public static final class FacilityOpenedBodyRate extends JsonObject {
    public FacilityOpenedBodyRate(Map<String, ?> members) {
      super(members);
    }

    public long numerator() {
      return required("numerator", Readers.NUMBER);
    }

    public long denominator() {
      return required("denominator", Readers.NUMBER);
    }

    public String quotation() {
      return required("quotation", Readers.TEXT);
    }

    /** The exact decimal in per cent. Only a draft in a trial may lack one. */
    public Optional<String> percent() {
      return optional("percent", Readers.TEXT);
    }
  }

  public static final class IssuedBodyConfiguration extends JsonObject {
    public IssuedBodyConfiguration(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }
  }

  public static final class IssuedBodyStated extends JsonObject {
    public IssuedBodyStated(Map<String, ?> members) {
      super(members);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    public long termPeriods() {
      return required("term_periods", Readers.NUMBER);
    }

    /** Per cent a year. */
    public Optional<String> rate() {
      return optional("rate", Readers.TEXT);
    }

    /** Per cent a year. */
    public Optional<String> penaltyRate() {
      return optional("penalty_rate", Readers.TEXT);
    }

    public LocalDate anchor() {
      return required("anchor", Readers.DAY);
    }

    public String jurisdiction() {
      return required("jurisdiction", Readers.TEXT);
    }

    public IssuedBodyStatedTax tax() {
      return required("tax", Readers.object(IssuedBodyStatedTax::new));
    }

    public Optional<Money> downPayment() {
      return optional("down_payment", Readers.object(Money::new));
    }

    public Optional<FactSchedule> schedule() {
      return optional("schedule", Readers.object(FactSchedule::new));
    }

    public Optional<String> merchantRef() {
      return optional("merchant_ref", Readers.TEXT);
    }

    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }

    public Optional<String> reference() {
      return optional("reference", Readers.TEXT);
    }

    public Optional<LocalDate> holdUntil() {
      return optional("hold_until", Readers.DAY);
    }
  }

  public static final class IssuedBodyTerms extends JsonObject {
    public IssuedBodyTerms(Map<String, ?> members) {
      super(members);
    }

    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    public Money downPayment() {
      return required("down_payment", Readers.object(Money::new));
    }

    public String currency() {
      return required("currency", Readers.TEXT);
    }

    public long termPeriods() {
      return required("term_periods", Readers.NUMBER);
    }

    /** Per cent a year. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    /** Per cent a year. */
    public String penaltyRate() {
      return required("penalty_rate", Readers.TEXT);
    }

    public LocalDate anchor() {
      return required("anchor", Readers.DAY);
    }

    public FactSchedule schedule() {
      return required("schedule", Readers.object(FactSchedule::new));
    }

    public String jurisdiction() {
      return required("jurisdiction", Readers.TEXT);
    }

    public IssuedBodyTermsTax tax() {
      return required("tax", Readers.object(IssuedBodyTermsTax::new));
    }

    public String archetype() {
      return required("archetype", Readers.TEXT);
    }

    public String dayCountBasis() {
      return required("day_count_basis", Readers.TEXT);
    }

    public String amortisation() {
      return required("amortisation", Readers.TEXT);
    }

    public Money originationFee() {
      return required("origination_fee", Readers.object(Money::new));
    }

    public Money lateFee() {
      return required("late_fee", Readers.object(Money::new));
    }

    public Money rolloverFee() {
      return required("rollover_fee", Readers.object(Money::new));
    }

    public List<String> chargeOrder() {
      return required("charge_order", Readers.list(Readers.TEXT));
    }

    public String earlyMoneyTreatment() {
      return required("early_money_treatment", Readers.TEXT);
    }

    public long toleranceDays() {
      return required("tolerance_days", Readers.NUMBER);
    }

    public Money tolerance() {
      return required("tolerance", Readers.object(Money::new));
    }

    public String penaltyBase() {
      return required("penalty_base", Readers.TEXT);
    }

    public Optional<Long> penaltyCeilingDays() {
      return optional("penalty_ceiling_days", Readers.NUMBER);
    }

    public Optional<Long> penaltyCeilingBps() {
      return optional("penalty_ceiling_bps", Readers.NUMBER);
    }

    public boolean capitalises() {
      return required("capitalises", Readers.FLAG);
    }

    public IssuedBodyTermsAcceleration acceleration() {
      return required("acceleration", Readers.object(IssuedBodyTermsAcceleration::new));
    }

    public long maxRollovers() {
      return required("max_rollovers", Readers.NUMBER);
    }

    public long withdrawalDays() {
      return required("withdrawal_days", Readers.NUMBER);
    }

    public IssuedBodyTermsPenaltyCap penaltyCap() {
      return required("penalty_cap", Readers.object(IssuedBodyTermsPenaltyCap::new));
    }

    public boolean lateFeeBesidePenalty() {
      return required("late_fee_beside_penalty", Readers.FLAG);
    }

    public IssuedBodyTermsFrame frame() {
      return required("frame", Readers.object(IssuedBodyTermsFrame::new));
    }

    public Optional<LocalDate> holdUntil() {
      return optional("hold_until", Readers.DAY);
    }
  }

  public static final class IssuedBodyPlan extends JsonObject {
    public IssuedBodyPlan(Map<String, ?> members) {
      super(members);
    }

    public Money level() {
      return required("level", Readers.object(Money::new));
    }

    public List<IssuedBodyPlanPeriods> periods() {
      return required("periods", Readers.list(Readers.object(IssuedBodyPlanPeriods::new)));
    }
  }

  public static final class IssuedBodyDisclosure extends JsonObject {
    public IssuedBodyDisclosure(Map<String, ?> members) {
      super(members);
    }

    public String jurisdiction() {
      return required("jurisdiction", Readers.TEXT);
    }

    public String figure() {
      return required("figure", Readers.TEXT);
    }

    public String convention() {
      return required("convention", Readers.TEXT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }

    public boolean provisional() {
      return required("provisional", Readers.FLAG);
    }
  }

  public static final class PayoffQuotedBodyOwed extends JsonObject {
    public PayoffQuotedBodyOwed(Map<String, ?> members) {
      super(members);
    }

    public Money total() {
      return required("total", Readers.object(Money::new));
    }

    /** The charges that are not zero, in a fixed order. */
    public List<PayoffQuotedBodyOwedCharges> charges() {
      return required("charges", Readers.list(Readers.object(PayoffQuotedBodyOwedCharges::new)));
    }
  }

  public static final class ReceiptReportedBodyReceipt extends JsonObject {
    public ReceiptReportedBodyReceipt(Map<String, ?> members) {
      super(members);
    }

    public String reference() {
      return required("reference", Readers.TEXT);
    }

    public String clientId() {
      return required("client_id", Readers.TEXT);
    }

    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    public LocalDate valueDate() {
      return required("value_date", Readers.DAY);
    }

    public Optional<String> designatedLoanId() {
      return optional("designated_loan_id", Readers.TEXT);
    }

    public Optional<Boolean> payoffIntent() {
      return optional("payoff_intent", Readers.FLAG);
    }

    public Optional<String> quoteId() {
      return optional("quote_id", Readers.TEXT);
    }

    public Optional<String> rail() {
      return optional("rail", Readers.TEXT);
    }

    public Optional<String> providerReference() {
      return optional("provider_reference", Readers.TEXT);
    }

    public Optional<Map<String, Object>> context() {
      return optional("context", Readers.map(Readers.ANY));
    }
  }

  public static final class ReceiptReportedBodyQuote extends JsonObject {
    public ReceiptReportedBodyQuote(Map<String, ?> members) {
      super(members);
    }

    public String loanId() {
      return required("loan_id", Readers.TEXT);
    }

    public Money total() {
      return required("total", Readers.object(Money::new));
    }
  }

  public static final class RestructuredBodyStated extends JsonObject {
    public RestructuredBodyStated(Map<String, ?> members) {
      super(members);
    }

    public long termPeriods() {
      return required("term_periods", Readers.NUMBER);
    }

    /** Per cent a year. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    public Optional<FactSchedule> schedule() {
      return optional("schedule", Readers.object(FactSchedule::new));
    }

    /** Per cent a year. */
    public Optional<String> penaltyRate() {
      return optional("penalty_rate", Readers.TEXT);
    }
  }

  public static final class RetractedBodyStated extends JsonObject {
    public RetractedBodyStated(Map<String, ?> members) {
      super(members);
    }

    public String eventId() {
      return required("event_id", Readers.TEXT);
    }
  }

  public static final class ReturnedBodyStated extends JsonObject {
    public ReturnedBodyStated(Map<String, ?> members) {
      super(members);
    }

    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }
  }

  public static final class SettledForLessBodyStated extends JsonObject {
    public SettledForLessBodyStated(Map<String, ?> members) {
      super(members);
    }

    public Money agreed() {
      return required("agreed", Readers.object(Money::new));
    }

    public Optional<LocalDate> until() {
      return optional("until", Readers.DAY);
    }
  }

  public static final class SuspendedBodyStated extends JsonObject {
    public SuspendedBodyStated(Map<String, ?> members) {
      super(members);
    }

    public LocalDate to() {
      return required("to", Readers.DAY);
    }
  }

  public static final class SuspensionEndedBodyStated extends JsonObject {
    public SuspensionEndedBodyStated(Map<String, ?> members) {
      super(members);
    }

    public String suspensionId() {
      return required("suspension_id", Readers.TEXT);
    }
  }

  public static final class WaivedBodyStated extends JsonObject {
    public WaivedBodyStated(Map<String, ?> members) {
      super(members);
    }

    public long period() {
      return required("period", Readers.NUMBER);
    }

    public String charge() {
      return required("charge", Readers.TEXT);
    }

    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }
  }

  /** Only if the product would not offer the Loan. Its figures then stay as issued. */
  public static final class RehearseItemRefused extends JsonObject {
    public RehearseItemRefused(Map<String, ?> members) {
      super(members);
    }

    public String code() {
      return required("code", Readers.TEXT);
    }

    public Optional<RefusalDetails> details() {
      return optional("details", Readers.object(RefusalDetails::new));
    }
  }

  public static final class RehearseItemChanges extends JsonObject {
    public RehearseItemChanges(Map<String, ?> members) {
      super(members);
    }

    public String figure() {
      return required("figure", Readers.TEXT);
    }

    public Object is() {
      return required("is", Readers.ANY);
    }

    public Object wouldBe() {
      return required("would_be", Readers.ANY);
    }

    /** Only for amounts of money. */
    public Optional<Money> difference() {
      return optional("difference", Readers.object(Money::new));
    }
  }

  public static final class BookChangesChangesFacts extends JsonObject {
    public BookChangesChangesFacts(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>event</code>, <code>receipt</code>, <code>reversal</code>. */
    public String type() {
      return required("type", Readers.TEXT);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    /** The number of the fact in the book version. */
    public long facts() {
      return required("facts", Readers.NUMBER);
    }

    /** RFC 3339 in UTC with six decimals. */
    public Instant recordedAt() {
      return required("recorded_at", Readers.MOMENT);
    }
  }

  public static final class EffectiveValuesAccelerationValue extends JsonObject {
    public EffectiveValuesAccelerationValue(Map<String, ?> members) {
      super(members);
    }

    /** Whether the whole balance may never be called. */
    public boolean forbidden() {
      return required("forbidden", Readers.FLAG);
    }

    /** How many periods must be late before it may be called. */
    public long missedPeriods() {
      return required("missed_periods", Readers.NUMBER);
    }

    /** The days between the notice to the borrower and the call. */
    public long noticeDays() {
      return required("notice_days", Readers.NUMBER);
    }
  }

  public static final class DecisionTraceKnockoutsObserved extends JsonObject {
    public DecisionTraceKnockoutsObserved(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>known</code>, <code>unknown</code>. */
    public String state() {
      return required("state", Readers.TEXT);
    }

    /** Present if the attribute is known, as sent. */
    public Optional<Object> number() {
      return optional("number", Readers.ANY);
    }

    public Optional<LocalDate> asOf() {
      return optional("as_of", Readers.DAY);
    }
  }

  public static final class PolicyContentScorecardBins extends JsonObject {
    public PolicyContentScorecardBins() {}

    public PolicyContentScorecardBins(Map<String, ?> members) {
      super(members);
    }

    /** The first value of the range. Without it the range has no beginning. */
    public Optional<Object> from() {
      return optional("from", Readers.ANY);
    }

    /** The first value of the range. Without it the range has no beginning. */
    public PolicyContentScorecardBins withFrom(Object value) {
      return new PolicyContentScorecardBins(with("from", value));
    }

    /** The end of the range, which is not part of it. Without it the range has no end. */
    public Optional<Object> to() {
      return optional("to", Readers.ANY);
    }

    /** The end of the range, which is not part of it. Without it the range has no end. */
    public PolicyContentScorecardBins withTo(Object value) {
      return new PolicyContentScorecardBins(with("to", value));
    }

    /** The points of a value in this range. */
    public long points() {
      return required("points", Readers.NUMBER);
    }

    /** The points of a value in this range. */
    public PolicyContentScorecardBins withPoints(long value) {
      return new PolicyContentScorecardBins(with("points", value));
    }
  }

  public static final class MarketPenaltyCapValue extends JsonObject {
    public MarketPenaltyCapValue(Map<String, ?> members) {
      super(members);
    }

    /** One of <code>none</code>, <code>multiple_of_rate</code>, <code>rate</code>. */
    public String form() {
      return required("form", Readers.TEXT);
    }

    /** A multiple of the contract rate, or a rate. */
    public Optional<String> value() {
      return optional("value", Readers.TEXT);
    }
  }

  public static final class MarketTaxValue extends JsonObject {
    public MarketTaxValue(Map<String, ?> members) {
      super(members);
    }

    public List<String> rates() {
      return required("rates", Readers.list(Readers.TEXT));
    }

    /** The last day on which a Loan may be anchored under the rate. */
    public List<MarketTaxValueEnds> ends() {
      return required("ends", Readers.list(Readers.object(MarketTaxValueEnds::new)));
    }

    public List<String> on() {
      return required("on", Readers.list(Readers.TEXT));
    }
  }

  public static final class MarketDisclosureValue extends JsonObject {
    public MarketDisclosureValue(Map<String, ?> members) {
      super(members);
    }

    public String convention() {
      return required("convention", Readers.TEXT);
    }

    public long version() {
      return required("version", Readers.NUMBER);
    }
  }

  public static final class CreditDecidedBodyTraceKnockouts extends JsonObject {
    public CreditDecidedBodyTraceKnockouts(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String text() {
      return required("text", Readers.TEXT);
    }

    public String attribute() {
      return required("attribute", Readers.TEXT);
    }

    public String comparison() {
      return required("comparison", Readers.TEXT);
    }

    public Object bound() {
      return required("bound", Readers.ANY);
    }

    public CreditDecidedBodyTraceKnockoutsObserved observed() {
      return required("observed", Readers.object(CreditDecidedBodyTraceKnockoutsObserved::new));
    }

    /** Whether the rule fired. */
    public boolean fired() {
      return required("fired", Readers.FLAG);
    }

    public String outcome() {
      return required("outcome", Readers.TEXT);
    }
  }

  public static final class CreditDecidedBodyTraceScorecard extends JsonObject {
    public CreditDecidedBodyTraceScorecard(Map<String, ?> members) {
      super(members);
    }

    public String id() {
      return required("id", Readers.TEXT);
    }

    public String attribute() {
      return required("attribute", Readers.TEXT);
    }

    public CreditDecidedBodyTraceKnockoutsObserved observed() {
      return required("observed", Readers.object(CreditDecidedBodyTraceKnockoutsObserved::new));
    }

    /** The index of the bin, from 0; absent if no bin contains the observed value. */
    public Optional<Long> bin() {
      return optional("bin", Readers.NUMBER);
    }

    public long points() {
      return required("points", Readers.NUMBER);
    }
  }

  public static final class IssuedBodyStatedTax extends JsonObject {
    public IssuedBodyStatedTax(Map<String, ?> members) {
      super(members);
    }

    /** Per cent a year. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    public List<String> on() {
      return required("on", Readers.list(Readers.TEXT));
    }
  }

  public static final class IssuedBodyTermsTax extends JsonObject {
    public IssuedBodyTermsTax(Map<String, ?> members) {
      super(members);
    }

    /** Per cent a year. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    public List<String> on() {
      return required("on", Readers.list(Readers.TEXT));
    }
  }

  public static final class IssuedBodyTermsAcceleration extends JsonObject {
    public IssuedBodyTermsAcceleration(Map<String, ?> members) {
      super(members);
    }

    /** Whether the whole balance may never be called. */
    public boolean forbidden() {
      return required("forbidden", Readers.FLAG);
    }

    /** How many periods must be late before it may be called. */
    public long missedPeriods() {
      return required("missed_periods", Readers.NUMBER);
    }

    /** The days between the notice to the borrower and the call. */
    public long noticeDays() {
      return required("notice_days", Readers.NUMBER);
    }
  }

  public static final class IssuedBodyTermsPenaltyCap extends JsonObject {
    public IssuedBodyTermsPenaltyCap(Map<String, ?> members) {
      super(members);
    }

    public String form() {
      return required("form", Readers.TEXT);
    }

    public Optional<String> value() {
      return optional("value", Readers.TEXT);
    }
  }

  public static final class IssuedBodyTermsFrame extends JsonObject {
    public IssuedBodyTermsFrame(Map<String, ?> members) {
      super(members);
    }

    public String rateMin() {
      return required("rate_min", Readers.TEXT);
    }

    public String rateMax() {
      return required("rate_max", Readers.TEXT);
    }

    public String penaltyRateMin() {
      return required("penalty_rate_min", Readers.TEXT);
    }

    public String penaltyRateMax() {
      return required("penalty_rate_max", Readers.TEXT);
    }

    public Optional<List<Long>> terms() {
      return optional("terms", Readers.list(Readers.NUMBER));
    }

    public List<FactSchedule> schedules() {
      return required("schedules", Readers.list(Readers.object(FactSchedule::new)));
    }
  }

  public static final class IssuedBodyPlanPeriods extends JsonObject {
    public IssuedBodyPlanPeriods(Map<String, ?> members) {
      super(members);
    }

    public long index() {
      return required("index", Readers.NUMBER);
    }

    public LocalDate scheduledOn() {
      return required("scheduled_on", Readers.DAY);
    }

    public LocalDate dueOn() {
      return required("due_on", Readers.DAY);
    }

    public Money principal() {
      return required("principal", Readers.object(Money::new));
    }

    public Money interest() {
      return required("interest", Readers.object(Money::new));
    }

    public Money fee() {
      return required("fee", Readers.object(Money::new));
    }

    public Money tax() {
      return required("tax", Readers.object(Money::new));
    }
  }

  public static final class PayoffQuotedBodyOwedCharges extends JsonObject {
    public PayoffQuotedBodyOwedCharges(Map<String, ?> members) {
      super(members);
    }

    public String charge() {
      return required("charge", Readers.TEXT);
    }

    /** Before tax. */
    public Money amount() {
      return required("amount", Readers.object(Money::new));
    }

    public Money tax() {
      return required("tax", Readers.object(Money::new));
    }

    public Money total() {
      return required("total", Readers.object(Money::new));
    }
  }

  public static final class MarketTaxValueEnds extends JsonObject {
    public MarketTaxValueEnds(Map<String, ?> members) {
      super(members);
    }

    /** Per cent a year. */
    public String rate() {
      return required("rate", Readers.TEXT);
    }

    public LocalDate on() {
      return required("on", Readers.DAY);
    }
  }

  public static final class CreditDecidedBodyTraceKnockoutsObserved extends JsonObject {
    public CreditDecidedBodyTraceKnockoutsObserved(Map<String, ?> members) {
      super(members);
    }

    public String state() {
      return required("state", Readers.TEXT);
    }

    /** Present if the attribute is known, as sent. */
    public Optional<Object> number() {
      return optional("number", Readers.ANY);
    }

    public Optional<LocalDate> asOf() {
      return optional("as_of", Readers.DAY);
    }
  }
}
