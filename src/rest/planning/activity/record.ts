import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { Note, noteFields, type NoteData } from '../notes/record.ts';

export interface ActivityData {
  readonly id: number;
  readonly action: string;
  readonly isOfProject: boolean;
  readonly projectId: number;
  readonly targetDatabaseId: number | null;
  readonly targetIid: number | null;
  readonly targetType: string | null;
  readonly targetTitle: string | null;
  readonly author: UserBasicData;
  readonly createdAt: string;
  /** Null unless it is a comment. */
  readonly note: NoteData | null;
}

export const activityFields = `id: databaseId action isOfProject projectId targetDatabaseId targetIid targetType targetTitle
  author { ${userBasicFields} } createdAt note { ${noteFields} }`;

/** The words for actions; GitLab has the same one for creating and for reopening. */
const words: { readonly [action: string]: string } = {
  APPROVED: 'approved',
  CLOSED: 'closed',
  COMMENTED: 'commented on',
  CREATED: 'opened',
  DESTROYED: 'destroyed',
  EXPIRED: 'removed due to membership expiration from',
  JOINED: 'joined',
  LEFT: 'left',
  MERGED: 'accepted',
  REOPENED: 'opened',
};

const integerOrNull = { type: ['integer', 'null'] };
const textOrNull = { type: ['string', 'null'] };

/** Something that a person did in a project. */
export const Activity: Record<ActivityData> = {
  name: 'Event',
  schema: objectSchema(
    {
      id: { type: 'integer' },
      project_id: { type: 'integer' },
      action_name: { type: 'string', enum: [...new Set([...Object.values(words), 'created'])] },
      target_id: integerOrNull,
      target_iid: integerOrNull,
      target_type: textOrNull,
      author_id: { type: 'integer' },
      target_title: textOrNull,
      created_at: { type: 'string', format: 'date-time' },
      note: Note.schema,
      author: UserBasic.schema,
      imported: { type: 'boolean' },
      imported_from: { type: 'string', const: 'none' },
      author_username: { type: 'string' },
    },
    // Only comments have it.
    ['note'],
  ),
  present: (event) => ({
    id: event.id,
    project_id: event.projectId,
    action_name: event.isOfProject ? 'created' : words[event.action],
    target_id: event.targetDatabaseId,
    target_iid: event.targetIid,
    target_type: event.targetType,
    author_id: event.author.id,
    target_title: event.targetTitle,
    created_at: event.createdAt,
    note: event.note ? Note.present(event.note) : undefined,
    author: UserBasic.present(event.author),
    imported: false,
    imported_from: 'none',
    author_username: event.author.username,
  }),
};
