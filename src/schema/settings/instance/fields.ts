import { countEverything, readInstance, type CountsRow } from '../../../instance/statements.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';

const Counts = builder.objectRef<CountsRow>('InstanceCounts').implement({
  description: 'Counts for administrators.',
  fields: (t) => ({
    users: t.exposeInt('users'),
    blockedUsers: t.exposeInt('blocked_users'),
    administrators: t.exposeInt('administrators', { description: 'Administrators who aren’t blocked.' }),
    unconfirmedUsers: t.exposeInt('unconfirmed_users', {
      description: 'People whose primary address isn’t verified, so that they can’t sign in.',
    }),
    groups: t.exposeInt('groups'),
    projects: t.exposeInt('projects'),
    applications: t.exposeInt('applications'),
    personalAccessTokens: t.exposeInt('personal_access_tokens', {
      description: 'Personal access tokens that are valid.',
    }),
  }),
});

const Instance = builder.prismaObject('Instance', {
  description: 'The instance itself.',
  fields: (t) => ({
    setUpAt: t.expose('setUpAt', { type: 'Time', description: 'When its first administrator was created.' }),
    counts: t.field({
      type: Counts,
      resolve: async (_instance, _args, { database }) => (await database.rows(countEverything, []))[0]!,
    }),
  }),
});

builder.queryField('instance', (t) =>
  t.prismaField({
    type: Instance,
    nullable: true,
    description: 'The instance; null before its set-up.',
    admission: { class: 'session' },
    resolve: async (_query, _root, _args, context) => {
      requireAdministrator(context);
      // A statement, not Prisma: every start asks, and Prisma's query compiler is slow to load.
      const [row] = await context.database.rows(readInstance, []);
      return row ?? null;
    },
  }),
);

builder.mutationField('finishSetUp', (t) =>
  t.prismaField({
    type: Instance,
    nullable: true,
    description: 'Records that the instance was set up.',
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
