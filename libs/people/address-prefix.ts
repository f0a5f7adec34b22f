/** The part of a network address that identifies one subscriber. */
import { isIPv6 } from 'node:net';

const networkGroups = 4;

/** An IPv4 address as it is; of an IPv6 address the /64, because a subscriber has at least that much. */
export function addressPrefix(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const [plain = ''] = address.split('%');
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? address;
  // The URL parser writes each address in one way, with at most one `::`.
  const [head = '', tail = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - (first?.length ?? 0) - (last?.length ?? 0)).fill('0');
  const groups = [...(first ?? []), ...zeros, ...(last ?? [])];
  return `${groups.slice(0, networkGroups).join(':')}::/64`;
}
