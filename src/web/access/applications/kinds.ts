/** Kinds of applications, as developers name them, and what each begins with. */

const device = 'urn:ietf:params:oauth:grant-type:device_code';

interface Kind {
  readonly label: string;
  readonly says: string;
  /** Whether it can keep a secret (RFC 6749 §2.1). */
  readonly confidential: boolean;
  /** Those of them that the instance offers are chosen. */
  readonly grants: readonly string[];
}

const kinds = {
  server: {
    label: 'Website or server',
    says: 'Runs on a server of yours, and can keep a secret there.',
    confidential: true,
    grants: ['authorization_code', 'refresh_token'],
  },
  browser: {
    label: 'Browser, phone or desktop',
    says: 'Runs on the devices of people, where no secret can be kept. It proves itself with PKCE.',
    confidential: false,
    grants: ['authorization_code', 'refresh_token'],
  },
  device: {
    label: 'Command line or TV',
    says: 'Shows a code, which people type in their browser. It needs no redirect URI.',
    confidential: false,
    grants: [device, 'refresh_token'],
  },
  machine: {
    label: 'Machine',
    says: 'Acts for itself, without a person. It needs no redirect URI.',
    confidential: true,
    grants: ['client_credentials'],
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

const isKind = (given: string | undefined): given is KindName => given !== undefined && Object.hasOwn(kinds, given);

/** The kind that an address names; a server for any other. */
export const kindNamed = (given: string | undefined): KindName => (isKind(given) ? given : 'server');

export const kindsOf = (): readonly (readonly [KindName, Kind])[] => Object.entries(kinds) as [KindName, Kind][];

export const kindOf = (name: KindName): Kind => kinds[name];
