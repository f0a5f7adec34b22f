package lending.contract;

import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lending.JsonObject;
import lending.Listing;
import lending.PagedRoute;
import lending.Route;

/** A method for each route. Generated from schemas/openapi.json: npm run schemas:sdk. */
public abstract class RouteMethods {
  private static final JsonObject NO_QUERY = new JsonObject();

  protected abstract <A> A call(Route<A> route, Map<String, ?> parameters, JsonObject body);

  protected abstract <P extends JsonObject, I> Listing<P, I> list(
      PagedRoute<P, I> route, Map<String, ?> parameters, JsonObject body);

  /**
   * List Loans: <code>GET /v1/tenants/{tenant_id}/loans</code>
   *
   * Reads the books of the Clients whose Loans are on the page, all as of one moment. With <code>state</code> or <code>client_id</code>, at most ten times <code>limit</code> Loans are examined for a page, so a page may be short or empty and still have a <code>cursor</code>. A Loan issued with a hold and not confirmed is listed only if <code>state</code> is <code>held</code>, <code>expired</code> or <code>voided</code>. Its position is that of its issuance: if it is confirmed while a caller reads the pages, it may or may not appear. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with <code>book_not_derivable</code> in their <code>anomalies</code>. Read your write: yes.
   */
  public Listing<Shapes.LoanPage, JsonObject> listLoans() {
    return list(Routes.LIST_LOANS, parameters(NO_QUERY), null);
  }

  /**
   * List Loans: <code>GET /v1/tenants/{tenant_id}/loans</code>
   *
   * Reads the books of the Clients whose Loans are on the page, all as of one moment. With <code>state</code> or <code>client_id</code>, at most ten times <code>limit</code> Loans are examined for a page, so a page may be short or empty and still have a <code>cursor</code>. A Loan issued with a hold and not confirmed is listed only if <code>state</code> is <code>held</code>, <code>expired</code> or <code>voided</code>. Its position is that of its issuance: if it is confirmed while a caller reads the pages, it may or may not appear. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with <code>book_not_derivable</code> in their <code>anomalies</code>. Read your write: yes.
   */
  public Listing<Shapes.LoanPage, JsonObject> listLoans(Shapes.ListLoansQuery query) {
    return list(Routes.LIST_LOANS, parameters(query), null);
  }

  /**
   * Issue a Loan: <code>POST /v1/tenants/{tenant_id}/loans</code>
   *
   * Reads the configuration version, the market's law and the book of the Client. Records an <code>issued</code> fact with the terms, plan, disclosure and regime, which never change. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan issueLoan(Shapes.LoanToIssue body) {
    return call(Routes.ISSUE_LOAN, parameters(NO_QUERY), body);
  }

  /**
   * Preview a Loan: <code>POST /v1/tenants/{tenant_id}/loans/preview</code>
   *
   * Runs every check of issuance in the same order, on the same facts, and records nothing. <code>reference</code> is ignored. Read your write: yes.
   */
  public Shapes.LoanPreview previewLoan(Shapes.LoanToPreview body) {
    return call(Routes.PREVIEW_LOAN, parameters(NO_QUERY), body);
  }

  /**
   * Read a Loan: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The state is computed from all recorded facts. The read takes no day. Read your write: yes.
   */
  public Shapes.Loan readLoan(String loanId) {
    return call(Routes.READ_LOAN, parameters(NO_QUERY, "loan_id", loanId), null);
  }

  /**
   * Confirm a held Loan: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/confirm</code>
   *
   * The hold ends, and the Loan is in force from this day on. Records a <code>confirmed</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan confirmLoan(String loanId, Shapes.ActOnADay body) {
    return call(Routes.CONFIRM_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Void a held Loan: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/void</code>
   *
   * The Loan counts as not issued. Records a <code>voided</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan voidLoan(String loanId, Shapes.ActOnADay body) {
    return call(Routes.VOID_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Cancel a Loan: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/cancel</code>
   *
   * Only while no Receipt has settled anything on it. Records a <code>cancelled</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan cancelLoan(String loanId, Shapes.ActOnADay body) {
    return call(Routes.CANCEL_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Rescind a Loan: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/rescind</code>
   *
   * The Loan is undone, and what it received goes back to the Client. Records a <code>rescinded</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan rescindLoan(String loanId, Shapes.ActOnADay body) {
    return call(Routes.RESCIND_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Withdraw from a Loan: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/withdraw</code>
   *
   * The borrower withdraws within the days the product or the law gives. Records a <code>withdrawn</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan withdrawLoan(String loanId, Shapes.ActOnADay body) {
    return call(Routes.WITHDRAW_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Suspend a Loan: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/suspension</code>
   *
   * The days from <code>on</code> to <code>to</code> do not count for lateness or penalty. Records a <code>suspended</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan suspendLoan(String loanId, Shapes.SuspensionAct body) {
    return call(Routes.SUSPEND_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * End a suspension early: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/suspension-end</code>
   *
   * Days count for lateness and penalty again from <code>on</code>. Records a <code>suspension_ended</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan endSuspension(String loanId, Shapes.SuspensionEndAct body) {
    return call(Routes.END_SUSPENSION, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Waive a charge: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/waiver</code>
   *
   * Releases part of a charge of one period. Records a <code>waived</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan waiveCharge(String loanId, Shapes.WaiverAct body) {
    return call(Routes.WAIVE_CHARGE, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Return goods: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/return</code>
   *
   * Splits the value of what went back by what the Loan still owed. Records a <code>returned</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan returnGoods(String loanId, Shapes.ReturnAct body) {
    return call(Routes.RETURN_GOODS, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Roll a payday Loan over: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/rollover</code>
   *
   * Opens another period for its principal. Records a <code>rolled_over</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan rollOverLoan(String loanId, Shapes.ActOnADay body) {
    return call(Routes.ROLL_OVER_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Restructure a Loan: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/restructure</code>
   *
   * Makes a new plan of what is owed. Records a <code>restructured</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan restructureLoan(String loanId, Shapes.RestructureAct body) {
    return call(Routes.RESTRUCTURE_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Call the whole balance: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/acceleration</code>
   *
   * Everything owed falls due on <code>on</code>. Records a <code>accelerated</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan accelerateLoan(String loanId, Shapes.AccelerationAct body) {
    return call(Routes.ACCELERATE_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Agree a settlement for less: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/settlement</code>
   *
   * The agreed sum discharges the Loan where it comes in time. Records a <code>settled_for_less</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan settleLoan(String loanId, Shapes.SettlementAct body) {
    return call(Routes.SETTLE_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Write a Loan off: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/write-off</code>
   *
   * Charging stops; the debt stays on record at its cost. Records a <code>written_off</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan writeOffLoan(String loanId, Shapes.ActOnADay body) {
    return call(Routes.WRITE_OFF_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Cede a Loan: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/cession</code>
   *
   * The debt is the assignee’s from the cut-off on. Records a <code>ceded</code> fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan cedeLoan(String loanId, Shapes.ActOnADay body) {
    return call(Routes.CEDE_LOAN, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Withdraw a fact: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/retraction</code>
   *
   * The fact named by <code>event_id</code> has no effect any more, on any day, and stays readable. Answers the whole Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Loan retractFact(String loanId, Shapes.RetractionAct body) {
    return call(Routes.RETRACT_FACT, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * Quote a payoff: <code>POST /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes</code>
   *
   * Records the amount that discharges the Loan on the day, as the book is now. A quote does not bind, and does not change the book version. Every read shows it as soon as this is answered.
   */
  public Shapes.PayoffQuote quotePayoff(String loanId, Shapes.ActOnADay body) {
    return call(Routes.QUOTE_PAYOFF, parameters(NO_QUERY, "loan_id", loanId), body);
  }

