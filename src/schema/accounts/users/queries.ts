import type { Context } from '../../../context.ts';
import { findUser } from './statements/list.ts';
import { BadRequest, Forbidden, Unauthenticated } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { User } from './types.ts';

builder.queryField('user', (t) =>
  t.field({
    type: User,
    nullable: true,
    description: 'A person by id or by username; null if there is none.',
    admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
    args: { id: t.arg.id(), username: t.arg.string() },
    resolve: async (_root, { id, username }, context) => {
      if ((id == null) === (username == null)) throw new BadRequest('Name a person by id or by username.');
      // Anonymous requests look people up by name only; by id they could enumerate all people.
      if (!isKnown(context)) throw id == null ? new Unauthenticated() : new Forbidden('Not authorized!');
      const [user] =
        id == null
          ? await context.database.rows(findUser.path, [username!.toLowerCase()])
          : await context.database.rows(findUser.id, [idOf(id, 'User')]);
      return user ?? null;
    },
  }),
);

/** Whether the viewer is a person or the operator. */
const isKnown = ({ viewer }: Context) => viewer.person !== null || isAdministrator(viewer);
