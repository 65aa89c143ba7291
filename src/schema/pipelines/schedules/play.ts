import { writes } from '../../../policy/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { scheduleFor, scheduleIn } from './look-up.ts';
import { scheduleName, schedulePayload } from './mutations.ts';
import { makePipeline } from './run.ts';

mutation('pipelineSchedulePlay', {
  description:
    'Runs a schedule now, with your rights. From Developer up; on a protected branch, who may push or merge.',
  admission: { class: 'token', scopes: writes },
  input: scheduleName,
  payload: schedulePayload,
  resolve: async (context, name) => {
    const { repository, schedule } = await scheduleFor(context, name, 'play');
    await makePipeline(context, repository, schedule, null);
    return { schedule: (await scheduleIn(context, String(repository.id), String(schedule.id))).schedule };
  },
});
