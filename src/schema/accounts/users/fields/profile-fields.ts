import { createPersonalSnippet, holds } from '../../../../policy/index.ts';
import { builder } from '../../../engine/builder.ts';
import { User } from '../types.ts';

/** What the viewer may do for a person. */

const PermissionsType = builder.objectRef<object>('UserPermissions').implement({
  description: 'What the viewer may do for a person.',
  fields: (t) => ({
    createSnippet: t.boolean({
      description: 'Whether you create snippets of your own.',
      resolve: (_none, _args, { viewer }) =>
        holds(createPersonalSnippet, viewer, { visibility: 'PUBLIC', accessLevel: 0 }),
    }),
  }),
});

builder.interfaceField(User, 'userPermissions', (t) => t.field({ type: PermissionsType, resolve: () => ({}) }));