  /**
   * List the payoff quotes of a Loan: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Read your write: yes.
   */
  public Listing<Shapes.PayoffQuotePage, Shapes.PayoffQuote> listPayoffQuotes(String loanId) {
    return list(Routes.LIST_PAYOFF_QUOTES, parameters(NO_QUERY, "loan_id", loanId), null);
  }

  /**
   * List the payoff quotes of a Loan: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Read your write: yes.
   */
  public Listing<Shapes.PayoffQuotePage, Shapes.PayoffQuote> listPayoffQuotes(String loanId, Shapes.ListPayoffQuotesQuery query) {
    return list(Routes.LIST_PAYOFF_QUOTES, parameters(query, "loan_id", loanId), null);
  }

  /**
   * Read a payoff quote: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes/{quote_id}</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Read your write: yes.
   */
  public Shapes.PayoffQuote readPayoffQuote(String loanId, String quoteId) {
    return call(Routes.READ_PAYOFF_QUOTE, parameters(NO_QUERY, "loan_id", loanId, "quote_id", quoteId), null);
  }

  /**
   * Read a Loan's schedule on a day: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/schedule</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The figures on the day. Read your write: yes.
   */
  public Shapes.LoanSchedule readSchedule(String loanId, LocalDate on) {
    return call(Routes.READ_SCHEDULE, parameters(NO_QUERY, "loan_id", loanId, "on", on), null);
  }

  /**
   * Read a Loan's schedule on a day: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/schedule</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The figures on the day. Read your write: yes.
   */
  public Shapes.LoanSchedule readSchedule(String loanId, LocalDate on, Shapes.ReadScheduleQuery query) {
    return call(Routes.READ_SCHEDULE, parameters(query, "loan_id", loanId, "on", on), null);
  }

  /**
   * Read a Loan's delays on a day: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/delinquency</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The figures on the day. Read your write: yes.
   */
  public Shapes.Delinquency readDelinquency(String loanId, LocalDate on) {
    return call(Routes.READ_DELINQUENCY, parameters(NO_QUERY, "loan_id", loanId, "on", on), null);
  }

  /**
   * Read a Loan's delays on a day: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/delinquency</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The figures on the day. Read your write: yes.
   */
  public Shapes.Delinquency readDelinquency(String loanId, LocalDate on, Shapes.ReadDelinquencyQuery query) {
    return call(Routes.READ_DELINQUENCY, parameters(query, "loan_id", loanId, "on", on), null);
  }

  /**
   * Explain the figures of a Loan on a day: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/explanation</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The Loan, its payment options and its schedule on the day as of one moment, the part of each period in every figure, and the newest fifty Receipts that settled something by the day. Read your write: yes.
   */
  public Shapes.LoanExplanation explainLoan(String loanId, LocalDate on) {
    return call(Routes.EXPLAIN_LOAN, parameters(NO_QUERY, "loan_id", loanId, "on", on), null);
  }

  /**
   * Explain the figures of a Loan on a day: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/explanation</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The Loan, its payment options and its schedule on the day as of one moment, the part of each period in every figure, and the newest fifty Receipts that settled something by the day. Read your write: yes.
   */
  public Shapes.LoanExplanation explainLoan(String loanId, LocalDate on, Shapes.ExplainLoanQuery query) {
    return call(Routes.EXPLAIN_LOAN, parameters(query, "loan_id", loanId, "on", on), null);
  }

  /**
   * Read one Loan's statement: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/statement</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Every change of what the Loan owes, both days included. Read your write: yes.
   */
  public Shapes.LoanStatement readLoanStatement(String loanId, LocalDate from, LocalDate to) {
    return call(Routes.READ_LOAN_STATEMENT, parameters(NO_QUERY, "loan_id", loanId, "from", from, "to", to), null);
  }

