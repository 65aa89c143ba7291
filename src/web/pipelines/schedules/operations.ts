import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { compileMutation } from '../../site/mutation.ts';
import { orNull } from '../../site/missing.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { pageInfoFields, type Paged } from '../../site/records/paging.ts';
import type { Visit } from '../../site/visit.ts';
import type { ShownSchedule } from './view.tsx';

const fields = `id: databaseId description ref refForDisplay cron cronTimezone active nextRunAt lastProblem
  owner { username } lastPipeline { iid path }
  userPermissions { updatePipelineSchedule adminPipelineSchedule takeOwnershipPipelineSchedule playPipelineSchedule }`;

/** What the pages of schedules read and change. */
export function scheduleOperations(schema: GraphQLSchema) {
  const readOne = compileOperation<{ readonly schedule: ShownSchedule }>(
    schema,
    `query ($project: ID!, $id: CiPipelineScheduleID!) {
      schedule: pipelineSchedule(project: $project, id: $id) { ${fields} }
    }`,
  );
  return {
    readList: compileOperation<{ readonly schedules: Paged<ShownSchedule> }>(
      schema,
      `query ($project: ID!, $first: Int, $last: Int, $before: String, $after: String) {
        schedules: pipelineSchedules(project: $project, first: $first, last: $last, before: $before, after: $after) {
          nodes { ${fields} } ${pageInfoFields}
        }
      }`,
    ),
    /** The schedule of the address; null if the project doesn't have it. */
    async find({ named: { id }, context }: Visit, { fullPath }: PlaceHead): Promise<ShownSchedule | null> {
      if (!isRecordNumber(id)) return null;
      const found = await orNull(readOne.execute(context, { project: fullPath, id }));
      return found && found.schedule;
    },
    create: compileMutation(schema, 'pipelineScheduleCreate'),
    update: compileMutation(schema, 'pipelineScheduleUpdate'),
    remove: compileMutation(schema, 'pipelineScheduleDelete'),
    play: compileMutation(schema, 'pipelineSchedulePlay'),
    takeOwnership: compileMutation(schema, 'pipelineScheduleTakeOwnership'),
  };
}

export type ScheduleOperations = ReturnType<typeof scheduleOperations>;
