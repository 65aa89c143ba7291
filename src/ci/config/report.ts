import { patternsCompile } from './expressions/evaluate.ts';
import { BadExpression } from './expressions/lexer.ts';
import { parseExpression, type Expression } from './expressions/parser.ts';
import { Patterns } from './patterns/patterns.ts';
import type { Place, Problem } from './problems.ts';

/** Most errors, and most warnings, that are reported of one configuration. */
const most = 100;

/** What is wrong with a configuration, collected while it is read, and the expressions that were read in it. */
export class Report {
  readonly errors: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly patterns = new Patterns();
  private readonly expressions = new Map<string, Expression | null>();

  error(message: string, place?: Place): undefined {
    if (this.errors.length < most) this.errors.push({ message, place });
  }

  warn(message: string, place?: Place): undefined {
    if (this.warnings.length < most) this.warnings.push({ message, place });
  }

  /** Whether there are so many errors that no more are collected. */
  get isFull(): boolean {
    return this.errors.length >= most;
  }

  /** An expression, which jobs often repeat; null for a text that isn't one. */
  expression(text: string): Expression | null {
    let expression = this.expressions.get(text);
    if (expression === undefined) {
      expression = this.read(text);
      this.expressions.set(text, expression);
    }
    return expression;
  }

  private read(text: string): Expression | null {
    try {
      const expression = parseExpression(text);
      return patternsCompile(expression, this.patterns) ? expression : null;
    } catch (error) {
      if (error instanceof BadExpression) return null;
      throw error;
    }
  }
}
