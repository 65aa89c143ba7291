import nodeCrypto, { hkdfSync } from 'node:crypto';
import fs, { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addressKey } from '../../src/values/address.ts';
import { deriveKey, isGenerated } from '../../src/auth/keys/crypto.ts';
import { makeKeyFile, type InstanceKeys } from '../../src/auth/keys/instance-keys.ts';
import { isChallenge, newChallenge } from '../../src/auth/passkeys/challenge.ts';
import {
  chosenToken,
  deriveSharedKeys,
  digest,
  equalDigests,
  formToken,
  hashPassword,
  isFormToken,
  keyedDigest,
  keyFingerprints,
  loadInstanceKeys,
  newToken,
  randomPassword,
  randomSecret,
  readUnsubscribeKey,
  seal,
  unseal,
  unsubscribeKey,
  verifyPassword,
} from '../../src/auth/index.ts';
import { personalDigests } from '../../src/auth/credentials/tokens.ts';

/** Seals, keys, tokens, digests: the primitives of everything secret. */

test.each([
  // IPv4, however it is written.
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:0201', '192.0.2.1'],
  ['0:0:0:0:0:FFFF:192.0.2.1', '192.0.2.1'],
  ['0000:0000:0000:0000:0000:ffff:c000:201', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:198.51.100.23', '198.51.100.23'],
  ['::ffff:192.0.2.1%eth0', '192.0.2.1'],
  // IPv6 counts by its /64.
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
  ['2001:db8:0:0:1::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['::2:3:4:5:6:7:8', '0:2:3:4'],
  ['1::4:5:6:7:8', '1:0:0:4'],
  ['1:2:3:4:5:6:7::', '1:2:3:4'],
  ['a::ffff:192.0.2.1', 'a:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['fe80::%eth0', 'fe80:0:0:0'],
  // What is no address counts as it is.
  ['', ''],
  ['unix', 'unix'],
])('the address %s counts as %j', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

describe('a seal', () => {
  const [key, other] = [digest('a key'), digest('another key')];

  test('opens with its key, among others, at its place', () => {
    for (const text of ['', 'a text', 'ünïcödé '.repeat(100)]) {
      expect(unseal([other, key], 'a place', seal(key, 'a place', text))).toBe(text);
    }
  });

  test('opens with no other key, at no other place, and with no bit changed', () => {
    const sealed = seal(key, 'a place', 'a text');
    expect([
      unseal([other], 'a place', sealed),
      unseal([], 'a place', sealed),
      unseal([key], 'another place', sealed),
    ]).toEqual([null, null, null]);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect([at, unseal([key], 'a place', changed)]).toEqual([at, null]);
    }
    for (let length = 0; length < sealed.length; length++)
      expect(unseal([key], 'a place', sealed.subarray(0, length))).toBeNull();
  });

  test('hides its text, and is never the same twice', () => {
    const [one, two] = [seal(key, 'a place', 'a text'), seal(key, 'a place', 'a text')];
    expect(one.equals(two)).toBe(false);
    expect(one.length).toBe(12 + 'a text'.length + 16);
    expect(one.includes('a text')).toBe(false);
  });
});

describe('the instance key', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = join(mkdtempSync(join(tmpdir(), 'causeway-key-')), 'data');
  });
  afterEach(() => rmSync(join(dataDir, '..'), { recursive: true }));
  const inFile = () => loadInstanceKeys({ secretKeys: [], dataDir });

  test('is made once, for its owner alone, and found again', () => {
    expect(inFile()).toBeUndefined();
    makeKeyFile(dataDir);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
    const file = join(dataDir, 'secret.key');
    expect([statSync(file).mode & 0o777, statSync(dataDir).mode & 0o777]).toEqual([0o600, 0o700]);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^[0-9a-f]{64}\n$/);
    makeKeyFile(dataDir);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(inFile()!.derive('a purpose')).toEqual([deriveKey(text.trim(), 'a purpose')]);
    rmSync(file);
    makeKeyFile(dataDir);
    expect(readFileSync(file, 'utf8')).not.toBe(text);
  });

  test('counts without the white space around it', () => {
    mkdirSync(dataDir);
    const text = 'k'.repeat(32);
    writeFileSync(join(dataDir, 'secret.key'), ` ${text}\n\n`);
    expect(inFile()!.derive('x')).toEqual([deriveKey(text, 'x')]);
    expect(loadInstanceKeys({ secretKeys: [text], dataDir: '/nowhere' })!.derive('x')).toEqual([deriveKey(text, 'x')]);
  });

  test.each([
    ['is empty', '\n', /is empty/],
    ['is too short', 'k'.repeat(31), /is damaged/],
    ['holds bytes that no key has', `${'k'.repeat(32)}\0`, /is damaged/],
    ['holds two words', `${'k'.repeat(32)} ${'k'.repeat(32)}`, /is damaged/],
    ['holds a list', `${'k'.repeat(32)},${'k'.repeat(32)}`, /is damaged/],
  ])('in a file that %s is refused with its remedy', (_what, text, message) => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'secret.key'), text);
    expect(inFile).toThrow(
      expect.objectContaining({
        name: 'InstanceKeyError',
        message: expect.stringMatching(message),
        remedy: expect.stringMatching(/Put back secret.key/),
      }),
    );
  });

  test('that can’t be read is refused with its remedy', () => {
    expect(() => makeKeyFile('/dev/null')).toThrow(
      expect.objectContaining({ name: 'InstanceKeyError', message: expect.stringMatching(/can’t be kept in/) }),
    );
    mkdirSync(join(dataDir, 'secret.key'), { recursive: true });
    expect(inFile).toThrow(
      expect.objectContaining({ name: 'InstanceKeyError', message: expect.stringMatching(/can’t be read: EISDIR/) }),
    );
  });

  describe('that another process makes at the same moment', () => {
    const whenLinked = (happen: (file: string) => never) => {
      vi.spyOn(fs, 'linkSync').mockImplementation((_aside, file) => happen(String(file)));
      syncBuiltinESMExports();
    };
    afterEach(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });

    test('is the key of both', () => {
      const other = 'of-the-other-process-that-was-first';
      whenLinked((file) => {
        writeFileSync(file, `${other}\n`);
        throw Object.assign(new Error('it exists'), { code: 'EEXIST', syscall: 'link' });
      });
      makeKeyFile(dataDir);
      expect(inFile()!.derive('x')).toEqual([deriveKey(other, 'x')]);
      expect(readdirSync(dataDir)).toEqual(['secret.key']);
    });

    test('and that can’t be linked into place stops the start', () => {
      whenLinked(() => {
        throw Object.assign(new Error('links are not for you'), { code: 'EPERM' });
      });
      expect(() => makeKeyFile(dataDir)).toThrow(
        expect.objectContaining({
          message: expect.stringContaining('links are not for you'),
          remedy: expect.stringContaining('CAUSEWAY_SECRET_KEY'),
        }),
      );
      expect(readdirSync(dataDir)).toEqual([]);
    });
  });

  test('has a fingerprint, which reveals nothing of it, and reading that creates no key', () => {
    expect(keyFingerprints({ secretKeys: [], dataDir })).toEqual([]);
    expect(fs.existsSync(dataDir)).toBe(false);
    makeKeyFile(dataDir);
    const text = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim();
    const own = deriveKey(text, 'fingerprint').toString('hex').slice(0, 16);
    expect(keyFingerprints({ secretKeys: [], dataDir })).toEqual([own]);
    expect(keyFingerprints({ secretKeys: ['new', text], dataDir: '/nowhere' })).toEqual([
      expect.stringMatching(/^[0-9a-f]{16}$/),
      own,
    ]);
    expect(text).not.toContain(own);
  });

  test('makes a key for each purpose, one for each instance key, in their order', () => {
    const keys = loadInstanceKeys({ secretKeys: ['new', 'old'], dataDir })!;
    expect(keys.derive('a purpose')).toEqual([deriveKey('new', 'a purpose'), deriveKey('old', 'a purpose')]);
    expect(deriveKey('new', 'a purpose')).toEqual(Buffer.from(hkdfSync('sha256', 'new', '', 'a purpose', 32)));
    expect(keys.derive('a purpose')).toBe(keys.derive('a purpose'));
    const all = [
      ...keys.derive('a purpose'),
      ...keys.derive('another purpose'),
      ...deriveSharedKeys(keys, 'a purpose', 'a secret'),
      ...deriveSharedKeys(keys, 'a purpose', 'another secret'),
    ];
    expect(new Set(all.map((key) => key.toString('hex'))).size).toBe(8);
    expect(all.every(({ length }) => length === 32)).toBe(true);
    expect(deriveSharedKeys(keys, 'a purpose', 'a secret')).toEqual(
      keys.derive('a purpose').map((key) => deriveKey('a secret', 'a purpose', key)),
    );
  });
});

