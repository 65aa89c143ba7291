import { featureAvailable, holds, readsConfidential } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { Project } from '../../places/place/types.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { openIssues, type OpenIssues } from './statements/open.ts';

/** How many open issues a project has. Those of a page are counted in one statement. */

const openIn = batched<OpenIssues>(
  async ({ database }, ids) => new Map((await database.rows(openIssues, [ids])).map((row) => [row.id, row])),
);

builder.objectField(Project, 'openIssuesCount', (t) =>
  t.int({
    nullable: true,
    description: 'Null if you don’t see its issues. Confidential ones count for planners and above.',
    resolve: async (project, _args, context) => {
      const facts = await factsOf(context, project);
      if (!featureAvailable('issues', project, context.viewer, facts)) return null;
      const { all = 0, ordinary = 0 } = (await openIn(context, project.id)) ?? {};
      return holds(readsConfidential, context.viewer, facts) ? all : ordinary;
    },
  }),
);
