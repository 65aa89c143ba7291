import { apiUrlProblems } from '../../settings/error-tracking-settings/fields.ts';
import { importing, NotTaken } from '../origins/importing.ts';
import { projectOf } from '../origins/place.ts';
import { storeErrorTracking } from './statements.ts';

importing('errorTracking', {
  description: 'Imports the error tracking settings of projects, whose ids are the keys.',
  record: (t) => ({
    active: t.boolean({ required: true }),
    apiUrl: t.string({ required: true }),
    projectName: t.string(),
  }),
  refersTo: ({ key }) => [['projects', key]],
  examine: async (batch, { key, apiUrl }) => {
    const problems = apiUrlProblems(apiUrl, false);
    if (problems.length > 0) throw new NotTaken(`Its address ${problems.join(', ')}.`);
    return projectOf(batch, key);
  },
  store: async ({ sql }, { active, apiUrl, projectName }, projectId) => {
    await sql.rows(storeErrorTracking, [projectId, active, apiUrl, projectName ?? null]);
    return null;
  },
});
