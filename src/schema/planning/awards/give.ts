import type { Context } from '../../../context.ts';
import { BadRequest, InvalidFields, NotFound, NotYours, PreconditionFailed } from '../../../errors.ts';
import { emojiNamed } from '../../../values/text/emoji.ts';
import { isAdministrator, writes } from '../../../policy/index.ts';
import { idOf } from '../../engine/global-id.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { publishIssue, publishMergeRequest, publishTodos } from '../live/publish.ts';
import { requirePerson } from '../issues/changes/input.ts';
import {
  lookUpAwardable,
  lookUpAwardableById,
  prefetchAwardable,
  requireAwarding,
  type Awardable,
  type AwardableName,
} from './look-up.ts';
import { deleteAward, findAward, findOwnAward, insertAward, type AwardedItem, type AwardRecord } from './statements.ts';
import { AwardEmoji } from './types.ts';

/** Giving awards, and taking them back. */

const payload = (t: FieldsOf<{ award: AwardRecord }>) => ({
  awardEmoji: t.field({ type: AwardEmoji, resolve: ({ award }) => award }),
});

/** The name under which an emoji is stored. @throws InvalidFields for one that isn't known */
async function storedName(given: string): Promise<string> {
  const found = await emojiNamed(given);
  if (!found) throw new InvalidFields({ name: ['is not a valid emoji name'] });
  return found.name;
}

/** Publishes to those who watch an issue or a merge request that its awards changed. */
function publish(context: Context, item: AwardedItem | null): void {
  if (item?.column === 'issue_id') publishIssue(context, item.id);
  if (item?.column === 'merge_request_id') publishMergeRequest(context, item.id);
}

/** Gives an award. Undefined: this person has given it already. @throws NotFound if what it is for was removed */
async function give(context: Context, { column, id, item }: Awardable, name: string): Promise<AwardRecord | undefined> {
  const person = requirePerson(context);
  const [made] = await context.database.rows(insertAward[column][item?.column ?? 'none'], [
    id,
    person,
    name,
    item?.id ?? null,
  ]);
  if (made) {
    publish(context, item);
    if (item) publishTodos(context, [person], item.column === 'issue_id' ? item.id : null);
    return made;
  }
  const [known] = await context.database.rows(findOwnAward[column], [id, person, name]);
  if (!known) throw new NotFound('Award Emoji');
  return undefined;
}

/** Takes back what the viewer gave. Undefined: they haven't given it. */
async function takeBack(
  context: Context,
  { column, id, item }: Awardable,
  name: string,
): Promise<AwardRecord | undefined> {
  const [own] = await context.database.rows(findOwnAward[column], [id, requirePerson(context), name]);
  if (!own) return undefined;
  const [gone] = await context.database.rows(deleteAward, [own.id, null]);
  if (gone) publish(context, item);
  return gone;
}

/** By its global id, or by its project. @throws BadRequest if it is named in neither way */
async function awardableOf(
  context: Context,
  {
    awardableId,
    projectPath: project,
    ...rest
  }: Partial<AwardableName> & {
    readonly awardableId?: string | null;
    readonly projectPath?: string | null;
  },
): Promise<Awardable> {
  if (awardableId != null) return await lookUpAwardableById(context, awardableId);
  if (project == null) throw new BadRequest('`awardableId` is missing.');
  return await lookUpAwardable(context, { ...rest, project });
}

