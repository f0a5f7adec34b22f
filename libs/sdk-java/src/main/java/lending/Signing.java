package lending;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;

/** The lines that a request is signed over, and the header that carries the signature. */
final class Signing {
  private Signing() {}

  /** The target is path and query exactly as on the request line. The Idempotency-Key is null where none is sent. */
  static String canonicalString(String method, String target, long seconds, byte[] body, String idempotencyKey) {
    String lines = String.join("\n", method, target, Long.toString(seconds), sha256(body));
    return idempotencyKey == null ? lines : lines + "\n" + idempotencyKey;
  }

  /** It is valid for five minutes, so every attempt has its own. */
  static String authorization(
      Signer signer, String method, String target, long seconds, byte[] body, String idempotencyKey) {
    String canonical = canonicalString(method, target, seconds, body, idempotencyKey);
    String signature = base64url(signer.sign(canonical.getBytes(StandardCharsets.UTF_8)));
    return "Service-Ed25519 fp=" + signer.fingerprint() + ",ts=" + seconds + ",sig=" + signature;
  }

  static String base64url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException cause) {
      throw new IllegalStateException("every Java has SHA-256", cause);
    }
  }
}
