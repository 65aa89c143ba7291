import type { Context } from '../../../context.ts';
import { findUser } from './statements/list.ts';
import { BadRequest, Forbidden, Unauthenticated } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { numberOf } from '../../places/place/look-up.ts';
import { User } from './types.ts';

builder.queryField('user', (t) =>
  t.field({
    type: User,
    nullable: true,
    description: 'A person by id or by name; null where there is none.',
    admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
    args: { id: t.arg.id(), username: t.arg.string() },
    resolve: async (_root, { id, username }, context) => {
      if ((id == null) === (username == null)) throw new BadRequest('Name a person by id or by username.');
      // Whoever counts through the ids would otherwise learn everyone's name.
      if (!isKnown(context)) throw id == null ? new Unauthenticated() : new Forbidden('Not authorized!');
      const [user] =
        id == null
          ? await context.database.rows(findUser.path, [username!.toLowerCase()])
          : await context.database.rows(findUser.id, [numberOf(id)]);
      return user ?? null;
    },
  }),
);

/** Whether somebody in particular asks: a person, or the operator. */
const isKnown = ({ viewer }: Context) => viewer.person !== null || isAdministrator(viewer);