  /**
   * Read one Loan's statement: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/statement</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Every change of what the Loan owes, both days included. Read your write: yes.
   */
  public Shapes.LoanStatement readLoanStatement(String loanId, LocalDate from, LocalDate to, Shapes.ReadLoanStatementQuery query) {
    return call(Routes.READ_LOAN_STATEMENT, parameters(query, "loan_id", loanId, "from", from, "to", to), null);
  }

  /**
   * Prove the facts of a Loan: <code>GET /v1/tenants/{tenant_id}/loans/{loan_id}/evidence</code>
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Each fact comes with the signed submission that caused it, so that it can be verified without the service. Read your write: yes.
   */
  public Shapes.LoanEvidence readLoanEvidence(String loanId) {
    return call(Routes.READ_LOAN_EVIDENCE, parameters(NO_QUERY, "loan_id", loanId), null);
  }

  /**
   * Follow the events of all Loans: <code>GET /v1/tenants/{tenant_id}/loan-events</code>
   *
   * Reads the facts of all Loans of the Tenancy in the order of commit. A page without events and with an unchanged cursor is the end of the feed so far. Cursors never expire. Read your write: yes.
   */
  public Shapes.Feed readFeed() {
    return call(Routes.READ_FEED, parameters(NO_QUERY), null);
  }

  /**
   * Follow the events of all Loans: <code>GET /v1/tenants/{tenant_id}/loan-events</code>
   *
   * Reads the facts of all Loans of the Tenancy in the order of commit. A page without events and with an unchanged cursor is the end of the feed so far. Cursors never expire. Read your write: yes.
   */
  public Shapes.Feed readFeed(Shapes.ReadFeedQuery query) {
    return call(Routes.READ_FEED, parameters(query), null);
  }

  /**
   * List the registered Clients: <code>GET /v1/tenants/{tenant_id}/clients</code>
   *
   * Reads the registrations of the Tenancy. Read your write: yes.
   */
  public Listing<Shapes.ClientPage, Shapes.Client> listClients() {
    return list(Routes.LIST_CLIENTS, parameters(NO_QUERY), null);
  }

  /**
   * List the registered Clients: <code>GET /v1/tenants/{tenant_id}/clients</code>
   *
   * Reads the registrations of the Tenancy. Read your write: yes.
   */
  public Listing<Shapes.ClientPage, Shapes.Client> listClients(Shapes.ListClientsQuery query) {
    return list(Routes.LIST_CLIENTS, parameters(query), null);
  }

  /**
   * Register a Client: <code>PUT /v1/tenants/{tenant_id}/clients/{client_id}</code>
   *
   * Records the registration. The same registration again answers 200. A registration does not change the book version. Every read shows it as soon as this is answered.
   */
  public Shapes.Client registerClient(String clientId, Shapes.ClientToRegister body) {
    return call(Routes.REGISTER_CLIENT, parameters(NO_QUERY, "client_id", clientId), body);
  }

  /**
   * Read a Client's registration: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. Read your write: yes.
   */
  public Shapes.Client readClient(String clientId) {
    return call(Routes.READ_CLIENT, parameters(NO_QUERY, "client_id", clientId), null);
  }

  /**
   * Read what a Client can pay on a day: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/payment-options</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. The figures on the day. The <code>ETag</code> changes with every fact about the Client and with every release of the service; if it is sent in <code>If-None-Match</code> and still current, the answer is 304 without a body. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  public Shapes.PaymentOptions readPaymentOptions(String clientId, LocalDate on) {
    return call(Routes.READ_PAYMENT_OPTIONS, parameters(NO_QUERY, "client_id", clientId, "on", on), null);
  }

  /**
   * Read what a Client can pay on a day: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/payment-options</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. The figures on the day. The <code>ETag</code> changes with every fact about the Client and with every release of the service; if it is sent in <code>If-None-Match</code> and still current, the answer is 304 without a body. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  public Shapes.PaymentOptions readPaymentOptions(String clientId, LocalDate on, Shapes.ReadPaymentOptionsQuery query) {
    return call(Routes.READ_PAYMENT_OPTIONS, parameters(query, "client_id", clientId, "on", on), null);
  }

  /**
   * Read a Client's statement: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/statement</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. From <code>from</code> to <code>to</code>, both included. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  public Shapes.Statement readStatement(String clientId, LocalDate from, LocalDate to) {
    return call(Routes.READ_STATEMENT, parameters(NO_QUERY, "client_id", clientId, "from", from, "to", to), null);
  }

  /**
   * Read a Client's statement: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/statement</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. From <code>from</code> to <code>to</code>, both included. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  public Shapes.Statement readStatement(String clientId, LocalDate from, LocalDate to, Shapes.ReadStatementQuery query) {
    return call(Routes.READ_STATEMENT, parameters(query, "client_id", clientId, "from", from, "to", to), null);
  }

  /**
   * List a Client's Receipts: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/receipts</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  public Listing<Shapes.ReceiptPage, Shapes.ReceiptRow> listReceipts(String clientId) {
    return list(Routes.LIST_RECEIPTS, parameters(NO_QUERY, "client_id", clientId), null);
  }

  /**
   * List a Client's Receipts: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/receipts</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  public Listing<Shapes.ReceiptPage, Shapes.ReceiptRow> listReceipts(String clientId, Shapes.ListReceiptsQuery query) {
    return list(Routes.LIST_RECEIPTS, parameters(query, "client_id", clientId), null);
  }

  /**
   * Read what is owed back to a Client: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/obligations</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. <code>limit</code> applies to <code>receipts</code> only; all other members are complete. The service records what is owed and moves no money. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  public Listing<Shapes.Obligations, String> readObligations(String clientId) {
    return list(Routes.READ_OBLIGATIONS, parameters(NO_QUERY, "client_id", clientId), null);
  }

  /**
   * Read what is owed back to a Client: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/obligations</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. <code>limit</code> applies to <code>receipts</code> only; all other members are complete. The service records what is owed and moves no money. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  public Listing<Shapes.Obligations, String> readObligations(String clientId, Shapes.ReadObligationsQuery query) {
    return list(Routes.READ_OBLIGATIONS, parameters(query, "client_id", clientId), null);
  }

  /**
   * Read the version of a Client's book: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/book-version</code>
   *
   * Reads the number of facts recorded about the Client and the moment of the last one. Compare both. Payoff quotes do not change them. Read your write: yes.
   */
  public Shapes.BookVersion readBookVersion(String clientId) {
    return call(Routes.READ_BOOK_VERSION, parameters(NO_QUERY, "client_id", clientId), null);
  }

