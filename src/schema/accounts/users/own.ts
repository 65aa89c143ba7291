import { viewerId } from '../../../database/index.ts';
import { readOwnUser } from './statements/users.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { attachAccount } from './account.ts';
import { CurrentUser } from './types.ts';

builder.queryField('currentUser', (t) =>
  t.field({
    type: CurrentUser,
    nullable: true,
    description: 'The person whose credential this request carries; null without one.',
    admission: { class: 'token', scopes: [...reads, 'read_user', 'profile', 'email'], anonymous: true },
    // Most clients send this query first.
    prefetch: () => ({ statement: readOwnUser, values: [viewerId] }),
    resolve: async (_root, _args, { viewer, database }) => {
      if (!viewer.person) return null;
      const [row] = await database.rows(readOwnUser, [viewer.person.id]);
      if (!row) return null;
      const {
        id,
        username,
        name,
        state,
        administrator,
        tier,
        avatar,
        public_email: publicEmail,
        created_at: createdAt,
      } = row;
      // Reads only the columns that fields show.
      const privateProfile = row.attributes.privateProfile === true;
      return attachAccount(
        { id, username, name, state, administrator, tier, publicEmail, privateProfile, avatar, createdAt },
        row,
      );
    },
  }),
);
