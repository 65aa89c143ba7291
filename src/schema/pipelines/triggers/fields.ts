import { NotFound } from '../../../errors.ts';
import { adminVariables, holds, reads } from '../../../policy/index.ts';
import { parent } from '../../../database/list.ts';
import { builder } from '../../engine/builder.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { Project } from '../../places/place/types.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { prefetchVariablePlace, variablePlace } from '../variables/place.ts';
import { findTrigger, triggerList, triggerOrders } from './statements.ts';
import { PipelineTrigger, triggerId } from './types.ts';

/** The triggers of projects, for maintainers. */

const list = { type: PipelineTrigger, orders: triggerOrders, by: 'id_asc' } as const;

const projectArg = { required: true, description: 'Full path, global id or number.' } as const;

rootList('pipelineTriggers', {
  ...list,
  description: 'The triggers of a project, for its maintainers.',
  admission: { class: 'token', scopes: reads },
  prefetch: prefetchVariablePlace.project,
  args: (t) => ({ project: t.id(projectArg) }),
  rows: async (context, { project }) => triggerList((await variablePlace(context, 'project', project, 'read')).id),
});

const ofProjects = listOfEach(() => triggerList(parent));

nestedList(Project, 'pipelineTriggers', {
  ...list,
  nullable: true,
  // Not only of the field that leads here: a person's projects are reached with less.
  admission: { class: 'token', scopes: reads, anonymous: true },
  description: 'Its triggers; null if you don’t administer them.',
  rows: async (context, _asked, _info, project) =>
    holds(adminVariables, context.viewer, await factsOf(context, project))
      ? ofProjects(context, project.id, null)
      : null,
});

builder.queryField('pipelineTrigger', (t) =>
  t.field({
    type: PipelineTrigger,
    nullable: true,
    description: 'A trigger of a project, for its maintainers.',
    admission: { class: 'token', scopes: reads },
    prefetch: prefetchVariablePlace.project,
    args: { project: t.arg.id(projectArg), id: t.arg({ type: 'CiTriggerID', required: true }) },
    resolve: async (_root, { project, id }, context) => {
      const place = await variablePlace(context, 'project', project, 'read');
      const [trigger] = await context.database.rows(findTrigger, [place.id, triggerId(id)]);
      if (!trigger) throw new NotFound('Trigger');
      return trigger;
    },
  }),
);