  /**
   * Read a Client's whole book on a day: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/book</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. Everything that the other reads answer, as of one moment. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  public Shapes.ClientBook readClientBook(String clientId, LocalDate on) {
    return call(Routes.READ_CLIENT_BOOK, parameters(NO_QUERY, "client_id", clientId, "on", on), null);
  }

  /**
   * Read a Client's whole book on a day: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/book</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. Everything that the other reads answer, as of one moment. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  public Shapes.ClientBook readClientBook(String clientId, LocalDate on, Shapes.ReadClientBookQuery query) {
    return call(Routes.READ_CLIENT_BOOK, parameters(query, "client_id", clientId, "on", on), null);
  }

  /**
   * Explain why figures changed: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/changes</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. Compares the figures of a day in two book versions, and names the facts that changed each figure. Read your write: yes.
   */
  public Shapes.BookChanges readChanges(String clientId, LocalDate on, long fromFacts, long toFacts) {
    return call(Routes.READ_CHANGES, parameters(NO_QUERY, "client_id", clientId, "on", on, "from_facts", fromFacts, "to_facts", toFacts), null);
  }

  /**
   * Explain why figures changed: <code>GET /v1/tenants/{tenant_id}/clients/{client_id}/changes</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. Compares the figures of a day in two book versions, and names the facts that changed each figure. Read your write: yes.
   */
  public Shapes.BookChanges readChanges(String clientId, LocalDate on, long fromFacts, long toFacts, Shapes.ReadChangesQuery query) {
    return call(Routes.READ_CHANGES, parameters(query, "client_id", clientId, "on", on, "from_facts", fromFacts, "to_facts", toFacts), null);
  }

  /**
   * Simulate acts and Receipts: <code>POST /v1/tenants/{tenant_id}/clients/{client_id}/simulate</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. Decides each supposed fact as its own route would, one after the other, and records nothing. A Loan issued earlier in the simulation is named by the reference of its issuance: <code>loan_reference</code> instead of <code>loan_id</code>, and for a Receipt <code>designated_loan_reference</code> instead of <code>designated_loan_id</code>. Read your write: yes.
   */
  public Shapes.Simulation simulate(String clientId, Shapes.SimulationToRun body) {
    return call(Routes.SIMULATE, parameters(NO_QUERY, "client_id", clientId), body);
  }

  /**
   * Read a merchant's book on a day: <code>GET /v1/tenants/{tenant_id}/merchants/{merchant_ref}/book</code>
   *
   * Reads the books of the Clients whose Loans name the merchant, all as of one moment. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with <code>book_not_derivable</code> in their <code>anomalies</code>, and are not included in totals. Read your write: yes.
   */
  public Listing<Shapes.MerchantBook, JsonObject> readMerchantBook(String merchantRef, LocalDate on) {
    return list(Routes.READ_MERCHANT_BOOK, parameters(NO_QUERY, "merchant_ref", merchantRef, "on", on), null);
  }

  /**
   * Read a merchant's book on a day: <code>GET /v1/tenants/{tenant_id}/merchants/{merchant_ref}/book</code>
   *
   * Reads the books of the Clients whose Loans name the merchant, all as of one moment. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with <code>book_not_derivable</code> in their <code>anomalies</code>, and are not included in totals. Read your write: yes.
   */
  public Listing<Shapes.MerchantBook, JsonObject> readMerchantBook(String merchantRef, LocalDate on, Shapes.ReadMerchantBookQuery query) {
    return list(Routes.READ_MERCHANT_BOOK, parameters(query, "merchant_ref", merchantRef, "on", on), null);
  }

  /**
   * Report a Receipt: <code>POST /v1/tenants/{tenant_id}/receipts</code>
   *
   * Records money that arrived, by its value date, and answers how it was allocated. Money without a designated Loan is allocated over all Loans of the Client in its currency. Every read shows it as soon as this is answered.
   */
  public Shapes.Receipt reportReceipt(Shapes.ReceiptToReport body) {
    return call(Routes.REPORT_RECEIPT, parameters(NO_QUERY), body);
  }

  /**
   * Report many Receipts: <code>POST /v1/tenants/{tenant_id}/receipts/batch</code>
   *
   * Records each Receipt by itself, those of one Client in the order of the batch. <code>outcomes</code> has for each what <code>POST /receipts</code> would have answered. Sending the batch again is safe for each Receipt. Every read shows it as soon as this is answered.
   */
  public Shapes.ReceiptBatchOutcomes reportReceipts(Shapes.ReceiptBatch body) {
    return call(Routes.REPORT_RECEIPTS, parameters(NO_QUERY), body);
  }

