import { isUniqueViolation, type Sql } from '../../../database/index.ts';
import { changeGroup, findGroupForChange, lockGroups, lockTree, isTaken, moveGroup } from './statements/groups.ts';
import { findGroup } from '../../../database/access/places.ts';
import { Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { holds, manageGroup, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { VisibilityType } from '../place/types.ts';
import { fullPathProblems, textsOf } from './names.ts';
import { keepVisibility } from './visibility.ts';
import { groupPayload } from './payload.ts';

const taken = () => new InvalidFields({ path: ['has already been taken'] });

/** Changes the path of a group, and the full paths of everything below it. @throws InvalidFields */
async function move(sql: Sql, id: number, path: string): Promise<void> {
  await sql.rows(lockTree, [id]);
  await sql.rows(lockGroups, [id]);
  const [now] = await sql.rows(findGroupForChange, [id]);
  // A concurrent request removed it.
  if (!now) throw new NotFound('Group');
  const { full_path: from, parent_path: parent, longest } = now;
  const to = parent === null ? path : `${parent}/${path}`;
  if (to === from) return;
  const problems = textsOf({ path }, parent === null);
  problems.add('path', fullPathProblems(longest - from.length + to.length));
  problems.refuse();
  const [found] = await sql.rows(isTaken, [id, to.toLowerCase()]);
  if (found!.taken) throw taken();
  try {
    await sql.rows(moveGroup, [id, path, to, from]);
  } catch (error) {
    // A concurrent request did it first.
    if (isUniqueViolation(error)) throw taken();
    throw error;
  }
}

builder.mutationField('updateGroup', (t) =>
  t.field({
    type: groupPayload('UpdateGroupPayload'),
    nullable: true,
    description:
      'Changes a group. For its owners. A new path changes the full path of everything below it. Omitted fields stay as they are.',
    admission: { class: 'token', scopes: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('UpdateGroupInput', {
          fields: (field) => ({
            group: field.id({ required: true, description: 'Id or full path.' }),
            path: field.string(),
            name: field.string(),
            description: field.string({ description: 'Null: no description.' }),
            visibility: field.field({
              type: VisibilityType,
              description: 'Not wider than that of the parent group, nor narrower than that of its contents.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { viewer, origin, database } = context;
      const row = await lookUp(context, findGroup, 'Group', input.group);
      if (!holds(manageGroup, viewer, facts(row))) throw new Forbidden();
      const name = input.name === null ? '' : input.name;
      const description = input.description === null ? '' : input.description;
      textsOf({ name, description }, false).refuse();
      await database.transaction(async (sql) => {
        if (input.path !== undefined) await move(sql, row.id, input.path ?? '');
        if (input.visibility) await sql.rows(lockTree, [row.id]);
        const [changed] = await sql.rows(changeGroup, [
          row.id,
          name ?? null,
          description ?? null,
          input.visibility ?? null,
        ]);
        if (!changed) throw new NotFound('Group');
        if (input.visibility && input.visibility !== row.visibility)
          await keepVisibility(sql, row.id, input.visibility);
        await audit(
          { sql, origin },
          { kind: 'group_updated', actorId: viewer.person?.id ?? null, detail: changed.full_path },
        );
      });
      return { id: row.id };
    },
  }),
);
