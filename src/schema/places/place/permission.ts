import type { Context } from '../../../context.ts';
import { holds, type Condition, type Facts } from '../../../policy/index.ts';

/**
 * A field of `userPermissions` that shows whether a rule lets the viewer do something.
 * @param rule the rule, or how to choose it for a place
 */
export const may = <PlaceFacts extends Facts>(
  rule: Condition | ((facts: PlaceFacts) => Condition),
  description: string,
) => ({
  description,
  direct: true,
  resolve: (facts: PlaceFacts, _args: object, { viewer }: Context) =>
    holds(typeof rule === 'function' ? rule(facts) : rule, viewer, facts),
});
