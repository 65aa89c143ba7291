import fc from 'fast-check';

/** Values for hostile and ordinary requests. */

/** Markup that no page may contain unescaped. */
const markup = '"\'><i fuzzed>';
/** Words with a meaning in JavaScript, PostgreSQL, HTTP or forms, which must have no effect here. */
const words = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  'true',
  'custom',
  'watch',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '\0',
  'a\0b',
  '\u{feff}',
  '\u202e',
  '\ud800',
  '\udfff',
  'demo\ud83d',
  '💩',
  '١٢',
  '%',
  '%00',
  '%ff',
  '%2F',
  '%252F',
  '..',
  '../..',
  '/',
  '//',
  '\\',
  ';',
  "'",
  "' or 1=1 --",
  '"',
  '$1',
  '{}',
  '[]',
  '[0]',
  '[][]',
  '[__proto__]',
  '&',
  '=',
  '+',
  '#',
  '?',
  '\r\n',
  'demo',
  'demo/storefront',
  'root',
  '9'.repeat(300),
  'x'.repeat(5_000),
  markup,
];
export const word = fc.constantFrom(...words);
export const anyText = fc.oneof(word, fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
export const pieces = fc.array(anyText, { maxLength: 8 }).map((parts) => parts.join(''));

/** Names in the demo workspace, or that earlier requests may have created. Only a few, so that requests conflict. */
export const places = [
  'demo',
  'demo/platform',
  'demo/storefront',
  'demo/platform/api',
  'alpha',
  'alpha/beta',
  'Beta',
  'root',
  'maintainer',
  'gamma-1',
];
const sensible = fc.constantFrom(
  ...places,
  'somebody@example.com',
  'maintainer@example.com',
  'https://tracker.example.com/api/0/projects/org/shop',
  'https://client.example/callback',
  'api',
  'api read_user',
  'a password that is hard to guess',
  'mit',
  'Ruby',
  'id desc',
  'A description.',
);
/** Text that a route or a field may accept. */
export const likelyText = fc.oneof(
  { weight: 6, arbitrary: sensible },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
  anyText,
);
export const likelyNumber = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 60 }) },
  fc.constantFrom(-1, 0, 100, 101, 2 ** 31 - 1, 2 ** 31, 2 ** 53),
  fc.integer(),
);
export const likelyMoment = fc.oneof(
  fc.constantFrom(
    '2020-01-01T00:00:00Z',
    '2999-12-31T23:59:59.999Z',
    '0000-01-01T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '2026-02-30T00:00:00Z',
  ),
  anyText,
);
export const likelyDay = fc.oneof(
  fc.constantFrom('2020-01-01', '2999-12-31', '2026-02-30', '0000-01-01', '10000-01-01'),
  anyText,
);

/** Mostly the usual value, so that other hostile parts of the request get further. */
export const usually = <Usual, Odd>(usual: Usual, odd: fc.Arbitrary<Odd>): fc.Arbitrary<Usual | Odd> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, odd);

/** The text without lone surrogates. */
const wellFormed = (text: string) => Buffer.from(text).toString();
/** The text without characters that Node.js refuses in a request line or a header. */
export const inRequestLine = (text: string): string =>
  wellFormed(text).replace(/[^\u0021-\u00ff]/gu, encodeURIComponent);
export const inHeader = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
export const escaped = (text: string): string => encodeURIComponent(wellFormed(text));
