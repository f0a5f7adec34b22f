package lending;

import java.math.BigDecimal;
import lending.contract.Shapes;

/** Amounts of money as whole minor units of their currency. */
public final class Amounts {
  private static final int DECIMALS = 2;

  private Amounts() {}

  /** {@code toMoney("103.56", "MXN")}, for a currency with two decimals. */
  public static Shapes.Money toMoney(String amount, String currency) {
    return toMoney(new BigDecimal(amount), currency, DECIMALS);
  }

  /** {@code toMoney("500", "JPY", 0)}, for a currency with another number of decimals. */
  public static Shapes.Money toMoney(String amount, String currency, int decimals) {
    return toMoney(new BigDecimal(amount), currency, decimals);
  }

  public static Shapes.Money toMoney(BigDecimal amount, String currency, int decimals) {
    try {
      long units = amount.movePointRight(decimals).longValueExact();
      return new Shapes.Money().withMinorUnits(units).withCurrency(currency);
    } catch (ArithmeticException cause) {
      String message = "the amount " + amount + " has more than " + decimals + " decimals, or is too large; expected whole minor units";
      throw new IllegalArgumentException(message, cause);
    }
  }

  /** The amount in units of a currency with two decimals: 103.56 for 10,356 centavos. */
  public static BigDecimal toDecimal(Shapes.Money money) {
    return toDecimal(money, DECIMALS);
  }

  /** For a currency with another number of decimals. */
  public static BigDecimal toDecimal(Shapes.Money money, int decimals) {
    return BigDecimal.valueOf(money.minorUnits(), decimals);
  }
}
