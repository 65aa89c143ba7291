import type { Context } from '../../../context.ts';
import { findUser } from './statements/list.ts';
import { BadRequest } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { UserCore } from './types.ts';

builder.queryField('user', (t) =>
  t.field({
    type: UserCore,
    nullable: true,
    description:
      'A person by id or by username; null if there is none, and for a request without a person: it could enumerate all people.',
    admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
    args: { id: t.arg({ type: 'UserID' }), username: t.arg.string() },
    resolve: async (_root, { id, username }, context) => {
      if ((id == null) === (username == null)) throw new BadRequest('Name a person by id or by username.');
      if (!isKnown(context)) return null;
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