  /**
   * Reverse a Receipt: <code>POST /v1/tenants/{tenant_id}/receipts/{receipt_reference}/reversal</code>
   *
   * Records that the money was returned. Its allocation is undone as if the money had never arrived. A reversal is accepted in every state of a Loan. Every read shows it as soon as this is answered.
   */
  public Shapes.Receipt reverseReceipt(String receiptReference, Shapes.ReversalAct body) {
    return call(Routes.REVERSE_RECEIPT, parameters(NO_QUERY, "receipt_reference", receiptReference), body);
  }

  /**
   * Read a Receipt: <code>GET /v1/tenants/{tenant_id}/receipts/{receipt_reference}</code>
   *
   * Reads the book of the Receipt's Client: every fact recorded about the Client. How the money of the Receipt is allocated, by all recorded facts. Read your write: yes.
   */
  public Shapes.Receipt readReceipt(String receiptReference) {
    return call(Routes.READ_RECEIPT, parameters(NO_QUERY, "receipt_reference", receiptReference), null);
  }

  /**
   * Prove the facts of a Receipt: <code>GET /v1/tenants/{tenant_id}/receipts/{receipt_reference}/evidence</code>
   *
   * Reads the book of the Receipt's Client: every fact recorded about the Client. Each fact comes with the signed submission that caused it. Read your write: yes.
   */
  public Shapes.ReceiptEvidence readReceiptEvidence(String receiptReference) {
    return call(Routes.READ_RECEIPT_EVIDENCE, parameters(NO_QUERY, "receipt_reference", receiptReference), null);
  }

  /**
   * Create a configuration: <code>POST /v1/tenants/{tenant_id}/product-configurations</code>
   *
   * Records a configuration at version 1. With an <code>Idempotency-Key</code>, identical requests get the first outcome for 24 hours; without one, every request records a new one. Every read shows it as soon as this is answered.
   */
  public Shapes.ProductConfiguration createConfiguration(JsonObject body) {
    return call(Routes.CREATE_CONFIGURATION, parameters(NO_QUERY), body);
  }

  /**
   * List the configurations: <code>GET /v1/tenants/{tenant_id}/product-configurations</code>
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  public Listing<Shapes.ConfigurationPage, Shapes.ProductConfiguration> listConfigurations() {
    return list(Routes.LIST_CONFIGURATIONS, parameters(NO_QUERY), null);
  }

  /**
   * List the configurations: <code>GET /v1/tenants/{tenant_id}/product-configurations</code>
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  public Listing<Shapes.ConfigurationPage, Shapes.ProductConfiguration> listConfigurations(Shapes.ListConfigurationsQuery query) {
    return list(Routes.LIST_CONFIGURATIONS, parameters(query), null);
  }

  /**
   * Preview a configuration: <code>POST /v1/tenants/{tenant_id}/product-configurations/preview</code>
   *
   * Runs every check of creation in the same order and records nothing. Read your write: yes.
   */
  public Shapes.ConfigurationPreview previewConfiguration(JsonObject body) {
    return call(Routes.PREVIEW_CONFIGURATION, parameters(NO_QUERY), body);
  }

  /**
   * Read a configuration at its latest version: <code>GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}</code>
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  public Shapes.ProductConfiguration readConfiguration(String configurationId) {
    return call(Routes.READ_CONFIGURATION, parameters(NO_QUERY, "configuration_id", configurationId), null);
  }

  /**
   * List the versions of a configuration: <code>GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions</code>
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  public Listing<Shapes.ConfigurationVersionPage, Shapes.ProductConfiguration> listConfigurationVersions(String configurationId) {
    return list(Routes.LIST_CONFIGURATION_VERSIONS, parameters(NO_QUERY, "configuration_id", configurationId), null);
  }

  /**
   * List the versions of a configuration: <code>GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions</code>
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  public Listing<Shapes.ConfigurationVersionPage, Shapes.ProductConfiguration> listConfigurationVersions(String configurationId, Shapes.ListConfigurationVersionsQuery query) {
    return list(Routes.LIST_CONFIGURATION_VERSIONS, parameters(query, "configuration_id", configurationId), null);
  }

  /**
   * Write a new version of a configuration: <code>POST /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions</code>
   *
   * Records all values as the next version. Issued Loans do not change. With an <code>Idempotency-Key</code>, identical requests get the first outcome for 24 hours; without one, every request records a new one. Every read shows it as soon as this is answered.
   */
  public Shapes.ProductConfiguration writeConfigurationVersion(String configurationId, Shapes.WriteConfigurationVersionBody body) {
    return call(Routes.WRITE_CONFIGURATION_VERSION, parameters(NO_QUERY, "configuration_id", configurationId), body);
  }

  /**
   * Read one version of a configuration: <code>GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions/{configuration_version}</code>
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  public Shapes.ProductConfiguration readConfigurationVersion(String configurationId, long configurationVersion) {
    return call(Routes.READ_CONFIGURATION_VERSION, parameters(NO_QUERY, "configuration_id", configurationId, "configuration_version", configurationVersion), null);
  }

  /**
   * Adopt a policy for a configuration: <code>PUT /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy</code>
   *
   * Records which published policy version decides for all versions of the configuration from the next Decision on. Every read shows it as soon as this is answered.
   */
  public Shapes.PolicyAdoption adoptPolicy(String configurationId, Shapes.PolicyAdoptionAct body) {
    return call(Routes.ADOPT_POLICY, parameters(NO_QUERY, "configuration_id", configurationId), body);
  }

