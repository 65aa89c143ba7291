import { isLoopback } from '../values/address.ts';
import { tooLong } from '../values/text/lengths.ts';
import type { Profile } from './profile.ts';

/** The redirect URI that means "out of band": the person copies the code by hand. Compared as an exact string. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Schemes that browsers execute, or that no application handles. They are refused at registration and at use. */
const neverUsed = names('javascript data vbscript blob file about view-source filesystem ftp ws wss mailto tel sms');

/**
 * Schemes that an operating system or an older browser handles by itself, so that the answer could go to another
 * program. They are refused at registration.
 */
const neverRegistered = names(
  'jscript livescript mocha jar wyciwyg resource res chrome chrome-extension chrome-search chrome-untrusted devtools edge opera brave vivaldi ' +
    'moz-extension safari-extension safari-web-extension isolated-app intent intents android-app android content market ' +
    'shell search search-ms feed feeds podcast hcp help its mk mhtml cid mid news ftps sftp afp smb nfs dav davs ssh telnet tn3270 rlogin rdp vnc ' +
    'ldap ldaps gopher irc ircs sip sips callto skype facetime facetime-audio mms rtsp webcal ' +
    'itms itmss itms-apps itms-appss itms-services applescript powershell prefs app-prefs app-settings urn',
);

/** Prefixes of more such schemes: `ms-settings`, `ms-msdt`, `x-apple-systempreferences`. */
const neverRegisteredPrefix = /^(ms-|x-apple|microsoft-edge|web\+)/;

/** The rules of a profile for redirect URIs. */
export type RedirectRules = Pick<Profile, 'plainHttp' | 'dottedSchemes' | 'outOfBand'>;

const schemeOf = (uri: string): string | undefined => /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(uri)?.[1]!.toLowerCase();

/**
 * Why a redirect URI can't be registered, as messages for the client; empty if
 * it can. RFC 6749 §3.1.2, RFC 8252 §7.1, RFC 9700 §2.1.
 */
export function redirectUriProblems(uri: string, rules: RedirectRules): string[] {
  const scheme = schemeOf(uri);
  if (uri !== outOfBand && scheme !== undefined && (neverRegistered.has(scheme) || neverRegisteredPrefix.test(scheme)))
    return forbidden;
  const problems = problemsInUse(uri, rules);
  if (problems.length > 0 || !rules.dottedSchemes) return problems;
  return scheme === 'https' || scheme === 'http' || scheme!.includes('.')
    ? []
    : ['must have a scheme with a dot in it, like com.example.app.'];
}

const forbidden = ['is forbidden by the server.'];

/**
 * Why a registered redirect URI works no more, as messages; empty if it works. The present rules apply, with one
 * exception: a scheme that is refused only at registration still works, since people's clients depend on it.
 */
export function problemsInUse(uri: string, { outOfBand: byHand, plainHttp }: RedirectRules): string[] {
  if (uri === outOfBand) return byHand ? [] : forbidden;
  if (uri.length > 2_000) return [tooLong(2_000)];
  // Printable ASCII, so that every parser reads the URI in the same way.
  if (/[^\x21-\x7e]|[\\"<>^`{|}]/.test(uri))
    return ['cannot contain characters that a URI must encode, such as é or {.'];
  const scheme = schemeOf(uri);
  if (scheme === undefined) return ['must be an absolute URI.'];
  if (neverUsed.has(scheme)) return forbidden;
  if (uri.includes('#')) return ['cannot contain a fragment.'];
  if (!URL.canParse(uri)) return ['must be an absolute URI.'];
  const url = new URL(uri);
  if (scheme === 'http' || scheme === 'https') {
    if (!/^https?:\/\/[^/]/i.test(uri)) return ['must be an absolute URI.'];
    if (/^[^/]*\/\/[^/?]*@/.test(uri)) return ['must not contain a user or a password.'];
    if (url.hostname.includes('*')) return ['cannot have a wildcard in its host.'];
    return scheme === 'http' && !plainHttp && !isLoopback(url.hostname)
      ? ['must use HTTPS, since http is only for loopback addresses.']
      : [];
  }
  // Accept a private-use scheme (RFC 8252 §7.1), but not `localhost:3000/cb`, which lacks a scheme.
  return scheme !== 'localhost' && /^[^:]+:\//.test(uri) ? [] : ['must specify a scheme.'];
}

/**
 * Whether a requested redirect URI is a registered one, by exact string comparison
 * (RFC 9700 §2.1). Only the port of a loopback address may differ, since a
 * native client listens on any free port (RFC 8252 §7.3); there an empty path equals `/`.
 * @param anyPort whether this exception applies: true for codes, false for tokens
 */
export function matchesRegistered(requested: string, registered: readonly string[], anyPort: boolean): boolean {
  if (registered.includes(requested)) return true;
  if (!anyPort) return false;
  const portless = withoutLoopbackPort(requested);
  return portless !== undefined && registered.some((uri) => withoutLoopbackPort(uri) === portless);
}

/** `http://127.0.0.1:5173` → `http://127.0.0.1/`; undefined if the host isn't a loopback address. */
function withoutLoopbackPort(uri: string): string | undefined {
  // A regular expression, not a URL parser: a parser would normalise URIs that must be refused here.
  const parts = /^(http:\/\/)(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::(\d{1,5}))?(\/[^?]*)?(\?.*)?$/.exec(uri);
  if (!parts || !/^[\x21-\x7e]+$/.test(uri) || Number(parts[3] ?? 1) > 65_535) return undefined;
  return `${parts[1]}${parts[2]}${parts[4] ?? '/'}${parts[5] ?? ''}`;
}
