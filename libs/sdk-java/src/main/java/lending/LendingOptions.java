package lending;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import lending.contract.Routes;

/** The options of a client. What is not set has the default; address, Tenancy and key come from the environment then. */
public final class LendingOptions {
  private static final String BASE_URL_FORM = "the address of the service, scheme and host alone, such as https://lending.example";
  private static final String TENANT_FORM = "the identifier of the Tenancy, such as demo: 1 to 64 letters, digits, - and _";
  private static final Pattern TENANT = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private String baseUrl = System.getenv("LENDING_URL");
  private String tenant = System.getenv("LENDING_TENANT");
  private String secret = System.getenv("LENDING_KEY");
  private Signer signer;
  Patience patience = Patience.DEFAULT;
  Duration answerTimeout = Duration.ofSeconds(15);
  String contractVersion = Routes.CONTRACT_VERSION;
  BiConsumer<LendingException, Duration> onRetry = (failure, pause) -> {};
  Consumer<AnsweredRequest> onAnswer = answered -> {};
  HttpClient http;
  Clock clock = Clock.SYSTEM;

  /** Scheme and host; by default LENDING_URL. */
  public LendingOptions baseUrl(String value) {
    baseUrl = value;
    return this;
  }

  /** By default LENDING_TENANT. */
  public LendingOptions tenant(String value) {
    tenant = value;
    return this;
  }

  /** The secret of a key; by default LENDING_KEY. */
  public LendingOptions key(String value) {
    secret = value;
    signer = null;
    return this;
  }

  /** For a secret that is kept elsewhere. */
  public LendingOptions key(Signer value) {
    signer = value;
    return this;
  }

  /** How long requests are sent again. */
  public LendingOptions patience(Patience value) {
    patience = value;
    return this;
  }

  /** How long one attempt may take. */
  public LendingOptions answerTimeout(Duration value) {
    answerTimeout = value;
    return this;
  }

  /** The version of the contract to ask for; by default the one this package was generated from. */
  public LendingOptions contractVersion(String value) {
    contractVersion = value;
    return this;
  }

  /** Called for every failed attempt that is followed by another, with the pause before it. */
  public LendingOptions onRetry(BiConsumer<LendingException, Duration> value) {
    onRetry = value;
    return this;
  }

  /** Called for every response, refusals included: for the log of the caller. */
  public LendingOptions onAnswer(Consumer<AnsweredRequest> value) {
    onAnswer = value;
    return this;
  }

  /** A client of your own, for proxies and certificates. It must use HTTP/1.1 and follow no redirects. */
  public LendingOptions http(HttpClient value) {
    http = value;
    return this;
  }

  LendingOptions clock(Clock value) {
    clock = value;
    return this;
  }

  /** The address without a slash at its end. A message never shows the value, which may hold a password. */
  String checkedBaseUrl() {
    URI url = parse(required("baseUrl", "LENDING_URL", baseUrl, BASE_URL_FORM));
    if (url == null) throw new IllegalArgumentException("baseUrl is not a URL; expected " + BASE_URL_FORM);
    if (url.getRawUserInfo() != null) {
      throw new IllegalArgumentException("baseUrl has a user or a password; expected " + BASE_URL_FORM);
    }
    boolean hasPath = !url.getRawPath().isEmpty() && !url.getRawPath().equals("/");
    if (hasPath || url.getRawQuery() != null || url.getRawFragment() != null) {
      throw new IllegalArgumentException("baseUrl has a path or a query; expected " + BASE_URL_FORM);
    }
    return url.getScheme() + "://" + url.getRawAuthority();
  }

  String checkedTenant() {
    String checked = required("tenant", "LENDING_TENANT", tenant, TENANT_FORM);
    if (TENANT.matcher(checked).matches()) return checked;
    throw new IllegalArgumentException("tenant is not an identifier; expected " + TENANT_FORM);
  }

  Signer checkedSigner() {
    if (signer != null) return signer;
    return new SecretSigner(required("key", "LENDING_KEY", secret, "the secret of a key, lsk_live_… or lsk_test_…"));
  }

  private static String required(String name, String variable, String value, String form) {
    if (value != null && !value.isEmpty()) return value;
    throw new IllegalArgumentException(name + " is missing; set it or " + variable + ": " + form);
  }

  private static URI parse(String text) {
    try {
      URI url = URI.create(text);
      boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      return isHttp && url.getHost() != null ? url : null;
    } catch (IllegalArgumentException cause) {
      return null;
    }
  }
}
