import { BadExpression, tokenize, type Operator, type Token } from './lexer.ts';

/** A value: it can be compared, and is true if it is neither null nor empty. */
export type Operand = Extract<Token, { kind: 'variable' | 'string' | 'pattern' | 'null' }>;

export type Expression =
  | Operand
  | {
      readonly kind: 'compare';
      readonly operator: '==' | '!=' | '=~' | '!~';
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: '&&' | '||'; readonly parts: readonly Expression[] };

/** Levels of parentheses. */
const deepest = 100;

/** Reads `||` of `&&` of comparisons, by recursive descent. */
class ExpressionParser {
  private readonly tokens: readonly Token[];
  private at = 0;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  parse(): Expression {
    const expression = this.joined('||');
    if (this.at < this.tokens.length) throw new BadExpression();
    return expression;
  }

  private takeOperator(...operators: readonly Operator[]): Operator | undefined {
    const token = this.tokens[this.at];
    if (token?.kind !== 'operator' || !operators.includes(token.operator)) return undefined;
    this.at += 1;
    return token.operator;
  }

  private joined(operator: '&&' | '||'): Expression {
    const next = () => (operator === '||' ? this.joined('&&') : this.term());
    const parts = [next()];
    while (this.takeOperator(operator)) parts.push(next());
    return parts.length === 1 ? parts[0]! : { kind: operator, parts };
  }

  private term(): Expression {
    if (this.tokens[this.at]?.kind !== 'open') return this.comparison();
    this.at += 1;
    this.depth += 1;
    if (this.depth > deepest) throw new BadExpression();
    const inner = this.joined('||');
    if (this.tokens[this.at]?.kind !== 'close') throw new BadExpression();
    this.at += 1;
    this.depth -= 1;
    return inner;
  }

  private comparison(): Expression {
    const left = this.operand();
    const operator = this.takeOperator('==', '!=', '=~', '!~') as '==' | '!=' | '=~' | '!~' | undefined;
    if (!operator) return left;
    const right = this.operand();
    const matches = operator === '=~' || operator === '!~';
    if (matches && right.kind !== 'pattern' && right.kind !== 'variable') throw new BadExpression();
    return { kind: 'compare', operator, left, right };
  }

  private operand(): Operand {
    const token = this.tokens[this.at];
    if (!token || token.kind === 'operator' || token.kind === 'open' || token.kind === 'close')
      throw new BadExpression();
    this.at += 1;
    return token;
  }
}

/** @throws BadExpression for a text that isn't an expression */
export const parseExpression = (text: string): Expression => new ExpressionParser(tokenize(text)).parse();