  /**
   * Read which policy a configuration has adopted: <code>GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy</code>
   *
   * Reads the Tenancy's own book: every fact recorded about its products. <code>not_found</code> where no policy was adopted. Read your write: yes.
   */
  public Shapes.PolicyAdoption readAdoptedPolicy(String configurationId) {
    return call(Routes.READ_ADOPTED_POLICY, parameters(NO_QUERY, "configuration_id", configurationId), null);
  }

  /**
   * Rehearse other values of a product: <code>POST /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/rehearsal</code>
   *
   * Reads the books of the Clients that hold Loans of the product, computes them with the other values and lists what would change. A page with long books may end before its limit; <code>examined</code> is the number of Loans examined. If the book of a Client cannot be computed, its Loans are listed without changes, with <code>book_not_derivable</code> in their <code>anomalies</code>; if it is too large for one request, with <code>book_too_large</code>. Records nothing. Read your write: yes.
   */
  public Listing<Shapes.Rehearsal, Shapes.RehearseItem> rehearse(String configurationId, Shapes.RehearseBody body) {
    return list(Routes.REHEARSE, parameters(NO_QUERY, "configuration_id", configurationId), body);
  }

  /**
   * List the lookup keys: <code>GET /v1/tenants/{tenant_id}/product-lookup-keys</code>
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  public Shapes.LookupKeyList listLookupKeys() {
    return call(Routes.LIST_LOOKUP_KEYS, parameters(NO_QUERY), null);
  }

  /**
   * List the lookup keys: <code>GET /v1/tenants/{tenant_id}/product-lookup-keys</code>
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  public Shapes.LookupKeyList listLookupKeys(Shapes.ListLookupKeysQuery query) {
    return call(Routes.LIST_LOOKUP_KEYS, parameters(query), null);
  }

  /**
   * Read a lookup key: <code>GET /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}</code>
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  public Shapes.LookupKey readLookupKey(String lookupKey) {
    return call(Routes.READ_LOOKUP_KEY, parameters(NO_QUERY, "lookup_key", lookupKey), null);
  }

  /**
   * Point a lookup key at a version: <code>PUT /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}</code>
   *
   * Records which version the key names: 201 if the key is new, 200 if it names that version already or was moved by <code>transfer</code>. Agents cannot do this on a live Tenancy. Every read shows it as soon as this is answered.
   */
  public Shapes.LookupKey pointLookupKey(String lookupKey, Shapes.LookupKeyPointing body) {
    return call(Routes.POINT_LOOKUP_KEY, parameters(NO_QUERY, "lookup_key", lookupKey), body);
  }

  /**
   * Remove a lookup key: <code>DELETE /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}</code>
   *
   * Records the removal and answers the key as it was. Agents cannot do this on a live Tenancy. Every read shows it as soon as this is answered.
   */
  public Shapes.LookupKey removeLookupKey(String lookupKey) {
    return call(Routes.REMOVE_LOOKUP_KEY, parameters(NO_QUERY, "lookup_key", lookupKey), null);
  }

  /**
   * List the policies: <code>GET /v1/tenants/{tenant_id}/credit-policies</code>
   *
   * Reads the Tenancy's own book: all drafted policy versions, and which of them were published. Read your write: yes.
   */
  public Listing<Shapes.PolicyPage, Shapes.ListPoliciesItem> listPolicies() {
    return list(Routes.LIST_POLICIES, parameters(NO_QUERY), null);
  }

  /**
   * List the policies: <code>GET /v1/tenants/{tenant_id}/credit-policies</code>
   *
   * Reads the Tenancy's own book: all drafted policy versions, and which of them were published. Read your write: yes.
   */
  public Listing<Shapes.PolicyPage, Shapes.ListPoliciesItem> listPolicies(Shapes.ListPoliciesQuery query) {
    return list(Routes.LIST_POLICIES, parameters(query), null);
  }

  /**
   * Read a policy and its versions: <code>GET /v1/tenants/{tenant_id}/credit-policies/{policy}</code>
   *
   * Reads the Tenancy's own book: all drafted policy versions, and which of them were published. Read your write: yes.
   */
  public Listing<Shapes.Policy, Shapes.PolicyVersion> readPolicy(String policy) {
    return list(Routes.READ_POLICY, parameters(NO_QUERY, "policy", policy), null);
  }

  /**
   * Read a policy and its versions: <code>GET /v1/tenants/{tenant_id}/credit-policies/{policy}</code>
   *
   * Reads the Tenancy's own book: all drafted policy versions, and which of them were published. Read your write: yes.
   */
  public Listing<Shapes.Policy, Shapes.PolicyVersion> readPolicy(String policy, Shapes.ReadPolicyQuery query) {
    return list(Routes.READ_POLICY, parameters(query, "policy", policy), null);
  }

  /**
   * Read a policy version: <code>GET /v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}</code>
   *
   * Reads the Tenancy's own book: all drafted policy versions, and which of them were published. Read your write: yes.
   */
  public Shapes.PolicyVersionWhole readPolicyVersion(String policy, long policyVersion) {
    return call(Routes.READ_POLICY_VERSION, parameters(NO_QUERY, "policy", policy, "policy_version", policyVersion), null);
  }

  /**
   * Validate the content of a policy: <code>POST /v1/tenants/{tenant_id}/credit-policies/{policy}/validate</code>
   *
   * Records nothing. Content that passes is not refused at drafting or publication. Read your write: yes.
   */
  public Shapes.PolicyValidation validatePolicy(String policy, Shapes.ValidatePolicyBody body) {
    return call(Routes.VALIDATE_POLICY, parameters(NO_QUERY, "policy", policy), body);
  }

