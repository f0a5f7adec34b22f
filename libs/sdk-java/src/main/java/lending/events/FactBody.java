package lending.events;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lending.JsonObject;
import lending.contract.Shapes.Money;

/**
 * The body of a fact in one form: money is an object, a day is a text, and a period of the plan has members by name.
 * {@code FactBody.of(event, FactKinds.ISSUED)} has a method for each member.
 */
public final class FactBody {
  private static final List<String> AMOUNTS_OF_TERMS =
      List.of("principal", "down_payment", "origination_fee", "late_fee", "rollover_fee", "tolerance");

  private FactBody() {}

  /** Throws an IllegalArgumentException where the fact is of another kind. {@code event.body()} is the text as it is stored. */
  public static <B> B of(BookEvent event, FactKind<B> kind) {
    if (event.kind().equals(kind.name())) return of(kind.name(), event.body()).as(kind.view());
    throw new IllegalArgumentException("the fact is of the kind " + event.kind() + "; expected " + kind.name());
  }

  /** Of any kind, from a text as it is stored. */
  public static JsonObject of(String kind, String body) {
    Map<String, Object> members = new LinkedHashMap<>(JsonObject.parse(body).members());
    switch (kind) {
      case "issued" -> readIssued(members);
      case "receipt_reported" -> readReceipt(members);
      case "payoff_quoted" -> readQuote(members);
      default -> { }
    }
    return new JsonObject(members);
  }

  private static void readIssued(Map<String, Object> issued) {
    Map<String, Object> terms = membersOf(issued.get("terms"));
    String currency = (String) terms.get("currency");
    for (String name : AMOUNTS_OF_TERMS) terms.put(name, money(terms.get(name), currency));
    Map<String, Object> plan = membersOf(issued.get("plan"));
    plan.put("level", money(plan.get("level"), currency));
    plan.put("periods", ((List<?>) plan.get("periods")).stream().map(each -> period((List<?>) each, currency)).toList());
    issued.put("terms", terms);
    issued.put("plan", plan);
  }

  private static Map<String, Object> period(List<?> stored, String currency) {
    Map<String, Object> period = new LinkedHashMap<>();
    period.put("index", stored.get(0));
    period.put("scheduled_on", day(stored.get(1)));
    period.put("due_on", day(stored.get(2)));
    period.put("principal", money(stored.get(3), currency));
    period.put("interest", money(stored.get(4), currency));
    period.put("fee", money(stored.get(5), currency));
    period.put("tax", money(stored.get(6), currency));
    return period;
  }

  private static void readReceipt(Map<String, Object> reported) {
    if (!reported.containsKey("quote")) return;
    Map<String, Object> amount = membersOf(membersOf(reported.get("receipt")).get("amount"));
    Map<String, Object> quote = membersOf(reported.get("quote"));
    quote.put("total", money(quote.get("total"), (String) amount.get("currency")));
    reported.put("quote", quote);
  }

  /** {@code loanId} is the name of earlier releases. */
  private static void readQuote(Map<String, Object> quote) {
    quote.putIfAbsent("loan_id", quote.remove("loanId"));
    quote.remove("loanId");
  }

  private static Money money(Object minorUnits, String currency) {
    return new Money().withMinorUnits((Long) minorUnits).withCurrency(currency);
  }

  /** Stored days are counted from 1970-01-01. */
  private static LocalDate day(Object stored) {
    return LocalDate.ofEpochDay((Long) stored);
  }

  /** A copy, which may be changed. The parser makes maps with names of texts alone. */
  @SuppressWarnings("unchecked")
  private static Map<String, Object> membersOf(Object value) {
    return new LinkedHashMap<>((Map<String, Object>) value);
  }
}
