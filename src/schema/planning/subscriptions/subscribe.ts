import type { Sql } from '../../../database/index.ts';
import { readIssue, writes } from '../../../policy/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { requirePerson } from '../issues/input.ts';
import { lookUpIssue, prefetchNamed, requireIssueRight } from '../issues/look-up.ts';
import { issueChangePayload } from '../issues/payload.ts';
import { setSubscription } from './statements.ts';

/** Subscribes a person to an issue, or unsubscribes them. @returns whether that changed anything */
export async function setSubscribed(sql: Sql, issue: number, person: number, subscribed: boolean): Promise<boolean> {
  const [row] = await sql.rows(setSubscription, [issue, person, subscribed]);
  return row!.changed;
}

mutation('issueSetSubscription', {
  payload: issueChangePayload,
  description: 'Subscribes you to an issue, or unsubscribes you.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
    iid: t.string({ required: true }),
    subscribedState: t.boolean({ required: true }),
  }),
  resolve: async (context, { projectPath: project, iid, subscribedState }) => {
    const seen = await lookUpIssue(context, { project, iid });
    requireIssueRight(context, seen, readIssue);
    const { id } = seen.issue;
    return { id, changed: await setSubscribed(context.database, id, requirePerson(context), subscribedState) };
  },
});
