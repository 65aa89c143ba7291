import { statement } from '../../../../database/index.ts';
import { peopleNamed, personSees } from '../../issues/statements/readers.ts';

/**
 * Makes people participants of a snippet of a project, who see the project. $1 snippet, $2 names in lower case, $3 the
 * person who names them.
 */
export const insertMentioned = statement<object>(
  'insert_mentioned_in_snippet',
  `insert into snippet_participants (snippet_id, user_id)
   select distinct i.id, u.id from snippets i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id,
     (${peopleNamed('$2', '$3::int', '(select project_id from snippets where id = $1::int)')}) named join users u on u.id = named.id
    where i.id = $1::int and ${personSees}
   on conflict do nothing`,
);
