import { builder } from '../../engine/builder.ts';
import { User } from './types.ts';

/** What the viewer may do for a person. */

const PermissionsType = builder.objectRef<object>('UserPermissions').implement({
  description: 'What the viewer may do for a person.',
  fields: (t) => ({
    createSnippet: t.boolean({
      description: 'Always false: there are no snippets.',
      direct: true,
      resolve: () => false,
    }),
  }),
});

builder.interfaceField(User, 'userPermissions', (t) => t.field({ type: PermissionsType, resolve: () => ({}) }));
