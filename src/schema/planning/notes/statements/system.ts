import { statement } from '../../../../database/index.ts';

/** SQL of the id of a new discussion: 20 random bytes. */
export const newDiscussion = 'uuid_send(gen_random_uuid()) || substring(uuid_send(gen_random_uuid()) from 1 for 4)';

/** Where a part of a statement finds the values of what it writes: SQL. */
interface Subject {
  readonly issue: string;
  readonly project: string;
  readonly author: string;
}

/**
 * SQL that writes a note of the system for each row of `from`, which has the columns `body`, `action` and `referrer_id`.
 */
export const systemNotesFrom = (from: string, { issue, project, author }: Subject) =>
  `insert into notes (issue_id, project_id, discussion_id, author_id, body, system, action, referrer_id)
   select ${issue}, ${project}, ${newDiscussion}, ${author}::int, body, true, action, referrer_id from ${from}`;

/**
 * SQL that writes a resource event for each row of `from`, which has the columns `kind`, `change`, `label_id` and
 * `milestone_id`.
 */
export const resourceEventsFrom = (from: string, { issue, author }: Pick<Subject, 'issue' | 'author'>) =>
  `insert into resource_events (issue_id, user_id, kind, action, label_id, milestone_id)
   select ${issue}, ${author}::int, kind::"ResourceEventKind", change::"ResourceEventAction", label_id, milestone_id from ${from}`;

/** Notes of the system. $1 issue, $2 project, $3 author, $4 texts, $5 actions, $6 issues that cross references come from. */
export const insertSystemNotes = statement<object>(
  'insert_system_notes',
  systemNotesFrom('unnest($4::text[], $5::text[], $6::int[]) written(body, action, referrer_id)', {
    issue: '$1::int',
    project: '$2::int',
    author: '$3',
  }),
);

/** Resource events. $1 issue, $2 person, $3 kinds, $4 changes, $5 labels, $6 milestones. */
export const insertResourceEvents = statement<object>(
  'insert_resource_events',
  resourceEventsFrom(
    'unnest($3::text[], $4::text[], $5::int[], $6::int[]) written(kind, change, label_id, milestone_id)',
    {
      issue: '$1::int',
      author: '$2',
    },
  ),
);
