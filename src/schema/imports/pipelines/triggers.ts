import { longestDescription, mostTriggers } from '../../pipelines/triggers/limits.ts';
import { newTriggerToken } from '../../pipelines/triggers/token.ts';
import { importing, NotTaken } from '../origins/importing.ts';
import { changeTrigger, insertTrigger } from './statements.ts';

importing('triggers', {
  description: 'Imports triggers of pipelines, with new tokens: no one can read those of other people.',
  keeps: 'ci_triggers',
  record: (t) => ({
    projectKey: t.string({ required: true }),
    ownerKey: t.string({ required: true }),
    description: t.string({ required: true }),
    createdAt: t.field({ type: 'Time', required: true }),
  }),
  refersTo: ({ projectKey, ownerKey }) => [
    ['projects', projectKey],
    ['people', ownerKey],
  ],
  examine: ({ localOf, dryRun, remark }, { projectKey, ownerKey }, known) => {
    const projectId = localOf('projects', projectKey);
    const ownerId = localOf('people', ownerKey);
    if (projectId === undefined && !dryRun) throw new NotTaken('Its project wasn’t imported.');
    if (ownerId === undefined && !dryRun) throw new NotTaken('Its owner wasn’t imported.');
    if (known === undefined) remark('It has a new token here: give it to whatever uses the trigger.');
    return Promise.resolve({ projectId: projectId ?? 0, ownerId: ownerId ?? 0 });
  },
  store: async ({ sql, context, keptId }, { key, description, createdAt }, { projectId, ownerId }, known) => {
    const text = description.slice(0, longestDescription);
    if (known !== undefined) {
      if ((await sql.rows(changeTrigger, [known, text])).length === 0) throw new NotTaken('It was removed here.');
      return known;
    }
    const { digest, sealed, start } = newTriggerToken(context.keys);
    const values = [projectId, ownerId, text, digest, sealed, start, createdAt, mostTriggers, keptId(key)];
    const [made] = await sql.rows(insertTrigger, values);
    if (!made) throw new NotTaken(`Its project has ${mostTriggers} triggers.`);
    return made.id;
  },
});