mutation('awardEmojiAdd', {
  payload,
  description: 'Gives an emoji to an issue, a merge request, a note or a snippet.',
  admission: { class: 'token', scopes: writes },
  prefetch: ({ input }) => {
    const { projectPath: project, ...named } = (input ?? {}) as Record<string, unknown>;
    return prefetchAwardable({ project, ...named });
  },
  input: (t) => ({
    awardableId: t.field({ type: 'AwardableID' }),
    name: t.string({ required: true, description: 'Without colons: `thumbsup`.' }),
    projectPath: t.id({ description: 'Instead of `awardableId`: the project, and one of the next three.' }),
    iid: t.string({ description: 'The issue.' }),
    mergeRequest: t.string({ description: 'The number of a merge request.' }),
    snippet: t.id(),
    note: t.id({ description: 'The id of a note of it, if that is meant.' }),
  }),
  resolve: async (context, { name, ...named }) => {
    const awardable = await awardableOf(context, named);
    requireAwarding(awardable);
    const award = await give(context, awardable, await storedName(name));
    if (!award) throw new InvalidFields({ name: ['has already been taken'] });
    return { award };
  },
});

mutation('awardEmojiRemove', {
  payload,
  description: 'Takes back an emoji that you gave.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    awardableId: t.field({ type: 'AwardableID', required: true }),
    name: t.string({ required: true, description: 'Without colons: `thumbsup`.' }),
  }),
  resolve: async (context, { awardableId, name }) => {
    const awardable = await lookUpAwardableById(context, awardableId);
    requireAwarding(awardable);
    const award = await takeBack(context, awardable, await storedName(name));
    if (!award) throw new BadRequest(`You have not awarded emoji of type ${name} on the awardable`);
    return { award };
  },
});

mutation('awardEmojiToggle', {
  payload: (t: FieldsOf<{ award: AwardRecord; toggledOn: boolean }>) => ({
    ...payload(t as unknown as FieldsOf<{ award: AwardRecord }>),
    toggledOn: t.exposeBoolean('toggledOn', { description: 'Whether it is given now.' }),
  }),
  description: 'Gives an emoji, or takes it back if you gave it.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    awardableId: t.field({ type: 'AwardableID', required: true }),
    name: t.string({ required: true, description: 'Without colons: `thumbsup`.' }),
  }),
  resolve: async (context, { awardableId, name }) => {
    const awardable = await lookUpAwardableById(context, awardableId);
    requireAwarding(awardable);
    const stored = await storedName(name);
    const gone = await takeBack(context, awardable, stored);
    const award = gone ?? (await give(context, awardable, stored));
    // Given by another request in between.
    if (!award) throw new InvalidFields({ name: ['has already been taken'] });
    return { award, toggledOn: !gone };
  },
});

mutation('awardEmojiDelete', {
  payload,
  description: 'Takes back an award by its id. Administrators remove awards of others.',
  admission: { class: 'token', scopes: writes },
  prefetch: ({ input }) => {
    const { projectPath: project, ...named } = (input ?? {}) as Record<string, unknown>;
    return prefetchAwardable({ project, ...named });
  },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
    iid: t.string({ description: 'The issue.' }),
    mergeRequest: t.string({ description: 'Instead of an issue: the number of a merge request.' }),
    snippet: t.id({ description: 'Instead of an issue: the id of a snippet.' }),
    note: t.id({ description: 'The id of a note of it, if that is meant.' }),
    id: t.id({ required: true, description: 'The award.' }),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses if the award is newer than this moment. Fractions of a second are ignored.',
    }),
  }),
  resolve: async (context, { projectPath: project, id: given, unmodifiedSince, ...named }) => {
    const awardable = await lookUpAwardable(context, { project, ...named });
    const person = requirePerson(context);
    const [award] = await context.database.rows(findAward[awardable.column], [idOf(given, 'AwardEmoji'), awardable.id]);
    if (!award) throw new NotFound('AwardEmoji');
    if (award.userId !== person && !isAdministrator(context.viewer)) throw new NotYours();
    requireAwarding({ ...awardable, mayAward: true });
    const [gone] = await context.database.rows(deleteAward, [award.id, unmodifiedSince ?? null]);
    if (gone) {
      publish(context, awardable.item);
      return { award: gone };
    }
    const [still] = await context.database.rows(findAward[awardable.column], [award.id, awardable.id]);
    throw still ? new PreconditionFailed() : new NotFound('AwardEmoji');
  },
});
