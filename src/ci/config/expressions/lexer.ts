/** What an expression of rules is made of. */
export type Token =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly flags: string }
  | { readonly kind: 'null' }
  | { readonly kind: 'operator'; readonly operator: Operator }
  | { readonly kind: 'open' }
  | { readonly kind: 'close' };

export type Operator = '==' | '!=' | '=~' | '!~' | '&&' | '||';

/** An expression that isn't one. */
export class BadExpression extends Error {}

type Match = RegExpMatchArray;

/** Each kind of token, sticky: no expression here can match in more than one way, so none can run away. */
const kinds: readonly (readonly [RegExp, (found: Match) => Token | undefined])[] = [
  [/\s+/y, () => undefined],
  [/\$(\w+)/y, (found) => ({ kind: 'variable', name: found[1]! })],
  [/"([^"]*)"|'([^']*)'/y, (found) => ({ kind: 'string', value: found[1] ?? found[2] ?? '' })],
  [
    /\/((?:[^/\\]|\\.)+)\/([ismU]*)/y,
    (found) => ({ kind: 'pattern', pattern: found[1]!.replaceAll('\\/', '/'), flags: found[2]! }),
  ],
  [/null\b/y, () => ({ kind: 'null' })],
  [/==|!=|=~|!~|&&|\|\|/y, (found) => ({ kind: 'operator', operator: found[0] as Operator })],
  [/\(/y, () => ({ kind: 'open' })],
  [/\)/y, () => ({ kind: 'close' })],
];

/** Longest expression that is read. */
const longest = 10_000;

/** @throws BadExpression where no token starts */
export function tokenize(text: string): Token[] {
  if (text.length > longest) throw new BadExpression();
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    let found: Match | null = null;
    for (const [kind, make] of kinds) {
      kind.lastIndex = at;
      found = kind.exec(text);
      if (!found) continue;
      const token = make(found);
      if (token) tokens.push(token);
      at += found[0].length;
      break;
    }
    if (!found) throw new BadExpression();
  }
  return tokens;
}
