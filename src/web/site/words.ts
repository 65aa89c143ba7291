/** Descriptions of the scopes, for the person who approves an application. */
const scopes: Readonly<Record<string, string>> = {
  api: 'Read and change everything that you can.',
  read_api: 'Read everything that you can see, and change nothing.',
  read_repository: 'Read repositories: clone and fetch with git, and read files over the API.',
  write_repository: 'Read and write repositories with git, not over the API.',
  read_user: 'Read your profile with its e-mail addresses, and the profiles of others.',
  profile: 'Read your profile, without your e-mail addresses.',
  email: 'Read your primary e-mail address.',
  sudo: 'Act as any other user. Works only for administrators.',
};

const warnings: Readonly<Record<string, string>> = { api: 'Can change things', sudo: 'Acts as others' };

/** Names and descriptions of the grants, for the developer who chooses. */
const grants: Readonly<Record<string, { readonly name: string; readonly says: string }>> = {
  authorization_code: {
    name: 'Authorization code',
    says: 'People approve in their browser, and your application exchanges a code. With PKCE. The right choice for nearly every application.',
  },
  refresh_token: {
    name: 'Refresh token',
    says: 'Your application gets a new access token when the old one has expired, without asking the person again.',
  },
  'urn:ietf:params:oauth:grant-type:device_code': {
    name: 'Device code',
    says: 'For devices without a browser or a keyboard: people type a short code on another device.',
  },
  client_credentials: {
    name: 'Client credentials',
    says: 'Your application acts for itself, without a person. Only for confidential applications.',
  },
  implicit: {
    name: 'Implicit',
    says: 'The redirect carries the token, where others may read it. Only for applications that support nothing else.',
  },
  password: {
    name: 'Password',
    says: 'Your application asks people for their password. Only for applications that support nothing else.',
  },
};

export const scopeSays = (scope: string): string => scopes[scope] ?? '';

/** Scopes in the order in which every page shows them. */
export const inOrder = (asked: readonly string[]): string[] =>
  Object.keys(scopes).filter((scope) => asked.includes(scope));

/** A short warning about a powerful scope; null for the others. */
export const scopeWarns = (scope: string): string | null => warnings[scope] ?? null;

export const grantName = (grant: string): string => grants[grant]?.name ?? grant;

export const grantSays = (grant: string): string => grants[grant]?.says ?? '';

/** Messages of a field as sentences. @param label the field's name on the page */
export function sentences(label: string, messages: readonly string[] = []): string[] {
  return [...new Set(messages)].map((message) => `${label} ${message.replace(/\.?$/, '.')}`);
}

/** Messages of all fields as sentences; those of `base` are sentences already. @param labels the fields' names on the page */
export const allSentences = (
  fields: Readonly<Record<string, readonly string[]>>,
  labels: Readonly<Record<string, string>>,
): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries(fields).map(([field, messages]) => [
      field,
      field === 'base' ? messages : sentences(labels[field] ?? field, messages),
    ]),
  );

/** A value from outside, safe to show: cut to a length, with every character visible. */
export function legible(value: string, most = 200): string {
  const visible = value.replace(/[^\x20-\x7e]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
  return visible.length > most ? `${visible.slice(0, most)}…` : visible;
}
