import type { Expression, Operand } from './parser.ts';
import type { Patterns } from '../patterns/patterns.ts';
import type { Matcher } from '../patterns/matcher.ts';

/** Values of variables by name. */
export interface Variables {
  get(name: string): string | undefined;
}

function valueOf(operand: Operand, variables: Variables): string | null {
  switch (operand.kind) {
    case 'variable':
      return variables.get(operand.name) ?? null;
    case 'string':
      return operand.value;
    case 'pattern':
      return `/${operand.pattern}/${operand.flags}`;
    case 'null':
      return null;
  }
}

/** Whether an expression holds. A variable alone holds if it is set and not empty; a broken pattern never does. */
export function holds(expression: Expression, variables: Variables, matcher: Matcher): boolean {
  switch (expression.kind) {
    case '||':
      return expression.parts.some((part) => holds(part, variables, matcher));
    case '&&':
      return expression.parts.every((part) => holds(part, variables, matcher));
    case 'compare': {
      const { operator } = expression;
      const left = valueOf(expression.left, variables);
      const right = valueOf(expression.right, variables);
      if (operator === '==') return left === right;
      if (operator === '!=') return left !== right;
      const found = matcher.find(right ?? '', left);
      return found !== null && found === (operator === '=~');
    }
    default:
      return (valueOf(expression, variables) ?? '') !== '';
  }
}

/** Whether all patterns that an expression spells out can be compiled. */
export function patternsCompile(expression: Expression, patterns: Patterns): boolean {
  if (expression.kind === '||' || expression.kind === '&&')
    return expression.parts.every((part) => patternsCompile(part, patterns));
  if (expression.kind === 'compare')
    return patternsCompile(expression.left, patterns) && patternsCompile(expression.right, patterns);
  return expression.kind !== 'pattern' || patterns.regexp(expression.pattern, expression.flags) !== null;
}
