import { builder } from '../../engine/builder.ts';
import { CiJob } from '../jobs/types.ts';
import { mayAdminister } from './place.ts';
import { managerById, runnerById } from './read.ts';
import { CiRunner, CiRunnerManager } from './types.ts';

/** The runners of jobs. */

/** What only those who administer a runner see of it. */
const hidden = {
  creatorId: null,
  maintenanceNote: null,
  systemId: null,
  version: null,
  revision: null,
  platform: null,
  architecture: null,
  executor: null,
  ipAddress: null,
} as const;

builder.objectField(CiJob, 'runner', (t) =>
  t.field({
    type: CiRunner,
    nullable: true,
    description:
      'Who carries it out, or did. What it runs on is left out: `runner` shows that to those who administer it.',
    resolve: async ({ runnerId }, _args, context) => {
      const runner = runnerId === null ? undefined : await runnerById(context, runnerId);
      return runner ? { ...runner, ...hidden } : null;
    },
  }),
);

builder.objectField(CiJob, 'runnerManager', (t) =>
  t.field({
    type: CiRunnerManager,
    nullable: true,
    description: 'The machine that carries it out, or did; null if you don’t administer its runner.',
    resolve: async ({ runnerId, runnerManagerId }, _args, context) => {
      if (runnerId === null || runnerManagerId === null) return null;
      if (!(await mayAdminister(context, { id: runnerId }))) return null;
      return (await managerById(context, runnerManagerId)) ?? null;
    },
  }),
);
