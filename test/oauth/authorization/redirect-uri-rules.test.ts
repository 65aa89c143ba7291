import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  matchesRegistered,
  problemsInUse,
  redirectUriProblems,
  type RedirectRules,
} from '../../../src/oauth/redirect-uri.ts';
import { isLoopback } from '../../../src/values/address.ts';

const lax: RedirectRules = { plainHttp: true, dottedSchemes: false, outOfBand: true };
const strict: RedirectRules = { plainHttp: false, dottedSchemes: true, outOfBand: false };
const problem = {
  relative: 'must be an absolute URI.',
  forbidden: 'is forbidden by the server.',
  fragment: 'cannot contain a fragment.',
  userinfo: 'must not contain a user or a password.',
  http: 'must use HTTPS, since http is only for loopback addresses.',
  characters: 'cannot contain characters that a URI must encode, such as é or {.',
  wildcard: 'cannot have a wildcard in its host.',
  scheme: 'must specify a scheme.',
} as const;

describe('what can be registered', () => {
  test.each([
    'https://client.example/callback',
    'https://client.example',
    'https://client.example/',
    'https://client.example:8443/cb',
    'https://client.example/cb?a=1&b=%20',
    'https://client.example/cb?next=user@host',
    'https://client.example/a//user@host',
    'https://sub.client.example/a/b/c.d;e=f/(g)',
    'HTTPS://CLIENT.EXAMPLE/CB',
    'https://[2001:db8::1]/cb',
    'https://192.0.2.1/cb',
    'https://xn--bcher-kva.example/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:5173/cb',
    'http://127.255.255.254/cb',
    'http://[::1]/cb',
    'http://[::1]:8080/cb',
    'http://localhost/cb',
    'http://localhost:3000/cb',
    'http://LOCALHOST:3000/cb',
    'com.example.app:/callback',
    'com.example.app://callback',
    'dev.ms-tools.app://callback',
    `https://client.example/${'x'.repeat(1_977)}`,
  ])('%s, in either profile', (uri) => {
    expect([redirectUriProblems(uri, lax), redirectUriProblems(uri, strict)]).toEqual([[], []]);
  });

  test.each([
    'myapp://callback',
    'myapp:/callback',
    'vscode://publisher.extension/cb',
    'chromely://cb',
    'mstools://cb',
  ])('%s, but not in strict, where a private scheme contains a dot (RFC 8252 §7.1)', (uri) => {
    expect([redirectUriProblems(uri, lax), redirectUriProblems(uri, strict)]).toEqual([
      [],
      ['must have a scheme with a dot in it, like com.example.app.'],
    ]);
  });

  test('urn:ietf:wg:oauth:2.0:oob, by its exact string and not in strict', () => {
    const oob = 'urn:ietf:wg:oauth:2.0:oob';
    expect([redirectUriProblems(oob, lax), redirectUriProblems(oob, strict)]).toEqual([[], [problem.forbidden]]);
    for (const near of [`${oob}:auto`, `${oob}?x`, 'URN:ietf:wg:oauth:2.0:oob', `${oob} `])
      expect(redirectUriProblems(near, lax)).not.toEqual([]);
  });

  test.each([
    'http://client.example/cb',
    'http://192.0.2.1/cb',
    'http://128.0.0.1/cb',
    'http://localhost.evil.example/cb',
    'http://localhost./cb',
    'http://127.0.0.1.evil.example/cb',
    'http://[::2]/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://0.0.0.0/cb',
  ])('%s, only in development (R5)', (uri) => {
    expect([redirectUriProblems(uri, lax), redirectUriProblems(uri, strict)]).toEqual([[], [problem.http]]);
  });

  test.each<[uri: string, problem: string]>([
    // Schemes that run or show something (row 5).
    ...[
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'javascript://client.example/%0aalert(1)',
      'data:text/html,x',
      'DATA:text/html;base64,eA==',
      'vbscript:x',
      'VbScript:x',
      'blob:https://client.example/1',
      'file:///etc/passwd',
      'about:blank',
      'view-source:https://client.example',
      'filesystem:https://client.example/x',
      'ws://client.example/',
      'wss://client.example/',
      'ftp://client.example/cb',
      'MailTo:someone@client.example',
      'tel:+1',
      'sms:/+1',
      'jscript:x',
      'livescript:x',
      'mocha:x',
      'intent://x',
      'Intent:/x',
      'content://x',
      'jar:/x',
      'chrome://settings',
      'res://x',
      'shell:/x',
      'feed:/x',
      'search-ms:/x',
      'ms-settings:/x',
      'MS-msdt:/x',
      'ms-:/x',
      'x-apple.systempreferences:/x',
      'microsoft-edge:/x',
      'web+app://x',
      'itms-services://x',
      'ssh://x',
      'urn:ietf:wg:oauth:2.0:oob:auto',
    ].map((uri): [string, string] => [uri, problem.forbidden]),
    // What isn't absolute, or only seems to be.
    ...[
      '',
      '/cb',
      'cb',
      '//client.example/cb',
      '?a=1',
      'client.example/cb',
      '://client.example',
      ':',
      'https:',
      'https:/client.example/cb',
      'https:client.example',
      'https://',
      'https:///client.example/cb',
      'http:///cb',
      'https://?a',
      'https://:80/',
      '1https://client.example/',
      '-app://x',
      '127.0.0.1:8080/cb',
      '/cb#x',
      '1javascript:x',
      'https:/a.example/https://b.example/',
      'https://client.example:99999/cb',
      'https://[::1',
      'https://client%00.example/',
    ].map((uri): [string, string] => [uri, problem.relative]),
    // Characters that one parser drops, and another doesn't.
    ...[
      ' https://client.example/',
      'https://client.example/ ',
      '\thttps://client.example/',
      'ht\ntps://client.example/',
      'java\tscript:alert(1)',
      ' javascript:alert(1)',
      'https://client.example/\r\nSet-Cookie: x',
      'https://client.example/\0',
      'https://client.example\\@evil.example/',
      'https:\\\\client.example',
      'https://client.example/é',
      'https://bücher.example/',
      'https://client.example/\u202e',
      'https://client.example/\u00a0',
      'https://client.example/<b>',
      'https://client.example/"x"',
      'https://client.example/{id}',
      'https://client.example/a|b',
      'https://client.example/^',
      'https://client.example/`',
      'https://ａ.example/',
      'https://a b.example/',
    ].map((uri): [string, string] => [uri, problem.characters]),
    ...['https://*/cb', 'https://*.client.example/cb'].map((uri): [string, string] => [uri, problem.wildcard]),
    // People in addresses (row 1, row 4).
    ...[
      'https://user@client.example/',
      'https://user:password@client.example/',
      'https://@client.example/',
      'https://:@client.example/',
      'https://client.example@evil.example/cb',
      'https://client.example%2f@evil.example/',
      'http://127.0.0.1:80@evil.example/',
    ].map((uri): [string, string] => [uri, problem.userinfo]),
    ['https://client.example/cb#', problem.fragment],
    ['https://client.example/cb#fragment', problem.fragment],
    ['myapp://callback#x', problem.fragment],
    ['localhost:3000/cb', problem.scheme],
    ['localhost:/cb', problem.scheme],
    ['com.example.app:x:/cb', problem.scheme],
    ['com.example.app:callback', problem.scheme],
    ['myapp:callback', problem.scheme],
    [`https://client.example/${'x'.repeat(1_978)}`, 'is too long (maximum is 2000 characters)'],
  ])('not %j: it %s', (uri, why) => {
    expect([redirectUriProblems(uri, lax), redirectUriProblems(uri, strict)]).toEqual([[why], [why]]);
  });

  test('a registered URI means one host to a reader and to WHATWG’s parser, without user, password or fragment', () => {
    const piece = fc.constantFrom(
      'https',
      'http',
      ':',
      '/',
      '//',
      '\\',
      '@',
      '?',
      '#',
      '.',
      '..',
      '%2f',
      '%00',
      '\t',
      '\n',
      ' ',
      'client.example',
      'evil.example',
      '127.0.0.1',
      '[::1]',
      ':80',
      'é',
      ';',
      '&',
      'localhost',
      'javascript',
    );
    fc.assert(
      fc.property(
        fc.constantFrom('https://', 'http://', 'HTTPS://', ''),
        fc.array(piece, { maxLength: 7 }),
        (start, pieces) => {
          const uri = start + pieces.join('');
          if (redirectUriProblems(uri, lax).length > 0 || !/^https?:/i.test(uri)) return;
          const byEye = /^https?:\/\/(\[[^\]]*\]|[^/?:]*)/i.exec(uri)![1]!.toLowerCase();
          const { hostname, username, password, hash } = new URL(uri);
          expect({ hostname, username, password, hash }).toEqual({
            hostname: new URL(`https://${byEye}/`).hostname,
            username: '',
            password: '',
            hash: '',
          });
        },
      ),
      { numRuns: 20_000 },
    );
  });
});