describe('a token', () => {
  test.each([
    ['personal', 'cwpat_'],
    ['access', 'cwat_'],
    ['refresh', 'cwrt_'],
    ['code', 'cwac_'],
    ['device', 'cwdc_'],
    ['client', 'cwcs_'],
    ['session', 'cwss_'],
  ] as const)('of kind %s begins with %s, has 256 random bits and is stored as a digest', (kind, prefix) => {
    const [one, two] = [newToken(kind), newToken(kind)];
    expect(one.secret).toMatch(new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`));
    expect(one.secret).not.toBe(two.secret);
    expect(one.digest).toEqual(digest(one.secret));
    expect(one.digest).toHaveLength(32);
  });

  test('that a person chose is stored as a digest under the newest key, and looked for under each', () => {
    const [now, before] = [
      loadInstanceKeys({ secretKeys: ['new', 'old'], dataDir: '' })!,
      loadInstanceKeys({ secretKeys: ['old'], dataDir: '' })!,
    ];
    const chosen = 'chosen by a person';
    expect(personalDigests(now, chosen)).toEqual([chosenToken(now, chosen).digest, chosenToken(before, chosen).digest]);
    expect(chosenToken(now, chosen)).toEqual({
      secret: chosen,
      digest: keyedDigest(deriveKey('new', 'operator-chosen personal access token'), chosen),
    });
    expect(personalDigests(now, 'cwpat_x')).toEqual([digest('cwpat_x')]);
  });
});

describe('passwords and digests', () => {
  test('a password fits its own hash alone, and none fits where there is no hash', async () => {
    const hash = await hashPassword('a password');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hashPassword('a password')).not.toBe(hash);
    expect(
      await Promise.all([
        verifyPassword(hash, 'a password'),
        verifyPassword(hash, 'a Password'),
        verifyPassword(hash, ''),
        verifyPassword(null, 'a password'),
      ]),
    ).toEqual([true, false, false, false]);
    // One letter, however it is typed.
    expect(await verifyPassword(await hashPassword('pa\u0308ss'), 'p\u00e4ss')).toBe(true);
  });

  test('where there is no hash, not even the password of the hash that is verified instead fits', async () => {
    vi.resetModules();
    vi.spyOn(nodeCrypto, 'randomBytes').mockReturnValue(Buffer.alloc(32) as never);
    syncBuiltinESMExports();
    const fresh = await import('../../src/auth/keys/crypto.ts');
    const known = fresh.randomSecret();
    const fits = await fresh.verifyPassword(null, known);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    expect([known, fits]).toEqual(['A'.repeat(43), false]);
  });

  test('what is random is long enough, in letters that travel unchanged', () => {
    expect(randomSecret()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(randomPassword()).toMatch(/^[A-Za-z0-9]{20}$/);
    const [secrets, passwords] = [
      Array.from({ length: 100 }, randomSecret),
      Array.from({ length: 100 }, randomPassword),
    ];
    expect([new Set(secrets).size, new Set(passwords).size]).toEqual([100, 100]);
    for (const letters of [/[a-z]/, /[A-Z]/, /[0-9]/])
      expect([secrets.join(''), passwords.join('')]).toEqual([
        expect.stringMatching(letters),
        expect.stringMatching(letters),
      ]);
  });

  test('a generated password is recognised as one, and no other', () => {
    const password = randomPassword();
    expect([isGenerated(password), isGenerated(`${password}x`), isGenerated('password')]).toEqual([true, false, false]);
  });

  test('digests are SHA-256 and HMAC-SHA-256, and are alike or not', () => {
    expect(digest('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    // RFC 4231, test case 2.
    expect(keyedDigest(Buffer.from('Jefe'), 'what do ya want for nothing?').toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    expect([
      equalDigests(digest('a'), digest('a')),
      equalDigests(digest('a'), digest('b')),
      equalDigests(digest('a'), digest('a').subarray(1)),
    ]).toEqual([true, false, false]);
  });

  test('a form’s token is of its session and of what it showed', () => {
    const own = formToken('a session', 'what was shown');
    expect(own).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(isFormToken(own, 'a session', 'what was shown')).toBe(true);
    for (const [given, secret, shown] of [
      [own, 'another session', 'what was shown'],
      [own, 'a session', 'something else'],
      ['', 'a session', 'what was shown'],
      [`${own}x`, 'a session', 'what was shown'],
    ] as const) {
      expect(isFormToken(given, secret, shown)).toBe(false);
    }
    // Not the session’s own digest, which is in the database.
    expect(own).not.toBe(keyedDigest(digest('a session'), 'what was shown').toString('base64url'));
  });
});

describe('an unsubscribe key', () => {
  const keysOf = (...secretKeys: string[]) => loadInstanceKeys({ secretKeys, dataDir: '/nowhere' })!;
  const [old, young] = ['o'.repeat(32), 'y'.repeat(32)];
  const what = { userId: 7, subjectKind: 'Issue', subjectId: 2_147_483_647 } as const;

  test('names a person and a subject, and is safe in a URL', () => {
    const key = unsubscribeKey(keysOf(old), what);
    expect(key).toMatch(/^[\w-]+$/);
    expect(readUnsubscribeKey(keysOf(old), key)).toEqual(what);
    expect(unsubscribeKey(keysOf(old), what)).toBe(key);
  });

  test('outlives a rotation for as long as the former key is kept', () => {
    const key = unsubscribeKey(keysOf(old), what);
    expect(readUnsubscribeKey(keysOf(young, old), key)).toEqual(what);
    expect(readUnsubscribeKey(keysOf(young), key)).toBeNull();
    expect(readUnsubscribeKey(keysOf(old), unsubscribeKey(keysOf(young, old), what))).toBeNull();
  });

  test('is worth nothing once any character of it is changed', () => {
    const key = unsubscribeKey(keysOf(old), what);
    for (let place = 0; place < key.length - 1; place++) {
      const changed = `${key.slice(0, place)}${key[place] === '1' ? '2' : '1'}${key.slice(place + 1)}`;
      expect(readUnsubscribeKey(keysOf(old), changed), changed).toBeNull();
    }
    for (const text of [
      '',
      key.slice(1),
      `${key}A`,
      `${key}\n`,
      key.replace('i_', 's_'),
      'i_1-99999999999-'.padEnd(40, 'A'),
    ])
      expect(readUnsubscribeKey(keysOf(old), text), text).toBeNull();
  });
});

describe('the challenge of a passkey (row 20)', () => {
  const [keys, rotated, others] = [['old'], ['new', 'old'], ['other']].map((secretKeys) =>
    loadInstanceKeys({ secretKeys, dataDir: '' })!,
  ) as [InstanceKeys, InstanceKeys, InstanceKeys];
  const purpose = { act: 'confirm', shownTo: '7' } as const;
  afterEach(() => vi.useRealTimers());

  test('works for one act, and where it was shown, also after a rotation of the key', () => {
    const challenge = newChallenge(keys, purpose);
    expect([isChallenge(keys, challenge, purpose), isChallenge(rotated, challenge, purpose)]).toEqual([true, true]);
    expect(isChallenge(keys, challenge, { act: 'create', shownTo: '7' })).toBe(false);
    expect(isChallenge(keys, challenge, { act: 'confirm', shownTo: '70' })).toBe(false);
    expect(isChallenge(others, challenge, purpose)).toBe(false);
    expect(newChallenge(keys, purpose)).not.toBe(challenge);
  });

  test('works for an hour, which nobody prolongs', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const challenge = newChallenge(keys, purpose);
    vi.advanceTimersByTime(3_590_000);
    expect(isChallenge(keys, challenge, purpose)).toBe(true);
    vi.advanceTimersByTime(20_000);
    expect(isChallenge(keys, challenge, purpose)).toBe(false);
    const later = Buffer.from(challenge, 'base64url');
    later.writeUIntBE(later.readUIntBE(0, 6) + 3_600, 0, 6);
    expect(isChallenge(keys, later.toString('base64url'), purpose)).toBe(false);
  });

  test('is nothing but what was made here', () => {
    const bytes = Buffer.from(newChallenge(keys, purpose), 'base64url');
    for (const length of [0, 6, 21, 22, 23, bytes.length - 1])
      expect(isChallenge(keys, bytes.subarray(0, length).toString('base64url'), purpose)).toBe(false);
    expect(isChallenge(keys, 'not base64!', purpose)).toBe(false);
  });
});
