package lending.contract;

import java.util.List;
import java.util.Map;
import lending.JsonObject;
import lending.PagedRoute;
import lending.Readers;
import lending.Route;

/** The routes of the contract. Generated from schemas/openapi.json: npm run schemas:sdk. */
public final class Routes {
  private Routes() {}

  /** The version of the contract of these routes. */
  public static final String CONTRACT_VERSION = "2026-10-16";
  public static final String STREAM_PATH = "/v1/tenants/{tenant_id}/loan-events/stream";

  public static final PagedRoute<Shapes.LoanPage, JsonObject> LIST_LOANS = new PagedRoute<>(new Route<>("listLoans", "GET", "/v1/tenants/{tenant_id}/loans", List.of("client_id", "configuration_id", "merchant_ref", "state", "on", "limit", "cursor"), false, false, Readers.object(Shapes.LoanPage::new)), "loans", Readers.OBJECT);
  public static final Route<Shapes.Loan> ISSUE_LOAN = new Route<>("issueLoan", "POST", "/v1/tenants/{tenant_id}/loans", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.LoanPreview> PREVIEW_LOAN = new Route<>("previewLoan", "POST", "/v1/tenants/{tenant_id}/loans/preview", List.of(), false, false, Readers.object(Shapes.LoanPreview::new));
  public static final Route<Shapes.Loan> READ_LOAN = new Route<>("readLoan", "GET", "/v1/tenants/{tenant_id}/loans/{loan_id}", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> CONFIRM_LOAN = new Route<>("confirmLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/confirm", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> VOID_LOAN = new Route<>("voidLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/void", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> CANCEL_LOAN = new Route<>("cancelLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/cancel", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> RESCIND_LOAN = new Route<>("rescindLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/rescind", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> WITHDRAW_LOAN = new Route<>("withdrawLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/withdraw", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> SUSPEND_LOAN = new Route<>("suspendLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/suspension", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> END_SUSPENSION = new Route<>("endSuspension", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/suspension-end", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> WAIVE_CHARGE = new Route<>("waiveCharge", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/waiver", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> RETURN_GOODS = new Route<>("returnGoods", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/return", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> ROLL_OVER_LOAN = new Route<>("rollOverLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/rollover", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> RESTRUCTURE_LOAN = new Route<>("restructureLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/restructure", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> ACCELERATE_LOAN = new Route<>("accelerateLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/acceleration", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> SETTLE_LOAN = new Route<>("settleLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/settlement", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> WRITE_OFF_LOAN = new Route<>("writeOffLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/write-off", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> CEDE_LOAN = new Route<>("cedeLoan", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/cession", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.Loan> RETRACT_FACT = new Route<>("retractFact", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/retraction", List.of(), false, false, Readers.object(Shapes.Loan::new));
  public static final Route<Shapes.PayoffQuote> QUOTE_PAYOFF = new Route<>("quotePayoff", "POST", "/v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes", List.of(), false, false, Readers.object(Shapes.PayoffQuote::new));
  public static final PagedRoute<Shapes.PayoffQuotePage, Shapes.PayoffQuote> LIST_PAYOFF_QUOTES = new PagedRoute<>(new Route<>("listPayoffQuotes", "GET", "/v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes", List.of("limit", "cursor"), false, false, Readers.object(Shapes.PayoffQuotePage::new)), "quotes", Readers.object(Shapes.PayoffQuote::new));
  public static final Route<Shapes.PayoffQuote> READ_PAYOFF_QUOTE = new Route<>("readPayoffQuote", "GET", "/v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes/{quote_id}", List.of(), false, false, Readers.object(Shapes.PayoffQuote::new));
  public static final Route<Shapes.LoanSchedule> READ_SCHEDULE = new Route<>("readSchedule", "GET", "/v1/tenants/{tenant_id}/loans/{loan_id}/schedule", List.of("on", "known_at"), false, false, Readers.object(Shapes.LoanSchedule::new));
  public static final Route<Shapes.Delinquency> READ_DELINQUENCY = new Route<>("readDelinquency", "GET", "/v1/tenants/{tenant_id}/loans/{loan_id}/delinquency", List.of("on", "known_at"), false, false, Readers.object(Shapes.Delinquency::new));
  public static final Route<Shapes.LoanExplanation> EXPLAIN_LOAN = new Route<>("explainLoan", "GET", "/v1/tenants/{tenant_id}/loans/{loan_id}/explanation", List.of("on", "known_at"), false, false, Readers.object(Shapes.LoanExplanation::new));
  public static final Route<Shapes.LoanStatement> READ_LOAN_STATEMENT = new Route<>("readLoanStatement", "GET", "/v1/tenants/{tenant_id}/loans/{loan_id}/statement", List.of("from", "to", "known_at"), false, false, Readers.object(Shapes.LoanStatement::new));
  public static final Route<Shapes.LoanEvidence> READ_LOAN_EVIDENCE = new Route<>("readLoanEvidence", "GET", "/v1/tenants/{tenant_id}/loans/{loan_id}/evidence", List.of(), false, false, Readers.object(Shapes.LoanEvidence::new));
  public static final Route<Shapes.Feed> READ_FEED = new Route<>("readFeed", "GET", "/v1/tenants/{tenant_id}/loan-events", List.of("limit", "cursor"), false, false, Readers.object(Shapes.Feed::new));
  public static final PagedRoute<Shapes.ClientPage, Shapes.Client> LIST_CLIENTS = new PagedRoute<>(new Route<>("listClients", "GET", "/v1/tenants/{tenant_id}/clients", List.of("limit", "cursor"), false, false, Readers.object(Shapes.ClientPage::new)), "clients", Readers.object(Shapes.Client::new));
  public static final Route<Shapes.Client> REGISTER_CLIENT = new Route<>("registerClient", "PUT", "/v1/tenants/{tenant_id}/clients/{client_id}", List.of(), false, false, Readers.object(Shapes.Client::new));
  public static final Route<Shapes.Client> READ_CLIENT = new Route<>("readClient", "GET", "/v1/tenants/{tenant_id}/clients/{client_id}", List.of(), false, false, Readers.object(Shapes.Client::new));
  public static final Route<Shapes.PaymentOptions> READ_PAYMENT_OPTIONS = new Route<>("readPaymentOptions", "GET", "/v1/tenants/{tenant_id}/clients/{client_id}/payment-options", List.of("on", "known_at"), false, false, Readers.object(Shapes.PaymentOptions::new));
  public static final Route<Shapes.Statement> READ_STATEMENT = new Route<>("readStatement", "GET", "/v1/tenants/{tenant_id}/clients/{client_id}/statement", List.of("from", "to", "known_at"), false, false, Readers.object(Shapes.Statement::new));
  public static final PagedRoute<Shapes.ReceiptPage, Shapes.ReceiptRow> LIST_RECEIPTS = new PagedRoute<>(new Route<>("listReceipts", "GET", "/v1/tenants/{tenant_id}/clients/{client_id}/receipts", List.of("limit", "cursor"), false, false, Readers.object(Shapes.ReceiptPage::new)), "receipts", Readers.object(Shapes.ReceiptRow::new));
  public static final PagedRoute<Shapes.Obligations, String> READ_OBLIGATIONS = new PagedRoute<>(new Route<>("readObligations", "GET", "/v1/tenants/{tenant_id}/clients/{client_id}/obligations", List.of("limit", "cursor"), false, false, Readers.object(Shapes.Obligations::new)), "receipts", Readers.TEXT);
  public static final Route<Shapes.BookVersion> READ_BOOK_VERSION = new Route<>("readBookVersion", "GET", "/v1/tenants/{tenant_id}/clients/{client_id}/book-version", List.of(), false, false, Readers.object(Shapes.BookVersion::new));
  public static final Route<Shapes.ClientBook> READ_CLIENT_BOOK = new Route<>("readClientBook", "GET", "/v1/tenants/{tenant_id}/clients/{client_id}/book", List.of("on", "known_at"), false, false, Readers.object(Shapes.ClientBook::new));
  public static final Route<Shapes.BookChanges> READ_CHANGES = new Route<>("readChanges", "GET", "/v1/tenants/{tenant_id}/clients/{client_id}/changes", List.of("on", "from_facts", "to_facts", "known_at"), false, false, Readers.object(Shapes.BookChanges::new));
  public static final Route<Shapes.Simulation> SIMULATE = new Route<>("simulate", "POST", "/v1/tenants/{tenant_id}/clients/{client_id}/simulate", List.of(), false, false, Readers.object(Shapes.Simulation::new));
  public static final PagedRoute<Shapes.MerchantBook, JsonObject> READ_MERCHANT_BOOK = new PagedRoute<>(new Route<>("readMerchantBook", "GET", "/v1/tenants/{tenant_id}/merchants/{merchant_ref}/book", List.of("on", "limit", "cursor"), false, false, Readers.object(Shapes.MerchantBook::new)), "loans", Readers.OBJECT);
  public static final Route<Shapes.Receipt> REPORT_RECEIPT = new Route<>("reportReceipt", "POST", "/v1/tenants/{tenant_id}/receipts", List.of(), false, false, Readers.object(Shapes.Receipt::new));
  public static final Route<Shapes.ReceiptBatchOutcomes> REPORT_RECEIPTS = new Route<>("reportReceipts", "POST", "/v1/tenants/{tenant_id}/receipts/batch", List.of(), false, false, Readers.object(Shapes.ReceiptBatchOutcomes::new));
  public static final Route<Shapes.Receipt> REVERSE_RECEIPT = new Route<>("reverseReceipt", "POST", "/v1/tenants/{tenant_id}/receipts/{receipt_reference}/reversal", List.of(), false, false, Readers.object(Shapes.Receipt::new));
  public static final Route<Shapes.Receipt> READ_RECEIPT = new Route<>("readReceipt", "GET", "/v1/tenants/{tenant_id}/receipts/{receipt_reference}", List.of(), false, false, Readers.object(Shapes.Receipt::new));
  public static final Route<Shapes.ReceiptEvidence> READ_RECEIPT_EVIDENCE = new Route<>("readReceiptEvidence", "GET", "/v1/tenants/{tenant_id}/receipts/{receipt_reference}/evidence", List.of(), false, false, Readers.object(Shapes.ReceiptEvidence::new));
  public static final Route<Shapes.ProductConfiguration> CREATE_CONFIGURATION = new Route<>("createConfiguration", "POST", "/v1/tenants/{tenant_id}/product-configurations", List.of(), true, false, Readers.object(Shapes.ProductConfiguration::new));
  public static final PagedRoute<Shapes.ConfigurationPage, Shapes.ProductConfiguration> LIST_CONFIGURATIONS = new PagedRoute<>(new Route<>("listConfigurations", "GET", "/v1/tenants/{tenant_id}/product-configurations", List.of("limit", "cursor"), false, false, Readers.object(Shapes.ConfigurationPage::new)), "configurations", Readers.object(Shapes.ProductConfiguration::new));
  public static final Route<Shapes.ConfigurationPreview> PREVIEW_CONFIGURATION = new Route<>("previewConfiguration", "POST", "/v1/tenants/{tenant_id}/product-configurations/preview", List.of(), false, false, Readers.object(Shapes.ConfigurationPreview::new));
  public static final Route<Shapes.ProductConfiguration> READ_CONFIGURATION = new Route<>("readConfiguration", "GET", "/v1/tenants/{tenant_id}/product-configurations/{configuration_id}", List.of(), false, false, Readers.object(Shapes.ProductConfiguration::new));
  public static final PagedRoute<Shapes.ConfigurationVersionPage, Shapes.ProductConfiguration> LIST_CONFIGURATION_VERSIONS = new PagedRoute<>(new Route<>("listConfigurationVersions", "GET", "/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions", List.of("limit", "cursor"), false, false, Readers.object(Shapes.ConfigurationVersionPage::new)), "versions", Readers.object(Shapes.ProductConfiguration::new));
  public static final Route<Shapes.ProductConfiguration> WRITE_CONFIGURATION_VERSION = new Route<>("writeConfigurationVersion", "POST", "/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions", List.of(), true, false, Readers.object(Shapes.ProductConfiguration::new));
  public static final Route<Shapes.ProductConfiguration> READ_CONFIGURATION_VERSION = new Route<>("readConfigurationVersion", "GET", "/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions/{configuration_version}", List.of(), false, false, Readers.object(Shapes.ProductConfiguration::new));
  public static final Route<Shapes.PolicyAdoption> ADOPT_POLICY = new Route<>("adoptPolicy", "PUT", "/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy", List.of(), false, false, Readers.object(Shapes.PolicyAdoption::new));
  public static final Route<Shapes.PolicyAdoption> READ_ADOPTED_POLICY = new Route<>("readAdoptedPolicy", "GET", "/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy", List.of(), false, false, Readers.object(Shapes.PolicyAdoption::new));
  public static final PagedRoute<Shapes.Rehearsal, Shapes.RehearseItem> REHEARSE = new PagedRoute<>(new Route<>("rehearse", "POST", "/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/rehearsal", List.of(), false, false, Readers.object(Shapes.Rehearsal::new)), "loans", Readers.object(Shapes.RehearseItem::new));
  public static final Route<Shapes.LookupKeyList> LIST_LOOKUP_KEYS = new Route<>("listLookupKeys", "GET", "/v1/tenants/{tenant_id}/product-lookup-keys", List.of("lookup_key"), false, false, Readers.object(Shapes.LookupKeyList::new));
  public static final Route<Shapes.LookupKey> READ_LOOKUP_KEY = new Route<>("readLookupKey", "GET", "/v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}", List.of(), false, false, Readers.object(Shapes.LookupKey::new));
  public static final Route<Shapes.LookupKey> POINT_LOOKUP_KEY = new Route<>("pointLookupKey", "PUT", "/v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}", List.of(), false, false, Readers.object(Shapes.LookupKey::new));
  public static final Route<Shapes.LookupKey> REMOVE_LOOKUP_KEY = new Route<>("removeLookupKey", "DELETE", "/v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}", List.of(), false, false, Readers.object(Shapes.LookupKey::new));
  public static final PagedRoute<Shapes.PolicyPage, Shapes.ListPoliciesItem> LIST_POLICIES = new PagedRoute<>(new Route<>("listPolicies", "GET", "/v1/tenants/{tenant_id}/credit-policies", List.of("limit", "cursor"), false, false, Readers.object(Shapes.PolicyPage::new)), "policies", Readers.object(Shapes.ListPoliciesItem::new));
  public static final PagedRoute<Shapes.Policy, Shapes.PolicyVersion> READ_POLICY = new PagedRoute<>(new Route<>("readPolicy", "GET", "/v1/tenants/{tenant_id}/credit-policies/{policy}", List.of("limit", "cursor"), false, false, Readers.object(Shapes.Policy::new)), "versions", Readers.object(Shapes.PolicyVersion::new));
  public static final Route<Shapes.PolicyVersionWhole> READ_POLICY_VERSION = new Route<>("readPolicyVersion", "GET", "/v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}", List.of(), false, false, Readers.object(Shapes.PolicyVersionWhole::new));
  public static final Route<Shapes.PolicyValidation> VALIDATE_POLICY = new Route<>("validatePolicy", "POST", "/v1/tenants/{tenant_id}/credit-policies/{policy}/validate", List.of(), false, false, Readers.object(Shapes.PolicyValidation::new));
  public static final Route<Shapes.PolicyVersion> DRAFT_POLICY_VERSION = new Route<>("draftPolicyVersion", "POST", "/v1/tenants/{tenant_id}/credit-policies/{policy}/versions", List.of(), false, false, Readers.object(Shapes.PolicyVersion::new));
  public static final Route<Shapes.PolicyVersion> PUBLISH_POLICY_VERSION = new Route<>("publishPolicyVersion", "POST", "/v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}/publication", List.of(), false, false, Readers.object(Shapes.PolicyVersion::new));
  public static final Route<Shapes.Decision> DECIDE = new Route<>("decide", "POST", "/v1/tenants/{tenant_id}/credit-decisions", List.of(), false, false, Readers.object(Shapes.Decision::new));
  public static final PagedRoute<Shapes.DecisionPage, Shapes.Decision> LIST_DECISIONS = new PagedRoute<>(new Route<>("listDecisions", "GET", "/v1/tenants/{tenant_id}/credit-decisions", List.of("client", "limit", "cursor"), false, false, Readers.object(Shapes.DecisionPage::new)), "decisions", Readers.object(Shapes.Decision::new));
  public static final Route<Shapes.Decision> READ_DECISION = new Route<>("readDecision", "GET", "/v1/tenants/{tenant_id}/credit-decisions/{decision_id}", List.of(), false, false, Readers.object(Shapes.Decision::new));
  public static final Route<Shapes.Resolution> RESOLVE_DECISION = new Route<>("resolveDecision", "POST", "/v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution", List.of(), false, false, Readers.object(Shapes.Resolution::new));
  public static final Route<Shapes.Resolution> READ_RESOLUTION = new Route<>("readResolution", "GET", "/v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution", List.of(), false, false, Readers.object(Shapes.Resolution::new));
  public static final Route<Shapes.Bar> READ_BAR = new Route<>("readBar", "GET", "/v1/tenants/{tenant_id}/credit-bar/{client_id}", List.of("on", "known_at"), false, false, Readers.object(Shapes.Bar::new));
  public static final Route<Shapes.Facility> OPEN_FACILITY = new Route<>("openFacility", "POST", "/v1/tenants/{tenant_id}/facilities", List.of(), false, false, Readers.object(Shapes.Facility::new));
  public static final Route<Shapes.FacilityList> LIST_FACILITIES = new Route<>("listFacilities", "GET", "/v1/tenants/{tenant_id}/facilities", List.of("client"), false, false, Readers.object(Shapes.FacilityList::new));
  public static final Route<Shapes.FacilityDrawn> READ_FACILITY = new Route<>("readFacility", "GET", "/v1/tenants/{tenant_id}/facilities/{facility_id}", List.of(), false, false, Readers.object(Shapes.FacilityDrawn::new));
  public static final PagedRoute<Shapes.DuesPage, Shapes.ClientDues> READ_DUES = new PagedRoute<>(new Route<>("readDues", "GET", "/v1/tenants/{tenant_id}/dues", List.of("on", "only", "min_days_past_due", "limit", "cursor"), false, false, Readers.object(Shapes.DuesPage::new)), "clients", Readers.object(Shapes.ClientDues::new));
  public static final Route<Shapes.Bounds> READ_BOUNDS = new Route<>("readBounds", "GET", "/v1/tenants/{tenant_id}/bounds", List.of(), false, false, Readers.object(Shapes.Bounds::new));
  public static final PagedRoute<Shapes.LoggedRequestPage, Shapes.LoggedRequest> LIST_REQUESTS = new PagedRoute<>(new Route<>("listRequests", "GET", "/v1/tenants/{tenant_id}/requests", List.of("request_id", "caller_request_id", "day", "fp", "method", "route", "target", "status", "code", "limit", "cursor"), false, false, Readers.object(Shapes.LoggedRequestPage::new)), "requests", Readers.object(Shapes.LoggedRequest::new));
  public static final Route<Shapes.Market> READ_MARKET = new Route<>("readMarket", "GET", "/v1/tenants/{tenant_id}/markets/{jurisdiction}", List.of(), false, false, Readers.object(Shapes.Market::new));
  public static final Route<Shapes.CompanyProfile> PUT_COMPANY_PROFILE = new Route<>("putCompanyProfile", "PUT", "/v1/tenants/{tenant_id}/company-profile", List.of(), false, false, Readers.object(Shapes.CompanyProfile::new));
  public static final Route<Shapes.CompanyProfile> READ_COMPANY_PROFILE = new Route<>("readCompanyProfile", "GET", "/v1/tenants/{tenant_id}/company-profile", List.of(), false, false, Readers.object(Shapes.CompanyProfile::new));
  public static final Route<Shapes.ReadLivenessAnswer> READ_LIVENESS = new Route<>("readLiveness", "GET", "/livez", List.of(), false, false, Readers.object(Shapes.ReadLivenessAnswer::new));
  public static final Route<Shapes.Readiness> READ_READINESS = new Route<>("readReadiness", "GET", "/readyz", List.of(), false, false, Readers.object(Shapes.Readiness::new));
  public static final Route<Map<String, Object>> READ_OPEN_API = new Route<>("readOpenApi", "GET", "/v1/openapi.json", List.of(), false, false, Readers.map(Readers.ANY));
  public static final Route<String> READ_DOCS = new Route<>("readDocs", "GET", "/docs", List.of(), false, true, value -> (String) value);
  public static final Route<String> READ_CHANGELOG = new Route<>("readChangelog", "GET", "/changelog", List.of(), false, true, value -> (String) value);

  public static final List<Route<?>> ALL = List.of(
      LIST_LOANS.route(),
      ISSUE_LOAN,
      PREVIEW_LOAN,
      READ_LOAN,
      CONFIRM_LOAN,
      VOID_LOAN,
      CANCEL_LOAN,
      RESCIND_LOAN,
      WITHDRAW_LOAN,
      SUSPEND_LOAN,
      END_SUSPENSION,
      WAIVE_CHARGE,
      RETURN_GOODS,
      ROLL_OVER_LOAN,
      RESTRUCTURE_LOAN,
      ACCELERATE_LOAN,
      SETTLE_LOAN,
      WRITE_OFF_LOAN,
      CEDE_LOAN,
      RETRACT_FACT,
      QUOTE_PAYOFF,
      LIST_PAYOFF_QUOTES.route(),
      READ_PAYOFF_QUOTE,
      READ_SCHEDULE,
      READ_DELINQUENCY,
      EXPLAIN_LOAN,
      READ_LOAN_STATEMENT,
      READ_LOAN_EVIDENCE,
      READ_FEED,
      LIST_CLIENTS.route(),
      REGISTER_CLIENT,
      READ_CLIENT,
      READ_PAYMENT_OPTIONS,
      READ_STATEMENT,
      LIST_RECEIPTS.route(),
      READ_OBLIGATIONS.route(),
      READ_BOOK_VERSION,
      READ_CLIENT_BOOK,
      READ_CHANGES,
      SIMULATE,
      READ_MERCHANT_BOOK.route(),
      REPORT_RECEIPT,
      REPORT_RECEIPTS,
      REVERSE_RECEIPT,
      READ_RECEIPT,
      READ_RECEIPT_EVIDENCE,
      CREATE_CONFIGURATION,
      LIST_CONFIGURATIONS.route(),
      PREVIEW_CONFIGURATION,
      READ_CONFIGURATION,
      LIST_CONFIGURATION_VERSIONS.route(),
      WRITE_CONFIGURATION_VERSION,
      READ_CONFIGURATION_VERSION,
      ADOPT_POLICY,
      READ_ADOPTED_POLICY,
      REHEARSE.route(),
      LIST_LOOKUP_KEYS,
      READ_LOOKUP_KEY,
      POINT_LOOKUP_KEY,
      REMOVE_LOOKUP_KEY,
      LIST_POLICIES.route(),
      READ_POLICY.route(),
      READ_POLICY_VERSION,
      VALIDATE_POLICY,
      DRAFT_POLICY_VERSION,
      PUBLISH_POLICY_VERSION,
      DECIDE,
      LIST_DECISIONS.route(),
      READ_DECISION,
      RESOLVE_DECISION,
      READ_RESOLUTION,
      READ_BAR,
      OPEN_FACILITY,
      LIST_FACILITIES,
      READ_FACILITY,
      READ_DUES.route(),
      READ_BOUNDS,
      LIST_REQUESTS.route(),
      READ_MARKET,
      PUT_COMPANY_PROFILE,
      READ_COMPANY_PROFILE,
      READ_LIVENESS,
      READ_READINESS,
      READ_OPEN_API,
      READ_DOCS,
      READ_CHANGELOG);
}
