/** Schemes that run something or show something in the browser instead of leading anywhere. */
const forbiddenSchemes = new Set(
  'javascript: data: vbscript: blob: file: about: view-source: filesystem: ftp: ws: wss: mailto: tel: sms:'.split(' '),
);

/** `127.0.0.0/8` and `[::1]`, written as an address (RFC 8252 §7.3). */
function isLoopbackAddress(hostname: string): boolean {
  return hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

export function isLoopback(hostname: string): boolean {
  return isLoopbackAddress(hostname) || hostname === 'localhost';
}

/**
 * Why a redirect URI can't be registered, in the words of the wire; nothing
 * where it can. RFC 6749 §3.1.2, RFC 8252 §7.1, RFC 9700 §2.1.
 * @param plainHttp whether http may lead anywhere but to the person's own machine
 */
export function redirectUriProblems(uri: string, plainHttp: boolean): string[] {
  if (uri.length > 2_000) return ['is too long (maximum is 2000 characters)'];
  // Printable ASCII, so that what is registered, compared and sent is the same to every parser.
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri)) return ['must be an absolute URI.'];
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(uri)?.[0].toLowerCase();
  if (scheme === undefined) return ['must be an absolute URI.'];
  if (forbiddenSchemes.has(scheme)) return ['is forbidden by the server.'];
  if (uri.includes('#')) return ['cannot contain a fragment.'];
  if (!URL.canParse(uri)) return ['must be an absolute URI.'];
  const url = new URL(uri);
  if (scheme === 'http:' || scheme === 'https:') {
    if (!/^https?:\/\/[^/]/i.test(uri)) return ['must be an absolute URI.'];
    if (/^[^/]*\/\/[^/?]*@/.test(uri)) return ['must not contain a user or a password.'];
    // What stands for any host is none.
    if (url.hostname.includes('*')) return ['must be an absolute URI.'];
    if (scheme === 'http:' && !plainHttp && !isLoopback(url.hostname)) return ['must use HTTPS.'];
    return [];
  }
  // A private-use scheme (RFC 8252 §7.1); `localhost:3000/cb` is no scheme but a forgotten one.
  return scheme !== 'localhost:' && /^[^:]+:\//.test(uri) ? [] : ['must specify a scheme.'];
}

/**
 * Whether a requested redirect URI is a registered one: the same characters, one
 * by one (RFC 9700 §2.1). Only the port of a loopback address may differ, since a
 * native client takes whichever is free (RFC 8252 §7.3).
 * @param anyPort whether that exception applies: for codes, never for tokens
 */
export function matchesRegistered(requested: string, registered: readonly string[], anyPort: boolean): boolean {
  if (registered.includes(requested)) return true;
  if (!anyPort) return false;
  const portless = withoutLoopbackPort(requested);
  return portless !== undefined && registered.some((uri) => withoutLoopbackPort(uri) === portless);
}

/** `http://127.0.0.1:5173/cb` → `http://127.0.0.1/cb`; nothing for what is no loopback address. */
function withoutLoopbackPort(uri: string): string | undefined {
  // By its own characters: what a lenient parser would normalise is refused here.
  const parts = /^(http:\/\/)(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::(\d{1,5}))?((?:[/?][\x21-\x7e]*)?)$/.exec(uri);
  if (!parts || Number(parts[3] ?? 1) > 65_535) return undefined;
  return `${parts[1]}${parts[2]}${parts[4]}`;
}
