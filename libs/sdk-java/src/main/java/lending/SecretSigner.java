package lending;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The signer of a secret as it was printed when the key was minted: {@code lsk_live_…} or {@code lsk_test_…}. */
public final class SecretSigner implements Signer {
  private static final Pattern SECRET = Pattern.compile("lsk_(?:live|test)_([A-Za-z0-9_-]{43})");
  private static final int PUBLIC_KEY_BYTES = 32;

  private final PrivateKey key;
  private final String fingerprint;

  public SecretSigner(String secret) {
    Matcher form = SECRET.matcher(secret);
    byte[] seed = form.matches() ? Base64.getUrlDecoder().decode(form.group(1)) : new byte[0];
    // Extra bits in the last character mean a secret that was copied wrongly.
    if (!form.matches() || !Signing.base64url(seed).equals(form.group(1))) {
      throw new IllegalArgumentException("the key is not the secret of a lending key; expected lsk_live_… or lsk_test_…");
    }
    try {
      KeyPair pair = keyPairOf(seed);
      key = pair.getPrivate();
      byte[] encoded = pair.getPublic().getEncoded();
      byte[] publicKey = Arrays.copyOfRange(encoded, encoded.length - PUBLIC_KEY_BYTES, encoded.length);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(publicKey);
      fingerprint = HexFormat.of().formatHex(digest).substring(0, 32);
    } catch (GeneralSecurityException cause) {
      throw new IllegalStateException("this Java has no Ed25519; it is in Java 15 and later", cause);
    }
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public byte[] sign(byte[] message) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(key);
      signature.update(message);
      return signature.sign();
    } catch (GeneralSecurityException cause) {
      throw new IllegalStateException("failed to sign", cause);
    }
  }

  /** The JDK derives a public key only while it generates a pair, whose private key is what its source of randomness gives. */
  private static KeyPair keyPairOf(byte[] seed) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
    generator.initialize(NamedParameterSpec.ED25519, new SeedAsRandom(seed));
    KeyPair pair = generator.generateKeyPair();
    byte[] used = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
    if (!Arrays.equals(used, seed)) throw new IllegalStateException("this Java does not make a key pair of a given seed");
    return pair;
  }

  private static final class SeedAsRandom extends SecureRandom {
    private static final long serialVersionUID = 1;
    private final byte[] seed;

    SeedAsRandom(byte[] seed) {
      this.seed = seed.clone();
    }

    @Override
    public void nextBytes(byte[] bytes) {
      System.arraycopy(seed, 0, bytes, 0, bytes.length);
    }
  }
}
