import { statement } from '../../../../database/index.ts';
import { placeSendsMail } from '../../../../database/access/places.ts';

/** Which of some projects send no mail. $1 ids of projects. */
export const silentProjects = statement<{ id: number }>(
  'silent_projects',
  `select p.id from projects p join namespaces n on n.id = p.namespace_id
    where p.id = any($1::int[]) and not ${placeSendsMail}`,
);
