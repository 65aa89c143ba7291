import { readIssue, writes } from '../../../policy/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { requirePerson } from '../issues/input.ts';
import { lookUpIssue, prefetchNamed, requireIssueRight } from '../issues/look-up.ts';
import { issueChangePayload } from '../issues/payload.ts';
import { setSubscription } from './statements.ts';

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
    const [row] = await context.database.rows(setSubscription, [id, requirePerson(context), subscribedState]);
    return { id, changed: row!.changed };
  },
});
