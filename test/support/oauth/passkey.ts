import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A device that makes and uses one passkey (WebAuthn, ES256, no attestation), as a browser hands it on. */
export interface Device {
  /** Answers `navigator.credentials.create`. @param options as the page has them */
  create(options: string, more?: Partial<Answering>): string;
  /** Answers `navigator.credentials.get`. */
  get(options: string, more?: Partial<Answering>): string;
}

export interface Answering {
  readonly origin: string;
  /** Whether it checked a fingerprint or a PIN. */
  readonly verified: boolean;
  /** The counter of uses; by default one more each time. */
  readonly count: number;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

/** CBOR (RFC 8949) of a byte string shorter than 64 KiB. */
const bytes = (data: Buffer) =>
  Buffer.concat([
    Buffer.from(data.length < 256 ? [0x58, data.length] : [0x59, data.length >> 8, data.length & 255]),
    data,
  ]);

const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
}

export function device(origin: string): Device {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const [x, y] = [jwk.x!, jwk.y!].map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
  // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const cose = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(x),
    Buffer.from([0x22]),
    bytes(y),
  ]);
  let used = 0;

  function answer(type: string, json: string, made: Buffer, more: Partial<Answering>) {
    const options = JSON.parse(json) as Options;
    const client = { type, challenge: options.challenge, origin: more.origin ?? origin, crossOrigin: false };
    const clientData = Buffer.from(JSON.stringify(client));
    const count = Buffer.alloc(4);
    count.writeUInt32BE(more.count ?? ++used);
    // User present; user verified; attested credential data follows.
    const flags = 0x01 | ((more.verified ?? true) ? 0x04 : 0) | (made.length > 0 ? 0x40 : 0);
    const data = Buffer.concat([sha256(options.rp?.id ?? options.rpId!), Buffer.from([flags]), count, made]);
    return { clientData, data };
  }

  const wrap = (response: Record<string, unknown>) =>
    JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });

  return {
    create(options, more = {}) {
      const made = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const { clientData, data } = answer('webauthn.create', options, made, more);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data),
      ]);
      return wrap({
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    get(options, more = {}) {
      const { clientData, data } = answer('webauthn.get', options, Buffer.alloc(0), more);
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey);
      return wrap({
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}

const unescaped = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** What a page hands to the browser, as JSON; null where it offers no passkey. */
export function passkeyOptions(html: string): string | null {
  const found = /data-options="([^"]+)"/.exec(html);
  return found && unescaped(found[1]!);
}
