import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { textOrNull } from '../../engine/schemas.ts';
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
  /** Null unless it is a push. */
  readonly pushData: PushData | null;
}

interface PushData {
  readonly action: 'created' | 'removed' | 'pushed';
  readonly refType: string;
  readonly ref: string;
  readonly commitFrom: string | null;
  readonly commitTo: string | null;
  readonly commitCount: number;
  readonly commitTitle: string | null;
}

export const activityFields = `id: databaseId action isOfProject projectId targetDatabaseId targetIid targetType targetTitle
  author { ${userBasicFields} } createdAt note { ${noteFields} }
  pushData { action refType ref commitFrom commitTo commitCount commitTitle }`;

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

/** The words for pushes. */
const pushed = { created: 'pushed new', removed: 'deleted', pushed: 'pushed to' } as const;

const integerOrNull = { type: ['integer', 'null'] };

const presentPush = (push: PushData) => ({
  commit_count: push.commitCount,
  action: push.action,
  ref_type: push.refType,
  commit_from: push.commitFrom,
  commit_to: push.commitTo,
  ref: push.ref,
  commit_title: push.commitTitle,
  ref_count: null,
});

/** Something that a person did in a project. */
export const Activity: Record<ActivityData> = {
  name: 'Event',
  schema: objectSchema(
    {
      id: { type: 'integer' },
      project_id: { type: 'integer' },
      action_name: {
        type: 'string',
        enum: [...new Set([...Object.values(words), ...Object.values(pushed), 'created'])],
      },
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
      push_data: objectSchema({
        commit_count: { type: 'integer' },
        action: { type: 'string', enum: Object.keys(pushed) },
        ref_type: { type: 'string', enum: ['branch', 'tag'] },
        commit_from: textOrNull,
        commit_to: textOrNull,
        ref: { type: 'string' },
        commit_title: textOrNull,
        ref_count: { type: 'null' },
      }),
      author_username: { type: 'string' },
    },
    // Only comments have the one, and only pushes the other.
    ['note', 'push_data'],
  ),
  present: (event) => ({
    id: event.id,
    project_id: event.projectId,
    action_name: event.pushData ? pushed[event.pushData.action] : event.isOfProject ? 'created' : words[event.action],
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
    push_data: event.pushData ? presentPush(event.pushData) : undefined,
    author_username: event.author.username,
  }),
};
