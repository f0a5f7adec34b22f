/** When the certificates that the process uses expire, for an alert before they do. */
import { X509Certificate } from 'node:crypto';
import { Gauge } from 'prom-client';
import { metrics } from './metrics-registry.ts';

/** A PEM text; read for each scrape, because its file may be replaced. Undefined where there is none. */
type PemSource = () => string | undefined;

/** By setting, the moment of the expiry in milliseconds since 1970. */
const expiries = new Map<string, () => number | undefined>();

new Gauge({
  name: 'lending_certificate_remaining_seconds',
  help: 'Time until the certificate of a setting expires; of several authorities in a file, the last one. Negative afterwards.',
  labelNames: ['setting'],
  registers: [metrics],
  aggregator: 'min',
  collect() {
    this.reset();
    for (const [setting, expiryOf] of expiries) {
      const expiresAt = expiryOf();
      if (expiresAt !== undefined) this.set({ setting }, (expiresAt - Date.now()) / 1_000);
    }
  },
});

/** The first certificate of a chain that expires makes the chain invalid. */
export function reportCertificate(setting: string, source: PemSource): void {
  expiries.set(setting, () => chosenExpiry(source, Math.min));
}

/** Of several authorities in a file, the old one may expire once it is replaced. */
export function reportAuthorities(setting: string, source: PemSource): void {
  expiries.set(setting, () => chosenExpiry(source, Math.max));
}

const certificateForm = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function chosenExpiry(source: PemSource, choose: (...times: readonly number[]) => number): number | undefined {
  try {
    const texts = source()?.match(certificateForm) ?? [];
    const times = texts.map((text) => new X509Certificate(text).validToDate.getTime());
    return times.length === 0 ? undefined : choose(...times);
  } catch {
    // Connections fail on such a file and report it. The other metrics are still read.
    return undefined;
  }
}
