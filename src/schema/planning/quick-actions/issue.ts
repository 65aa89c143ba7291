import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { BadRequest, InvalidFields } from '../../../errors.ts';
import type { Facts } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { changeWithin, type Effect, type IssueChange } from '../issues/changes/change.ts';
import { issueById } from '../issues/read.ts';
import { planCommands, type Plan, type QuickActions } from './plan.ts';

/** Commands in texts about an issue that exists. */

interface OfIssue {
  readonly id: number;
  readonly projectId: number;
  readonly facts: Facts;
}

/** Reads the commands of a text about an issue. Undefined: it has none. */
export const planFor = (context: Context, { id, projectId, facts }: OfIssue, text: string): Promise<Plan | undefined> =>
  planCommands(
    context,
    {
      issueId: id,
      projectId,
      facts,
      before: () => issueById(context, id),
    },
    text,
  );

const isEmpty = (change: IssueChange) => Object.values(change).every((value) => value === undefined);

/** Does what the commands say, in the transaction of the text. @returns what to announce after the commit */
export async function carryOut(
  sql: Sql,
  actor: number,
  { id, projectId }: OfIssue,
  plan: Plan,
): Promise<Effect | undefined> {
  const effect = isEmpty(plan.change) ? undefined : await changeWithin(sql, actor, { id, projectId }, plan.change);
  await plan.finish(sql, id);
  return effect;
}

/** Whether storing a text does something: it is one of nothing but commands only if one of these does. */
export const hasEffect = (status: QuickActions | null): boolean => !status?.only || status.messages.length > 0;

/** Refuses a text of nothing but commands that do nothing. @throws BadRequest, InvalidFields with GitLab's texts */
export function requireEffect({ status }: { readonly status: QuickActions }): void {
  if (status.messages.length > 0) return;
  if (status.allowed) throw new BadRequest('Failed to apply commands.');
  throw new InvalidFields({ note: ["can't be blank"] });
}

export const QuickActionsStatus = builder.objectRef<QuickActions>('QuickActionsStatus').implement({
  description: 'What the commands of a text did.',
  fields: (t) => ({
    messages: t.stringList({ description: 'In words.', resolve: ({ messages }) => [...messages] }),
    commandNames: t.stringList({ resolve: ({ names }) => [...names] }),
    commandsOnly: t.boolean({
      description: 'Whether the text has nothing but commands: then there is no comment.',
      resolve: ({ only }) => only,
    }),
    errorMessages: t.stringList({
      nullable: true,
      description: 'Null if a command did something.',
      resolve: ({ messages }) => (messages.length > 0 ? null : ['Failed to apply commands.']),
    }),
    changes: t.field({
      type: 'JSON',
      description: 'What changed, by the names of version 4 of the REST API.',
      resolve: ({ changes }) => changes,
    }),
  }),
});
