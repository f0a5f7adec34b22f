package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import lending.contract.RefusalCodes;
import lending.contract.Routes;
import lending.contract.Shapes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The SDK against the running service. LENDING_URL, LENDING_TENANT and LENDING_KEY name a Tenancy without records. */
@EnabledIfEnvironmentVariable(named = "LENDING_URL", matches = ".+", disabledReason = "LENDING_URL names no service")
class ServiceTest {
  private final Lending lending = new Lending();

  @Test
  void aLoanIsIssuedPaidAndReadAndRepeatsAnswerTheSame() {
    lending.registerClient("ada", new Shapes.ClientToRegister().withActor("ana").withBasis("signed the contract"));
    Shapes.ProductConfiguration product = lending.createConfiguration(new Shapes.InstalmentToConfigure()
        .withArchetype("instalment")
        .withValues(new Shapes.InstalmentValues(Map.of(
            "principal_min", Amounts.toMoney("1000", "MXN"),
            "principal_max", Amounts.toMoney("50000", "MXN"),
            "rate_min", "12",
            "rate_max", "60",
            "terms", List.of(3, 6)))));
    Shapes.LoanToIssue terms = new Shapes.LoanToIssue()
        .withReference("loan-1")
        .withClientId("ada")
        .withConfigurationId(product.id())
        .withConfigurationVersion(product.version())
        .withPrincipal(Amounts.toMoney("3000", "MXN"))
        .withTermPeriods(3)
        .withRate("36")
        .withAnchor(LocalDate.of(2026, 1, 15))
        .withJurisdiction("MX")
        .withTax(new Shapes.LoanToIssueTax().withRate("16").withOn(List.of("interest")));
    Shapes.Loan loan = lending.issueLoan(terms);
    Answer<Shapes.Loan> again = lending.ask(Routes.ISSUE_LOAN, Map.of(), terms, RequestOptions.NONE);
    assertEquals(200, again.status());
    assertEquals(loan.id(), again.body().id());

    assertEquals(Amounts.toMoney("1.50", "MXN"), lending.reportReceipt(receipt(0)).settled());
    LocalDate on = LocalDate.of(2026, 3, 20);
    assertEquals(loan.id(), lending.readPaymentOptions("ada", on).loans().get(0).loanId());

    Map<String, ?> at = Map.of("client_id", "ada", "on", on);
    Answer<?> options = lending.ask(Routes.READ_PAYMENT_OPTIONS, at, null, RequestOptions.NONE);
    RequestOptions unchanged = RequestOptions.NONE.withIfNoneMatch(options.headers().firstValue("ETag").orElseThrow());
    assertEquals(304, lending.ask(Routes.READ_PAYMENT_OPTIONS, at, null, unchanged).status());

    RefusalException refused = assertThrows(RefusalException.class, () -> lending.readReceipt("ñ/%2F ?#"));
    assertEquals(RefusalCodes.NO_RECEIPT, refused.code());

    checkReceipts();
    FeedEvents page = lending.followFeed(null, Duration.ofSeconds(1)).iterator().next();
    try (EventStream stream = lending.followStream(null)) {
      assertEquals(page.events().get(0), stream.next().events().get(0));
    }
  }

  private void checkReceipts() {
    List<Shapes.ReceiptToReport> receipts = new ArrayList<>();
    for (int number = 1; number <= 25; number += 1) {
      receipts.add(number == 8 ? receipt(number).withClientId("unknown") : receipt(number));
    }
    List<Long> refused = new ArrayList<>();
    for (ReportedReceipt each : lending.reportInBatches(receipts, 10)) {
      if (each.outcome().status() != 201) refused.add(each.index());
    }
    assertEquals(List.of(7L), refused);
    Set<Long> again = new TreeSet<>();
    for (ReportedReceipt each : lending.reportInBatches(receipts)) again.add(each.outcome().status());
    assertEquals(Set.of(200L, 422L), again);
    var listing = lending.listReceipts("ada", new Shapes.ListReceiptsQuery().withLimit(7));
    assertEquals(25, listing.stream().count());
  }

  private static Shapes.ReceiptToReport receipt(int number) {
    return new Shapes.ReceiptToReport()
        .withReference("spei-" + number)
        .withClientId("ada")
        .withAmount(Amounts.toMoney("1.50", "MXN"))
        .withValueDate(LocalDate.of(2026, 2, 15));
  }
}
