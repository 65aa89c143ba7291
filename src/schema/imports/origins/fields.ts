import { InvalidFields, NotFound } from '../../../errors.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import {
  findParts,
  findPersonNamed,
  findSame,
  forgetParts,
  insertOrigin,
  storeImported,
  storePart,
} from './statements.ts';

/** An import from another instance: where it comes from, and how far it is. */

mutation('importBegin', {
  description: 'Begins an import from another instance, or goes on with one.',
  admission: { class: 'operator' },
  input: (t) => ({ url: t.string({ required: true, description: 'The address of the instance.' }) }),
  payload: (t: FieldsOf<{ originId: number; finished: readonly string[] }>) => ({
    originId: t.exposeInt('originId'),
    finished: t.exposeStringList('finished', { description: 'The parts that an interrupted import has finished.' }),
  }),
  resolve: async ({ database }, { url }) => {
    const address = originAddress(url);
    const [{ id }] = (await database.rows(insertOrigin, [address])) as [{ id: number }];
    const parts = await database.rows(findParts, [id]);
    return { originId: id, finished: parts.map(({ part }) => part) };
  },
});

/** One instance is one origin, however its address is written. @throws InvalidFields */
function originAddress(url: string): string {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw new InvalidFields({ url: ['is not a valid URL'] });
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

mutation('importFinishPart', {
  description: 'Notes that a part of an import is finished: if it is interrupted, it goes on after it.',
  admission: { class: 'operator' },
  input: (t) => ({ originId: t.int({ required: true }), part: t.string({ required: true }) }),
  payload: (t: FieldsOf<{ part: string }>) => ({ part: t.exposeString('part') }),
  resolve: async ({ database }, { originId, part }) => {
    await database.rows(storePart, [originId, part]);
    return { part };
  },
});

mutation('importFinish', {
  description: 'Notes that an import is finished: the next one looks at everything again.',
  admission: { class: 'operator' },
  input: (t) => ({ originId: t.int({ required: true }) }),
  payload: (t: FieldsOf<{ originId: number }>) => ({ originId: t.exposeInt('originId') }),
  resolve: async ({ database }, { originId }) => {
    await database.rows(forgetParts, [originId]);
    return { originId };
  },
});

mutation('importSamePerson', {
  description:
    'Says that a person there is a person here: they get what the other one has there, and stay as they are.',
  admission: { class: 'operator' },
  input: (t) => ({
    originId: t.int({ required: true }),
    key: t.string({ required: true, description: 'The id of the person there.' }),
    username: t.string({ required: true, description: 'The name of the person here.' }),
  }),
  payload: (t: FieldsOf<{ userId: number }>) => ({ userId: t.exposeInt('userId') }),
  resolve: async ({ database }, { originId, key, username }) => {
    const [person] = await database.rows(findPersonNamed, [username.toLowerCase()]);
    if (!person) throw new NotFound('User');
    await database.rows(storeImported, [originId, 'people', [key], [person.id], [null], [null]]);
    return { userId: person.id };
  },
});

builder.queryField('importUnchanged', (t) =>
  t.stringList({
    description:
      'Which records were imported with the stamps that they have now: nothing of them needs to be read again.',
    admission: { class: 'operator' },
    args: {
      originId: t.arg.int({ required: true }),
      kind: t.arg.string({ required: true }),
      keys: t.arg.stringList({ required: true }),
      stamps: t.arg.stringList({ required: true, description: 'Of the same length.' }),
    },
    resolve: async (_root, { originId, kind, keys, stamps }, { database }) => {
      const rows = await database.rows(findSame, [originId, kind, keys, stamps]);
      return rows.map(({ key }) => key);
    },
  }),
);
