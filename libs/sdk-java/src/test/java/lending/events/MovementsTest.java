package lending.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import lending.Amounts;
import lending.Lending;
import lending.contract.Shapes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The consumer of movements against the running service. KAFKA_BROKERS and SCHEMA_REGISTRY_URL name its topics. */
@EnabledIfEnvironmentVariable(named = "KAFKA_BROKERS", matches = ".+", disabledReason = "KAFKA_BROKERS names no brokers")
class MovementsTest {
  private static final LocalDate PAID_ON = LocalDate.of(2026, 2, 15);

  private final Lending lending = new Lending();
  private final Map<Integer, Position> positions = new HashMap<>();
  private final Map<LocalDate, Long> amounts = new HashMap<>();
  private long lastFact = 0;

  @Test
  @Timeout(300) // Ends a wait for records that never come.
  void aBalanceThatIsKeptByAddingIsThatOfTheStatementAndAFailedBatchIsRepeated() {
    String client = "movements";
    lending.registerClient(client, new Shapes.ClientToRegister().withActor("ana").withBasis("signed the contract"));
    Shapes.Loan loan = lending.issueLoan(loan(client));
    lending.reportReceipt(new Shapes.ReceiptToReport()
        .withReference("movements-1").withClientId(client).withAmount(Amounts.toMoney("1070", "MXN")).withValueDate(PAID_ON));

    List<Exception> troubles = new ArrayList<>();
    TopicConsumer<Movement> consumer = TopicConsumer.ofMovements();
    consumer
        .kafka(Map.of("bootstrap.servers", System.getenv("KAFKA_BROKERS")))
        .groupId("test-" + UUID.randomUUID())
        .registry(new RegistryAddress(System.getenv("SCHEMA_REGISTRY_URL")))
        .positionsOf(partitions -> Map.copyOf(positions))
        .take(batch -> {
          if (troubles.isEmpty()) throw new IllegalStateException("the store is not available");
          take(batch, loan.id(), "c/" + client);
          if (lastFact >= 3) consumer.stop();
        })
        .onTrouble(troubles::add)
        .run();

    assertEquals("the store is not available", troubles.get(0).getMessage());
    Shapes.LoanStatement statement = lending.readLoanStatement(loan.id(), LocalDate.of(2026, 1, 1), PAID_ON);
    long owed = amounts.entrySet().stream()
        .filter(each -> !each.getKey().isAfter(PAID_ON))
        .mapToLong(Map.Entry::getValue)
        .sum();
    assertEquals(statement.closing().minorUnits(), owed);
    assertTrue(owed > 0);
  }

  private void take(Batch<Movement> batch, String loanId, String bookId) {
    for (Movement movement : batch.records()) {
      if (!movement.tenantId().equals(System.getenv("LENDING_TENANT"))) continue;
      if (movement.bookId().equals(bookId)) lastFact = movement.fact();
      for (LoanMovement each : movement.loans()) {
        if (!each.loanId().equals(loanId)) continue;
        each.added().forEach(line -> amounts.merge(line.day(), line.amount() + line.tax(), Long::sum));
        each.takenBack().forEach(line -> amounts.merge(line.day(), -line.amount() - line.tax(), Long::sum));
      }
    }
    positions.put(batch.partition(), batch.position());
  }

  @Test
  void aConsumerWithoutItsOptionsIsRefused() {
    var refused = assertThrows(IllegalArgumentException.class, () -> TopicConsumer.ofMovements().run());
    assertTrue(refused.getMessage().contains("groupId is missing"));
  }

  private Shapes.LoanToIssue loan(String client) {
    Shapes.ProductConfiguration product = lending.createConfiguration(new Shapes.InstalmentToConfigure()
        .withArchetype("instalment")
        .withValues(new Shapes.InstalmentValues(Map.of(
            "principal_min", Amounts.toMoney("1000", "MXN"),
            "principal_max", Amounts.toMoney("50000", "MXN"),
            "rate_min", "12",
            "rate_max", "60",
            "terms", List.of(3)))));
    return new Shapes.LoanToIssue()
        .withReference("movements-loan")
        .withClientId(client)
        .withConfigurationId(product.id())
        .withConfigurationVersion(product.version())
        .withPrincipal(Amounts.toMoney("3000", "MXN"))
        .withTermPeriods(3)
        .withRate("36")
        .withAnchor(LocalDate.of(2026, 1, 15))
        .withJurisdiction("MX")
        .withTax(new Shapes.LoanToIssueTax().withRate("16").withOn(List.of("interest")));
  }
}
