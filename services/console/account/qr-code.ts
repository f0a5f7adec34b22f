/** A QR code as SVG: dark on white in light and dark, because apps read no other. */
import { encodeQR } from 'qr';
import { type Html, html } from '../html.ts';

/** Modules around the code, without which apps do not find it. */
const border = 4;

export function qrCode(text: string, label: string): Html {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return html`<svg
    class="qr-code"
    role="img"
    aria-label=${label}
    viewBox=${`0 0 ${rows.length} ${rows.length}`}
    shape-rendering="crispEdges"
  >
    <rect width=${rows.length} height=${rows.length} fill="#fff" />
    <path d=${path} fill="#000" />
  </svg>`;
}
