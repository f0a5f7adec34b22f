package lending.events;

import java.util.List;

/** The lines of one Loan: add the {@code added} ones, and subtract the others, which an earlier movement added. */
public record LoanMovement(String loanId, String currency, List<MovementLine> added, List<MovementLine> takenBack) {}
