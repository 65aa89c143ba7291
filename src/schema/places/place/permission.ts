import type { Context } from '../../../context.ts';
import { holds, mayChange, member, type Condition, type Facts } from '../../../policy/index.ts';

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

/** The viewer's rights in a project. */
interface RightsInProject extends Facts {
  readonly archived: boolean;
}

/** The same of a rule for changes in a project. */
export const mayIn = (rule: Condition, description: string) => ({
  description,
  direct: true,
  resolve: (rights: RightsInProject, _args: object, { viewer }: Context) =>
    mayChange(rule, viewer, rights, rights.archived),
});

/** The facts that decide whether the viewer may ask for a role in a place. */
interface RequestFacts extends Facts {
  readonly attributes: { readonly [name: string]: unknown };
  /** Of a project. */
  readonly archived?: boolean | undefined;
}

/**
 * Whether the viewer may ask for a role in a place: people who have none, unless the place refuses to be asked, or is an
 * archived project.
 */
export const mayRequestAccess = ({ viewer }: Context, facts: RequestFacts): boolean =>
  viewer.person !== null &&
  facts.attributes.requestAccessEnabled !== false &&
  facts.archived !== true &&
  !holds(member, viewer, facts);

/** The field of `userPermissions` that shows it. */
export const requestAccessField = {
  description: 'Whether you may ask for a role in it: you have none, and it takes requests.',
  direct: true,
  resolve: (facts: RequestFacts, _args: object, context: Context) => mayRequestAccess(context, facts),
};
