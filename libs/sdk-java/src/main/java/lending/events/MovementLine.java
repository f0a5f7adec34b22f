package lending.events;

import java.time.LocalDate;
import java.util.Optional;

/**
 * A change of what one charge of one period of a Loan owes.
 *
 * @param charge {@code principal}, {@code interest}, {@code fee}, {@code penalty} or {@code late_fee}
 * @param kind {@code charged}, {@code received}, {@code released}, {@code ceded} or {@code moved}. Later versions of the service
 *     may add kinds.
 * @param day the debt on a day is the sum of the lines up to it
 * @param dueOn what is overdue on a day is the sum of those of them of which this day has come
 * @param amount minor units without tax; positive raises the debt, negative lowers it
 * @param tax minor units
 * @param fact the fact of the book that caused the line; empty where days alone did
 */
public record MovementLine(
    int period, String charge, String kind, LocalDate day, LocalDate dueOn, long amount, long tax, Optional<Long> fact) {}
