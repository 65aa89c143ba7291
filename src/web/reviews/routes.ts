import type { GraphQLSchema } from 'graphql';
import type { PlaceRoute } from '../places/place/route.ts';
import { mergeRequestListPages } from './merge-requests/list-controller.tsx';

/** The pages of merge requests, below the addresses of groups and projects. */
export const reviewRoutes = (schema: GraphQLSchema): PlaceRoute[] => [...mergeRequestListPages(schema)];
