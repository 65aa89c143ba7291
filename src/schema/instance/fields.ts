import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';

const Instance = builder.prismaObject('Instance', {
  description: 'The instance itself.',
  fields: (t) => ({
    setUpAt: t.expose('setUpAt', { type: 'DateTime', description: 'When it had got its first administrator.' }),
  }),
});

builder.queryField('instance', (t) =>
  t.prismaField({
    type: Instance,
    nullable: true,
    description: 'What is known of the instance; null until it was set up.',
    admission: { class: 'session' },
    resolve: (query, _root, _args, context) => {
      requireAdministrator(context);
      return context.database.prisma.instance.findUnique({ ...query, where: { id: 1 } });
    },
  }),
);

builder.mutationField('finishSetUp', (t) =>
  t.prismaField({
    type: Instance,
    nullable: true,
    description: 'Notes that the instance was set up.',
    admission: { class: 'session' },
    resolve: (query, _root, _args, context) => {
      requireAdministrator(context);
      return context.database.prisma.instance.upsert({
        ...query,
        where: { id: 1 },
        create: { id: 1, setUpAt: new Date() },
        update: {},
      });
    },
  }),
);
