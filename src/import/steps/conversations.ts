import { NotGiven, type Given } from '../client.ts';
import { flagIn, idIn, idOf, innerList, innerOf, textIn, timeIn } from '../fields.ts';
import type { Importer } from '../importer.ts';

/** What was said about issues and merge requests, with emoji and changes. */

const epoch = new Date(0).toISOString();

/** What was said about something, its emoji and its changes: each undefined if it isn't given. @param what for the report */
export async function conversationOf(importer: Importer, at: string, what: string) {
  const read = (part: string, path: string) =>
    importer.orMissing(`${part} of ${what}`, undefined, () => importer.options.client.all(`${at}/${path}`));
  const [discussions, emoji] = await Promise.all([read('comments', 'discussions'), read('emoji', 'award_emoji')]);
  return {
    notes: discussions?.flatMap(notesIn),
    awards: emoji?.flatMap(awardIn),
    changes: await changesOf(importer, at, what),
  };
}

/** Each is undefined if one of the lists may be given the next time. */
async function changesOf(importer: Importer, at: string, what: string) {
  const changes: (readonly Change[] | undefined)[] = [];
  for (const kind of kindsOfChanges) changes.push(await changesOfKind(importer, { at, what, kind }));
  return changes.every((some) => some !== undefined) ? changes.flat() : undefined;
}

const kindsOfChanges = ['label', 'milestone', 'state'] as const;

interface Asked {
  readonly at: string;
  readonly what: string;
  readonly kind: (typeof kindsOfChanges)[number];
}

async function changesOfKind({ options: { client, report } }: Importer, { at, what, kind }: Asked) {
  try {
    const records = await client.all(`${at}/resource_${kind}_events`);
    return records.flatMap((record) => changeIn(kind.toUpperCase(), record));
  } catch (error) {
    if (!(error instanceof NotGiven)) throw error;
    report.missing(`changes of the ${kind} of ${what}`, error.status);
    // Older instances don't have the list.
    return error.status === 404 ? [] : undefined;
  }
}

const actions = new Set(['ADD', 'REMOVE', 'CLOSED', 'REOPENED', 'MERGED']);

type Change = ReturnType<typeof changeIn>[number];

function changeIn(kind: string, record: Given) {
  const id = idIn(record);
  const action = (textIn(record, 'action') ?? textIn(record, 'state') ?? '').toUpperCase();
  if (id === undefined || !actions.has(action)) return [];
  return [
    {
      id,
      kind,
      action,
      labelKey: idOf(record, 'label'),
      milestoneKey: idOf(record, 'milestone'),
      authorKey: idOf(record, 'user'),
      createdAt: timeIn(record, 'created_at') ?? epoch,
    },
  ];
}

type Said = Awaited<ReturnType<typeof conversationOf>>;

/** A conversation that is incomplete gets no stamp: the next import reads it again. */
export const stamped = (stamp: string, said: Said) => ({
  stamp: said.notes && said.awards && said.changes ? stamp : '',
  ...said,
});

function awardIn(record: Given) {
  const personKey = idOf(record, 'user');
  const name = textIn(record, 'name');
  if (personKey === undefined || name === undefined) return [];
  return [{ key: idIn(record), personKey, name, createdAt: timeIn(record, 'created_at') ?? epoch }];
}

/** The notes of a discussion. */
function notesIn(discussion: Given) {
  const thread = textIn(discussion, 'id') ?? '';
  const records = innerList(discussion, 'notes');
  // Several are a thread, whatever the other instance says.
  const isDiscussion = discussion.individual_note === false || records.length > 1;
  return records.flatMap((record) => {
    const key = idIn(record);
    const body = textIn(record, 'body');
    if (key === undefined || body === undefined) return [];
    const createdAt = timeIn(record, 'created_at') ?? epoch;
    return [
      {
        key,
        thread: thread === '' ? key : thread,
        isDiscussion,
        authorKey: idOf(record, 'author'),
        body,
        position: textIn(record, 'type') === 'DiffNote' ? innerOf(record, 'position') : undefined,
        system: flagIn(record, 'system'),
        internal: flagIn(record, 'internal') || flagIn(record, 'confidential'),
        resolvedAt: flagIn(record, 'resolved') ? (timeIn(record, 'resolved_at') ?? createdAt) : undefined,
        resolvedByKey: flagIn(record, 'resolved') ? idOf(record, 'resolved_by') : undefined,
        createdAt,
        updatedAt: timeIn(record, 'updated_at') ?? createdAt,
      },
    ];
  });
}
