import { deliveryAtScale } from './delivery-at-scale.ts';
import { graphqlWork } from './graphql.ts';
import { pipelineWork } from './pipelines.ts';
import { planningAtScale } from './planning-at-scale.ts';
import { planningWork } from './planning.ts';
import { repositoryWork } from './repository.ts';
import type { Work } from './request.ts';
import { restWork } from './rest.ts';
import { reviewWork } from './reviews.ts';
import { settingsSizes, workersWork } from './sizes.ts';
import { tenfoldWork } from './tenfold.ts';
import { tokenWork } from './tokens.ts';

export type { Contender, Target, Work } from './request.ts';

/** All work, in the order of the table. */
export const work: readonly Work[] = [
  ...restWork,
  ...tokenWork,
  ...graphqlWork,
  ...workersWork,
  ...repositoryWork,
  ...planningWork,
  ...reviewWork,
  ...pipelineWork,
];

/** Work that compares the small data with a tenth of it: only where it is asked for. */
export const scaleWork: readonly Work[] = tenfoldWork;

/** Work that compares both sizes of data. */
export const sizeWork: readonly Work[] = [...settingsSizes, ...planningAtScale, ...deliveryAtScale];
