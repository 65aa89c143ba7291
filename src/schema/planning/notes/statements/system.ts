import { statement } from '../../../../database/index.ts';
import { columnOf, keyOf, type Item } from './item.ts';

/** SQL of the id of a new discussion: 20 random bytes. */
export const newDiscussion = 'uuid_send(gen_random_uuid()) || substring(uuid_send(gen_random_uuid()) from 1 for 4)';

/** Where a part of a statement finds the values of what it writes: SQL. */
interface Subject {
  readonly project: string;
  readonly author: string;
}

/**
 * SQL that writes a note of the system for each row of `from`, which has the columns `body`, `action` and `referrer_id`.
 */
export const systemNotesFrom = (from: string, { project, author, ...item }: Subject & Item) =>
  `insert into notes (${columnOf(item)}, project_id, discussion_id, author_id, body, system, action, referrer_id)
   select ${keyOf(item)}, ${project}, ${newDiscussion}, ${author}::int, body, true, action, referrer_id from ${from}`;

/**
 * SQL that writes a resource event for each row of `from`, which has the columns `kind`, `change`, `label_id` and
 * `milestone_id`.
 */
export const resourceEventsFrom = (from: string, { author, ...item }: Pick<Subject, 'author'> & Item) =>
  `insert into resource_events (${columnOf(item)}, user_id, kind, action, label_id, milestone_id)
   select ${keyOf(item)}, ${author}::int, kind::"ResourceEventKind", change::"ResourceEventAction", label_id, milestone_id from ${from}`;

const notes = (name: string, item: Item) =>
  statement<{ id: number }>(
    name,
    `${systemNotesFrom('unnest($4::text[], $5::text[], $6::int[]) written(body, action, referrer_id)', {
      ...item,
      project: '$2::int',
      author: '$3',
    })} returning id`,
  );

/**
 * Notes of the system. $1 issue or merge request, $2 project, $3 author, $4 texts, $5 actions, $6 issues that cross
 * references come from.
 */
export const insertSystemNotes = {
  issue: notes('insert_system_notes', { issue: '$1::int' }),
  mergeRequest: notes('insert_system_notes_of_merge_request', { mergeRequest: '$1::int' }),
};

const events = (name: string, item: Item) =>
  statement<object>(
    name,
    resourceEventsFrom(
      'unnest($3::text[], $4::text[], $5::int[], $6::int[]) written(kind, change, label_id, milestone_id)',
      { ...item, author: '$2' },
    ),
  );

/** Resource events. $1 issue or merge request, $2 person, $3 kinds, $4 changes, $5 labels, $6 milestones. */
export const insertResourceEvents = {
  issue: events('insert_resource_events', { issue: '$1::int' }),
  mergeRequest: events('insert_resource_events_of_merge_request', { mergeRequest: '$1::int' }),
};
