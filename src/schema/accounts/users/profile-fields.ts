import { builder } from '../../engine/builder.ts';
import { User } from './types.ts';

/**
 * Fields of people that clients ask for, and whose features don't exist here. Their values are those of a person who
 * set nothing.
 */

const AvailabilityType = builder.enumType('AvailabilityEnum', {
  values: { NOT_SET: {}, BUSY: {} } as const,
});

interface Status {
  readonly emoji: string | null;
  readonly message: string | null;
  readonly availability: 'NOT_SET' | 'BUSY';
}

const StatusType = builder.objectRef<Status>('UserStatus').implement({
  description: 'What a person says about what they do. Nobody can set one here.',
  fields: (t) => ({
    emoji: t.exposeString('emoji', { nullable: true }),
    message: t.exposeString('message', { nullable: true }),
    availability: t.expose('availability', { type: AvailabilityType }),
  }),
});

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

builder.interfaceFields(User, (t) => {
  return {
    jobTitle: t.string({
      nullable: true,
      description: 'Always empty: nobody filled it in.',
      direct: true,
      resolve: () => '',
    }),
    commitEmail: t.string({
      nullable: true,
      description: 'Always null: nobody chose one.',
      resolve: () => null,
    }),
    status: t.field({
      type: StatusType,
      nullable: true,
      description: 'Always null: nobody set one.',
      resolve: () => null,
    }),
    userPermissions: t.field({ type: PermissionsType, resolve: () => ({}) }),
  };
});
