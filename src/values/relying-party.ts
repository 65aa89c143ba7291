import { isIP } from 'node:net';

/** The gateway as browsers know it when they make or use a passkey (WebAuthn, "relying party"). */
export interface RelyingParty {
  /** The domain that passkeys are bound to. */
  readonly id: string;
  readonly origin: string;
}

/** Why there are no passkeys at an address. */
export type NoPasskeys = 'NO_DOMAIN' | 'NO_HTTPS';

/**
 * Browsers bind passkeys to a domain name, never to an IP address, and offer them over https only, except at
 * `localhost`.
 * @param baseUrl where people reach the gateway
 */
export function relyingParty(baseUrl: string): RelyingParty | NoPasskeys {
  const { hostname, protocol, origin } = new URL(baseUrl);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return 'NO_DOMAIN';
  const local = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || local ? { id: hostname, origin } : 'NO_HTTPS';
}
