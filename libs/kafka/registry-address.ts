/** The address of a schema registry may carry a name and a password; as part of an address no client takes them. */
export interface RegistryAddress {
  /** Without them, and without a slash at its end. */
  readonly url: string;
  /** `name:password` as they are, not as an address writes them. */
  readonly userInfo: string | undefined;
  /** What a request carries for them. */
  readonly headers: Readonly<Record<string, string>>;
}

export function registryAddress(told: string): RegistryAddress {
  const address = new URL(told);
  const { username, password } = address;
  address.username = '';
  address.password = '';
  const url = address.href.replace(/\/+$/, '');
  if (username === '' && password === '') return { url, userInfo: undefined, headers: {} };
  const userInfo = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, userInfo, headers: { Authorization: `Basic ${Buffer.from(userInfo).toString('base64')}` } };
}
