import { projectAccessLevel } from '../../database/statements/places.ts';
import { visibleProjects } from '../../database/statements/projects.ts';
import { isAdministrator, seePlace, toSql } from '../../policy/index.ts';
import { batched } from '../batched.ts';

/** Whether the viewer sees a project that a record refers to. */
export const isVisibleProject = batched<true>(async ({ database, viewer }, ids) => {
  const variant = isAdministrator(viewer) ? 'administrator' : viewer.person ? 'person' : 'anonymous';
  const condition = toSql(seePlace, viewer, { visibility: 'p.visibility', accessLevel: projectAccessLevel('$2::int') });
  const rows = await database.rows(visibleProjects(variant, condition), [ids, viewer.person?.id ?? null]);
  return new Map(rows.map(({ id }) => [id, true]));
});
