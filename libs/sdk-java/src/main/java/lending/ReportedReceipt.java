package lending;

import lending.contract.Shapes;

/**
 * One Receipt and its outcome: status 201 recorded, 200 recorded before, otherwise refused with its code. The index is its
 * position in the input, from 0.
 */
public record ReportedReceipt(long index, Shapes.ReceiptToReport receipt, Shapes.ReceiptBatchOutcome outcome) {}