  /**
   * Draft a policy version: <code>POST /v1/tenants/{tenant_id}/credit-policies/{policy}/versions</code>
   *
   * Records the content under the next version number. A draft never changes. Every read shows it as soon as this is answered.
   */
  public Shapes.PolicyVersion draftPolicyVersion(String policy, Shapes.DraftPolicyVersionBody body) {
    return call(Routes.DRAFT_POLICY_VERSION, parameters(NO_QUERY, "policy", policy), body);
  }

  /**
   * Publish a policy version: <code>POST /v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}/publication</code>
   *
   * Records who published the version. <code>self_confirmed</code> is true if the same actor drafted it. Every read shows it as soon as this is answered.
   */
  public Shapes.PolicyVersion publishPolicyVersion(String policy, long policyVersion, Shapes.PublicationAct body) {
    return call(Routes.PUBLISH_POLICY_VERSION, parameters(NO_QUERY, "policy", policy, "policy_version", policyVersion), body);
  }

  /**
   * Decide an application: <code>POST /v1/tenants/{tenant_id}/credit-decisions</code>
   *
   * Decides by the policy version adopted for the configuration, or in a trial by the named one, and records the Decision with its trace. Every read shows it as soon as this is answered.
   */
  public Shapes.Decision decide(Shapes.Application body) {
    return call(Routes.DECIDE, parameters(NO_QUERY), body);
  }

  /**
   * List the Decisions: <code>GET /v1/tenants/{tenant_id}/credit-decisions</code>
   *
   * Reads the Decisions of the Tenancy, or of one Client. Decisions with an outcome that is newer than the requested version are left out, so a page may be short or empty and still have a <code>cursor</code>. Read your write: yes.
   */
  public Listing<Shapes.DecisionPage, Shapes.Decision> listDecisions() {
    return list(Routes.LIST_DECISIONS, parameters(NO_QUERY), null);
  }

  /**
   * List the Decisions: <code>GET /v1/tenants/{tenant_id}/credit-decisions</code>
   *
   * Reads the Decisions of the Tenancy, or of one Client. Decisions with an outcome that is newer than the requested version are left out, so a page may be short or empty and still have a <code>cursor</code>. Read your write: yes.
   */
  public Listing<Shapes.DecisionPage, Shapes.Decision> listDecisions(Shapes.ListDecisionsQuery query) {
    return list(Routes.LIST_DECISIONS, parameters(query), null);
  }

  /**
   * Read a Decision: <code>GET /v1/tenants/{tenant_id}/credit-decisions/{decision_id}</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. The Decision as it was recorded. Read your write: yes.
   */
  public Shapes.Decision readDecision(String decisionId) {
    return call(Routes.READ_DECISION, parameters(NO_QUERY, "decision_id", decisionId), null);
  }

  /**
   * Resolve a referred Decision: <code>POST /v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution</code>
   *
   * Records what a person decided on a referred Decision. A Decision is resolved once. Every read shows it as soon as this is answered.
   */
  public Shapes.Resolution resolveDecision(String decisionId, Shapes.ResolutionAct body) {
    return call(Routes.RESOLVE_DECISION, parameters(NO_QUERY, "decision_id", decisionId), body);
  }

  /**
   * Read the resolution of a Decision: <code>GET /v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. Read your write: yes.
   */
  public Shapes.Resolution readResolution(String decisionId) {
    return call(Routes.READ_RESOLUTION, parameters(NO_QUERY, "decision_id", decisionId), null);
  }

  /**
   * Read whether a Client is barred on a day: <code>GET /v1/tenants/{tenant_id}/credit-bar/{client_id}</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. A Client that is not registered is not barred. Read your write: yes.
   */
  public Shapes.Bar readBar(String clientId, LocalDate on) {
    return call(Routes.READ_BAR, parameters(NO_QUERY, "client_id", clientId, "on", on), null);
  }

  /**
   * Read whether a Client is barred on a day: <code>GET /v1/tenants/{tenant_id}/credit-bar/{client_id}</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. A Client that is not registered is not barred. Read your write: yes.
   */
  public Shapes.Bar readBar(String clientId, LocalDate on, Shapes.ReadBarQuery query) {
    return call(Routes.READ_BAR, parameters(query, "client_id", clientId, "on", on), null);
  }

  /**
   * Open a facility: <code>POST /v1/tenants/{tenant_id}/facilities</code>
   *
   * Records how much may be lent to the Client under an approving Decision, and when. Every read shows it as soon as this is answered.
   */
  public Shapes.Facility openFacility(Shapes.FacilityToOpen body) {
    return call(Routes.OPEN_FACILITY, parameters(NO_QUERY), body);
  }

  /**
   * List the facilities: <code>GET /v1/tenants/{tenant_id}/facilities</code>
   *
   * Reads the facilities of the Tenancy, or of one Client. Read your write: yes.
   */
  public Shapes.FacilityList listFacilities() {
    return call(Routes.LIST_FACILITIES, parameters(NO_QUERY), null);
  }

  /**
   * List the facilities: <code>GET /v1/tenants/{tenant_id}/facilities</code>
   *
   * Reads the facilities of the Tenancy, or of one Client. Read your write: yes.
   */
  public Shapes.FacilityList listFacilities(Shapes.ListFacilitiesQuery query) {
    return call(Routes.LIST_FACILITIES, parameters(query), null);
  }

  /**
   * Read a facility with what is drawn of it: <code>GET /v1/tenants/{tenant_id}/facilities/{facility_id}</code>
   *
   * Reads the book of the Client: every fact recorded about the Client. Read your write: yes.
   */
  public Shapes.FacilityDrawn readFacility(String facilityId) {
    return call(Routes.READ_FACILITY, parameters(NO_QUERY, "facility_id", facilityId), null);
  }

