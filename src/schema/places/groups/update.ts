import { isUniqueViolation, type Sql } from '../../../database/index.ts';
import { changeGroup, findGroupForChange, holdGroups, holdTree, isTaken, moveGroup } from './statements/groups.ts';
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

/**
 * Gives a group another path, and all below it a full path to match.
 * @throws InvalidFields
 */
async function move(sql: Sql, id: number, path: string): Promise<void> {
  await sql.rows(holdTree, [id]);
  await sql.rows(holdGroups, [id]);
  const [now] = await sql.rows(findGroupForChange, [id]);
  // Somebody removed it in the meantime.
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
    // Another one was quicker.
    if (isUniqueViolation(error)) throw taken();
    throw error;
  }
}

builder.mutationField('updateGroup', (t) =>
  t.field({
    type: groupPayload('UpdateGroupPayload'),
    nullable: true,
    description:
      'Changes a group. For its owners. Another path changes the full path of everything below it. What is left out stays as it is.',
    admission: { class: 'token', scopes: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('UpdateGroupInput', {
          fields: (field) => ({
            group: field.id({ required: true, description: 'Number or full path.' }),
            path: field.string(),
            name: field.string(),
            description: field.string({ description: 'Null: none.' }),
            visibility: field.field({
              type: VisibilityType,
              description: 'Not wider than that of the group above, nor narrower than what lies in it.',
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
        if (input.visibility) await sql.rows(holdTree, [row.id]);
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