test('what merely contains a loopback address is none', () => {
  expect(['127.0.0.1', '127.255.255.254', '[::1]', 'localhost'].map(isLoopback)).toEqual([true, true, true, true]);
  expect(
    ['x127.0.0.1', '1.127.0.0.1', '127.0.0.1.example', '127.0.0', '[::1]x', 'x.localhost', 'localhost.'].filter(
      isLoopback,
    ),
  ).toEqual([]);
});

describe('which requested address is a registered one', () => {
  const a = 'https://a.example/cb';
  const loopback = 'http://127.0.0.1/cb';

  test.each<[registered: string, requested: string]>([
    [a, a],
    ['https://a.example/cb?x=1', 'https://a.example/cb?x=1'],
    ['https://a.example', 'https://a.example'],
    ['com.example.app:/cb', 'com.example.app:/cb'],
    [loopback, loopback],
    [loopback, 'http://127.0.0.1:1/cb'],
    [loopback, 'http://127.0.0.1:65535/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:4000/cb'],
    ['http://127.0.0.1:3000/cb', loopback],
    ['http://127.0.0.1', 'http://127.0.0.1:80'],
    ['http://127.0.0.1/', 'http://127.0.0.1:51004'],
    ['http://127.0.0.1', 'http://127.0.0.1:51004/'],
    ['http://127.0.0.1:3000/?x=1', 'http://127.0.0.1:51004?x=1'],
    ['http://[::1]/', 'http://[::1]:51004'],
    ['http://127.0.0.1?x=1', 'http://127.0.0.1:80?x=1'],
    ['http://127.1.2.3/cb', 'http://127.1.2.3:80/cb'],
    ['http://127.100.200.250/cb', 'http://127.100.200.250:80/cb'],
    ['http://[::1]/cb', 'http://[::1]:51004/cb'],
    ['http://[::1]:1/cb', 'http://[::1]/cb'],
  ])('%s: %s is', (registered, requested) => {
    expect(matchesRegistered(requested, ['https://other.example/', registered], true)).toBe(true);
  });

  test.each<[registered: string, requested: string]>([
    // Something in front of a loopback address.
    [loopback, `evil:${loopback}`],
    [loopback, 'xhttp://127.0.0.1:80/cb'],
    // Another query, and letters that no address has.
    [`${loopback}?x=1`, 'http://127.0.0.1:80/cb?x=2'],
    [`${loopback}?x=1`, 'http://127.0.0.1:80/cb'],
    ['http://127.0.0.1/cäb', 'http://127.0.0.1:80/cäb'],
    // Row 1: a host that only begins the same.
    ...[
      'https://a.example.evil.com/cb',
      'https://a.example@evil/cb',
      'https://evil\\@a.example/cb',
      'https://evil/https://a.example/cb',
      '//evil',
      '//a.example/cb',
      `\t${a}`,
      `\r${a}`,
      `\0${a}`,
      ` ${a}`,
      `${a} `,
      `${a}\n`,
      'https://a.examplecb',
      'https://xa.example/cb',
      'https://a.example:443/cb',
      'https://a.example:8443/cb',
      'https://a.example./cb',
      'http://a.example/cb',
      'https:a.example/cb',
      'https:/a.example/cb',
    ].map((uri): [string, string] => [a, uri]),
    // Row 2: a path that leads elsewhere.
    ...[
      'https://a.example/cb/../x',
      'https://a.example/cb%2f..%2fx',
      'https://a.example/cb%252f..%252fx',
      'https://a.example/cb/..;/x',
      'https://a.example/cb/',
      'https://a.example/cb/x',
      'https://a.example/cb?x=1',
      'https://a.example/cb?',
      'https://a.example/cb#',
      'https://a.example/cb#x',
      'https://a.example/./cb',
      'https://a.example//cb',
      'https://a.example/c%62',
      'https://a.example/cb;x',
      'https://a.example/cb&x',
      'https://a.example',
      'https://a.example/',
      'https://a.example/c',
      'https://a.example/cbx',
    ].map((uri): [string, string] => [a, uri]),
    // Row 3: case and look-alikes.
    ...[
      'HTTPS://A.EXAMPLE/CB',
      'https://A.example/cb',
      'https://a.example/CB',
      'Https://a.example/cb',
      'https://aXexample/cb',
      'https://a-example/cb',
      'https://а.example/cb',
    ].map((uri): [string, string] => [a, uri]),
    ['https://a.example/', 'https://a.example'],
    ['http://localhost/', 'http://localhost'],
    ['http://127.0.0.1/', 'http://127.0.0.1:80//'],
    ['http://127.0.0.1/', 'http://127.0.0.1:80\\'],
    ['http://127.0.0.1/', 'http://127.0.0.1.evil.example'],
    ['https://a.example/cb?x=1&y=2', 'https://a.example/cb?y=2&x=1'],
    ['https://a.example/cb?x=1', 'https://a.example/cb'],
    ['https://a.example/cb?x=1', 'https://a.example/cb?x=1&y=2'],
    // Row 4: loopback, by its very address and nothing else.
    ...[
      'http://127.0.0.1:80@evil/cb',
      'http://127.0.0.1:80@evil:80/cb',
      'http://127.0.0.1:/cb',
      'http://127.0.0.1:x/cb',
      'http://127.0.0.1:65536/cb',
      'http://127.0.0.1:123456/cb',
      'http://127.0.0.1:-1/cb',
      'http://127.0.0.1:80/other',
      'http://127.0.0.1:80/cb/',
      'http://127.0.0.1:80/cb?x',
      'http://127.0.0.1:80/cb#x',
      'http://127.0.0.1:80',
      'http://127.0.0.2:80/cb',
      'http://127.1:80/cb',
      'http://127.000.000.001:80/cb',
      'http://0x7f.0.0.1:80/cb',
      'http://2130706433:80/cb',
      'http://localhost:80/cb',
      'http://localhost/cb',
      'https://127.0.0.1:80/cb',
      'HTTP://127.0.0.1:80/cb',
      'http://127.0.0.1.evil:80/cb',
      'http://127.0.0.1evil/cb',
      'http://127.0.0.1:80\\@evil/cb',
      'http://127.0.0.1:80/cb\n',
      'http://[::1]:80/cb',
      'http://[::ffff:127.0.0.1]/cb',
      'http://[0:0:0:0:0:0:0:1]/cb',
    ].map((uri): [string, string] => [loopback, uri]),
    ['http://[::1]/cb', 'http://[0:0:0:0:0:0:0:1]:80/cb'],
    ['http://[::1]/cb', 'http://127.0.0.1/cb'],
    // The name may be looked up elsewhere (RFC 8252 §8.3).
    ['http://localhost/cb', 'http://localhost:3000/cb'],
    ['http://localhost:3000/cb', 'http://localhost:3001/cb'],
    ['http://10.0.0.1/cb', 'http://10.0.0.1:80/cb'],
    ['http://128.0.0.1/cb', 'http://128.0.0.1:80/cb'],
    ['https://127.0.0.1/cb', 'https://127.0.0.1:8443/cb'],
  ])('%s: %j is not', (registered, requested) => {
    expect(matchesRegistered(requested, [registered], true)).toBe(false);
    expect(matchesRegistered(requested, [], true)).toBe(false);
  });

  test('for a token in a fragment not even the port may differ (row 4)', () => {
    expect(matchesRegistered('http://127.0.0.1:5173/cb', [loopback], false)).toBe(false);
    expect(matchesRegistered(loopback, [loopback], false)).toBe(true);
    expect(matchesRegistered('http://127.0.0.1', ['http://127.0.0.1/'], false)).toBe(false);
  });

  test('only what is equal to the letter matches where there is no loopback', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true }),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
        fc.nat(),
        (uri, noise, at) => {
          const position = at % (uri.length + 1);
          const changed = uri.slice(0, position) + noise + uri.slice(position);
          expect(matchesRegistered(changed, [uri], true)).toBe(changed === uri);
        },
      ),
    );
  });
});

describe('what was registered earlier', () => {
  test.each([
    'ms-tools://cb',
    'feed:/cb',
    'myapp://cb',
    'com.example.app:/cb',
    'https://client.example/cb',
    'http://127.0.0.1/cb',
  ])('%s stays', (uri) => {
    expect([problemsInUse(uri, lax), problemsInUse(uri, strict)]).toEqual([[], []]);
  });

  test.each(['javascript:alert(1)', 'DATA:text/html,x', 'file:///x', 'nonsense'])('%s never serves', (uri) => {
    for (const rules of [lax, strict])
      expect(problemsInUse(uri, rules)).toEqual([expect.stringMatching(/^(is|must) /)]);
  });

  test.each([
    ['http://client.example/cb', problem.http],
    ['urn:ietf:wg:oauth:2.0:oob', 'is forbidden by the server.'],
  ])('%s depends on the rules of today', (uri, rule) => {
    expect([problemsInUse(uri, lax), problemsInUse(uri, strict)]).toEqual([[], [rule]]);
  });
});