  /**
   * List the Clients that owe something on a day: <code>GET /v1/tenants/{tenant_id}/dues</code>
   *
   * Reads the books of the Clients that may have something due on the day, found by an index that is updated with every fact. At most twice <code>limit</code> Clients are examined for a page. A Client whose book cannot be computed is listed without figures, whatever the filters, with <code>book_not_derivable</code> in its <code>anomalies</code>, and is not included in totals. Read your write: yes.
   */
  public Listing<Shapes.DuesPage, Shapes.ClientDues> readDues(LocalDate on) {
    return list(Routes.READ_DUES, parameters(NO_QUERY, "on", on), null);
  }

  /**
   * List the Clients that owe something on a day: <code>GET /v1/tenants/{tenant_id}/dues</code>
   *
   * Reads the books of the Clients that may have something due on the day, found by an index that is updated with every fact. At most twice <code>limit</code> Clients are examined for a page. A Client whose book cannot be computed is listed without figures, whatever the filters, with <code>book_not_derivable</code> in its <code>anomalies</code>, and is not included in totals. Read your write: yes.
   */
  public Listing<Shapes.DuesPage, Shapes.ClientDues> readDues(LocalDate on, Shapes.ReadDuesQuery query) {
    return list(Routes.READ_DUES, parameters(query, "on", on), null);
  }

  /**
   * Read the bounds of the Tenancy: <code>GET /v1/tenants/{tenant_id}/bounds</code>
   *
   * Reads the bounds that the answering instance applies. A change takes effect within a second. Read your write: yes.
   */
  public Shapes.Bounds readBounds() {
    return call(Routes.READ_BOUNDS, parameters(NO_QUERY), null);
  }

  /**
   * Search the requests of the Tenancy: <code>GET /v1/tenants/{tenant_id}/requests</code>
   *
   * Lists the answered requests of the Tenancy whose signature was verified, reads and refused ones too, without their bodies, for thirty days. A request appears within seconds of its answer, a stream after its end. Under overload or a failure of the database requests may be missing. <code>day</code> is a day in UTC. Read your write: yes.
   */
  public Listing<Shapes.LoggedRequestPage, Shapes.LoggedRequest> listRequests() {
    return list(Routes.LIST_REQUESTS, parameters(NO_QUERY), null);
  }

  /**
   * Search the requests of the Tenancy: <code>GET /v1/tenants/{tenant_id}/requests</code>
   *
   * Lists the answered requests of the Tenancy whose signature was verified, reads and refused ones too, without their bodies, for thirty days. A request appears within seconds of its answer, a stream after its end. Under overload or a failure of the database requests may be missing. <code>day</code> is a day in UTC. Read your write: yes.
   */
  public Listing<Shapes.LoggedRequestPage, Shapes.LoggedRequest> listRequests(Shapes.ListRequestsQuery query) {
    return list(Routes.LIST_REQUESTS, parameters(query), null);
  }

  /**
   * Read a market's rules: <code>GET /v1/tenants/{tenant_id}/markets/{jurisdiction}</code>
   *
   * Reads the market's law as this release has it. It does not depend on recorded facts. Read your write: yes.
   */
  public Shapes.Market readMarket(String jurisdiction) {
    return call(Routes.READ_MARKET, parameters(NO_QUERY, "jurisdiction", jurisdiction), null);
  }

  /**
   * Put the company profile: <code>PUT /v1/tenants/{tenant_id}/company-profile</code>
   *
   * Records the profile and replaces the previous one. Every read shows it as soon as this is answered.
   */
  public Shapes.CompanyProfile putCompanyProfile(Shapes.CompanyProfileToPut body) {
    return call(Routes.PUT_COMPANY_PROFILE, parameters(NO_QUERY), body);
  }

  /**
   * Read the company profile: <code>GET /v1/tenants/{tenant_id}/company-profile</code>
   *
   * Reads the Tenancy's own book. Read your write: yes.
   */
  public Shapes.CompanyProfile readCompanyProfile() {
    return call(Routes.READ_COMPANY_PROFILE, parameters(NO_QUERY), null);
  }

  /**
   * Check that the process is alive: <code>GET /livez</code>
   *
   * No credential is needed.
   */
  public Shapes.ReadLivenessAnswer readLiveness() {
    return call(Routes.READ_LIVENESS, parameters(NO_QUERY), null);
  }

  /**
   * Check that the process can serve requests: <code>GET /readyz</code>
   *
   * 503 lists what is not ready. <code>degraded</code> lists what does not answer and is not needed to serve requests. No credential is needed.
   */
  public Shapes.Readiness readReadiness() {
    return call(Routes.READ_READINESS, parameters(NO_QUERY), null);
  }

  /**
   * This document: <code>GET /v1/openapi.json</code>
   *
   * No credential is needed.
   */
  public Map<String, Object> readOpenApi() {
    return call(Routes.READ_OPEN_API, parameters(NO_QUERY), null);
  }

  /**
   * The documentation: <code>GET /docs</code>
   *
   * Guides, the reference and every error. Its pages and what they load have paths below this one. No credential is needed.
   */
  public String readDocs() {
    return call(Routes.READ_DOCS, parameters(NO_QUERY), null);
  }

  /**
   * Changes and deprecations of the contract: <code>GET /changelog</code>
   *
   * No credential is needed.
   */
  public String readChangelog() {
    return call(Routes.READ_CHANGELOG, parameters(NO_QUERY), null);
  }

  private static Map<String, Object> parameters(JsonObject query, Object... namesAndValues) {
    Map<String, Object> all = new HashMap<>(query.members());
    for (int at = 0; at < namesAndValues.length; at += 2) all.put((String) namesAndValues[at], namesAndValues[at + 1]);
    return all;
  }
}
