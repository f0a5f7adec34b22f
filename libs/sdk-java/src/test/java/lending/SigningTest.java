package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The vectors are those of the other SDKs and of the service. */
class SigningTest {
  @TestFactory
  Stream<DynamicTest> aRequestIsSignedAsTheTestVectorSays() throws IOException {
    Map<?, ?> file = (Map<?, ?>) Json.parse(Files.readString(SharedCasesTest.VECTORS.resolve("signing.json")));
    return ((List<?>) file.get("cases")).stream()
        .map(each -> (Map<?, ?>) each)
        .map(each -> DynamicTest.dynamicTest((String) each.get("name"), () -> check(each)));
  }

  private void check(Map<?, ?> vector) {
    String body = vector.get("body") == null ? "" : (String) vector.get("body");
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String method = (String) vector.get("method");
    String target = (String) vector.get("target");
    String key = (String) vector.get("idempotency_key");
    long seconds = Long.parseLong((String) vector.get("ts"));
    Signer signer = new SecretSigner((String) vector.get("secret"));
    assertEquals(vector.get("canonical"), Signing.canonicalString(method, target, seconds, bytes, key));
    assertEquals(vector.get("authorization"), Signing.authorization(signer, method, target, seconds, bytes, key));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "sk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
      "lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2",
      "lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2+",
      "lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2B",
      "nothing"})
  void aSecretThatWasCopiedWronglyIsRefusedAndNotPrinted(String broken) {
    var refused = assertThrows(IllegalArgumentException.class, () -> new SecretSigner(broken));
    assertTrue(refused.getMessage().contains("not the secret of a lending key"));
    assertFalse(refused.getMessage().contains(broken));
  }
}
