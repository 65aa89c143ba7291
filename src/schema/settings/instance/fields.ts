import {
  countDay,
  countEverything,
  countWork,
  readInstance,
  type CountsRow,
  type DayRow,
  type WorkRow,
} from '../../../instance/statements.ts';
import type { Finding } from '../../../values/findings.ts';
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
    withoutSecondFactor: t.exposeInt('without_second_factor', {
      description: 'Active people without two-factor authentication.',
    }),
    groups: t.exposeInt('groups'),
    projects: t.exposeInt('projects'),
    applications: t.exposeInt('applications'),
    personalAccessTokens: t.exposeInt('personal_access_tokens', {
      description: 'Personal access tokens that are valid.',
    }),
  }),
});

const Day = builder.objectRef<DayRow>('InstanceDay').implement({
  description: 'What happened in the last 24 hours.',
  fields: (t) => ({
    signIns: t.exposeInt('sign_ins'),
    refusedSignIns: t.exposeInt('refused_sign_ins', { description: 'Wrong passwords and wrong second factors.' }),
  }),
});

const Work = builder.objectRef<WorkRow>('InstanceWork').implement({
  description: 'The work in the background.',
  fields: (t) => ({
    waiting: t.exposeInt('waiting', { description: 'Jobs whose time has come.' }),
    dead: t.exposeInt('dead', { description: 'Jobs that failed for good.' }),
  }),
});

const FindingType = builder.objectRef<Finding>('HealthFinding').implement({
  description: 'What a check of `causeway doctor` found, in the process that answers.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What was checked.' }),
    status: t.exposeString('status', { description: '`ok`, `warning` or `problem`.' }),
    says: t.exposeString('says'),
    remedy: t.exposeString('remedy', { nullable: true, description: 'What to do about it; null for `ok`.' }),
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
    day: t.field({
      type: Day,
      resolve: async (_instance, _args, { database }) => (await database.rows(countDay, []))[0]!,
    }),
    work: t.field({
      type: Work,
      resolve: async (_instance, _args, { database }) => (await database.rows(countWork, []))[0]!,
    }),
    findings: t.field({
      type: [FindingType],
      description: 'What the checks of `causeway doctor` find that suit a gateway that runs.',
      resolve: async (_instance, _args, { examine }) => [...(await examine())],
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
