import type { GraphQLSchema } from 'graphql';
import type { PlaceRoute } from '../places/place/route.ts';
import { badgePages } from './badges/controller.tsx';
import { deployKeyPages } from './deploy-keys/controller.tsx';
import { environmentPages } from './environments/controller.tsx';
import { jobPages } from './jobs/controller.tsx';
import { runnerPages } from './runners/controller.tsx';
import { schedulePages } from './schedules/controller.tsx';
import { triggerPages } from './triggers/pages.tsx';
import { variablePages } from './variables/controller.tsx';
import { pipelinePages } from './pipelines/controller.tsx';
import { runPages } from './pipelines/run.tsx';

/** The pages of pipelines, below the addresses of projects. */
export const pipelineRoutes = (schema: GraphQLSchema): PlaceRoute[] => [
  ...pipelinePages(schema),
  ...runPages(schema),
  ...jobPages(schema),
  ...badgePages(schema),
  ...environmentPages(schema),
  ...deployKeyPages(schema),
  ...runnerPages(schema),
  ...schedulePages(schema),
  ...triggerPages(schema),
  ...variablePages(schema),
];
