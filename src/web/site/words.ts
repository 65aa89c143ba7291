/** What each scope lets an application do, said to the person who is asked. */
const scopes: Readonly<Record<string, string>> = {
  api: 'Read and change everything that you can.',
  read_api: 'Read everything that you can see, and change nothing.',
  read_user: 'Read your profile with its e-mail addresses, and the profiles of others.',
  profile: 'Read your profile, without your e-mail addresses.',
  email: 'Read your primary e-mail address.',
  sudo: 'Act in the name of every other person. Works only for administrators.',
};

const warnings: Readonly<Record<string, string>> = { api: 'Can change things', sudo: 'Acts as others' };

/** What each grant is, said to the developer who chooses. */
const grants: Readonly<Record<string, { readonly name: string; readonly says: string }>> = {
  authorization_code: {
    name: 'Authorization code',
    says: 'People approve in their browser, and your application exchanges a code. With PKCE. Right for nearly everything.',
  },
  refresh_token: {
    name: 'Refresh token',
    says: 'Your application stays connected when an access token has expired, without asking again.',
  },
  'urn:ietf:params:oauth:grant-type:device_code': {
    name: 'Device code',
    says: 'For what has no browser or no keyboard: people type a short code on another device.',
  },
  client_credentials: {
    name: 'Client credentials',
    says: 'Your application acts for itself, without a person. Only for confidential applications.',
  },
  implicit: {
    name: 'Implicit',
    says: 'The token comes with the redirect, where others may read it. Only for applications that can’t do better.',
  },
  password: {
    name: 'Password',
    says: 'Your application asks people for their password. Only for applications that can’t do better.',
  },
};

export const scopeSays = (scope: string): string => scopes[scope] ?? '';

/** In one order everywhere, whatever order they were asked for in. */
export const inOrder = (asked: readonly string[]): string[] =>
  Object.keys(scopes).filter((scope) => asked.includes(scope));

/** What is grave about a scope, in two words; null where it only lets read one's own. */
export const scopeWarns = (scope: string): string | null => warnings[scope] ?? null;

export const grantName = (grant: string): string => grants[grant]?.name ?? grant;

export const grantSays = (grant: string): string => grants[grant]?.says ?? '';

/** Messages of a field as sentences. @param label what people know the field as */
export function sentences(label: string, messages: readonly string[] = []): string[] {
  return [...new Set(messages)].map((message) => `${label} ${message.replace(/\.?$/, '.')}`);
}

/** A value that somebody else sent, fit to be shown: not too long, and every character visible. */
export function legible(value: string, most = 200): string {
  const visible = value.replace(/[^\x20-\x7e]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
  return visible.length > most ? `${visible.slice(0, most)}…` : visible;
}
