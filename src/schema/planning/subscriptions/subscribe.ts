import type { Sql } from '../../../database/index.ts';
import { readIssue, readMergeRequest, writes } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type InputsOf } from '../../engine/mutation.ts';
import {
  lookUpMergeRequest,
  prefetchNamed as prefetchMergeRequest,
  requireMergeRequestRight,
} from '../../reviews/merge-requests/look-up.ts';
import { mergeRequestChangePayload } from '../../reviews/merge-requests/changes/payload.ts';
import { epicIn } from '../epics/read.ts';
import { Epic, epicPayload } from '../epics/types.ts';
import { requirePerson } from '../issues/changes/input.ts';
import { lookUpIssue, prefetchNamed, requireIssueRight } from '../issues/look-up.ts';
import { issueChangePayload } from '../issues/changes/payload.ts';
import { idOf, kindOf, type ItemId } from '../notes/item.ts';
import { readSubscribedEpics, setSubscription } from './statements.ts';

/** What people subscribe to, besides labels. */
export type Subscribable = ItemId | { readonly epicId: number };

/** Subscribes a person to an item, or unsubscribes them. @returns whether that changed anything */
export async function setSubscribed(
  sql: Sql,
  item: Subscribable,
  person: number,
  subscribed: boolean,
): Promise<boolean> {
  const [kind, id] = 'epicId' in item ? (['epic', item.epicId] as const) : ([kindOf(item), idOf(item)] as const);
  const [row] = await sql.rows(setSubscription[kind], [id, person, subscribed]);
  return row!.changed;
}

const input = (t: InputsOf) => ({
  projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
  iid: t.string({ required: true }),
  subscribedState: t.boolean({ required: true }),
});

mutation('issueSetSubscription', {
  payload: issueChangePayload,
  description: 'Subscribes you to an issue, or unsubscribes you.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input,
  resolve: async (context, { projectPath: project, iid, subscribedState }) => {
    const seen = await lookUpIssue(context, { project, iid });
    requireIssueRight(context, seen, readIssue);
    const { id } = seen.issue;
    const person = requirePerson(context);
    return { id, changed: await setSubscribed(context.database, { issueId: id }, person, subscribedState) };
  },
});

mutation('mergeRequestSetSubscription', {
  payload: mergeRequestChangePayload,
  description: 'Subscribes you to a merge request, or unsubscribes you.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchMergeRequest,
  input,
  resolve: async (context, { projectPath: project, iid, subscribedState }) => {
    const seen = await lookUpMergeRequest(context, { project, iid });
    requireMergeRequestRight(context, seen, readMergeRequest);
    const { id } = seen.mergeRequest;
    const person = requirePerson(context);
    return { id, changed: await setSubscribed(context.database, { mergeRequestId: id }, person, subscribedState) };
  },
});

mutation('epicSetSubscription', {
  description: 'Subscribes you to an epic, or unsubscribes you.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    groupPath: t.id({ required: true, description: 'Full path, global id or number of the group.' }),
    iid: t.id({ required: true, description: 'Its number in the group.' }),
    subscribedState: t.boolean({ required: true }),
  }),
  payload: epicPayload,
  resolve: async (context, { groupPath, iid, subscribedState }) => {
    const epic = await epicIn(context, groupPath, iid);
    await setSubscribed(context.database, { epicId: epic.id }, requirePerson(context), subscribedState);
    return { epic };
  },
});

const isSubscribed = batched<boolean>(async ({ database, viewer }, ids) => {
  if (viewer.person === null) return new Map();
  const rows = await database.rows(readSubscribedEpics, [ids, viewer.person.id]);
  return new Map(rows.map(({ id, subscribed }) => [id, subscribed]));
});

builder.objectField(Epic, 'subscribed', (t) =>
  t.boolean({
    description: 'Whether you are notified of it: as you decided, otherwise if you are the author.',
    resolve: async ({ id }, _args, context) => (await isSubscribed(context, id)) ?? false,
  }),
);
