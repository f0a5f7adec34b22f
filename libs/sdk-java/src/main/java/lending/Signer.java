package lending;

/** Signs for a key whose secret is kept elsewhere. */
public interface Signer {
  /** The fingerprint of the key: 32 hexadecimal characters. */
  String fingerprint();

  /** The 64 bytes of the Ed25519 signature. */
  byte[] sign(byte[] message);
}
