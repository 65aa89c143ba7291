import type { GraphQLSchema } from 'graphql';
import type { PlaceRoute } from '../places/place/route.ts';
import { pipelinePages } from './pipelines/controller.tsx';

/** The pages of pipelines, below the addresses of projects. */
export const pipelineRoutes = (schema: GraphQLSchema): PlaceRoute[] => pipelinePages(schema);
