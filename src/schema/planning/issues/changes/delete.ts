import { PreconditionFailed } from '../../../../errors.ts';
import { destroyIssue, writes } from '../../../../policy/index.ts';
import { globalId } from '../../../engine/global-id.ts';
import { mutation, type FieldsOf } from '../../../engine/mutation.ts';
import { requirePerson } from './input.ts';
import { lookUpIssue, prefetchNamed, requireIssueRight } from '../look-up.ts';
import { deleteIssue } from '../statements/write.ts';

mutation('deleteIssue', {
  payload: (t: FieldsOf<{ id: number }>) => ({
    issueId: t.id({ description: 'The global id of the deleted issue.', resolve: ({ id }) => globalId('Issue', id) }),
  }),
  description: 'Deletes an issue with its comments. For owners of the project, and planners.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
    iid: t.string({ required: true }),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses if the issue was changed after this moment. Fractions of a second are ignored.',
    }),
  }),
  resolve: async (context, { projectPath: project, iid, unmodifiedSince }) => {
    const name = { project, iid };
    const seen = await lookUpIssue(context, name);
    requireIssueRight(context, seen, destroyIssue);
    const { id } = seen.issue;
    const [deleted] = await context.database.rows(deleteIssue, [id, unmodifiedSince ?? null, requirePerson(context)]);
    if (!deleted) {
      // Either a concurrent request deleted it, or it was changed after the given moment.
      await lookUpIssue(context, name);
      throw new PreconditionFailed();
    }
    return { id };
  },
});
