import type { GraphQLSchema } from 'graphql';
import type { PlaceRoute } from '../places/place/route.ts';
import { commitPages } from './commits/controller.tsx';
import { comparePages } from './compare/controller.tsx';
import { filePages } from './files/controller.tsx';
import type { Highlighter } from './files/highlighter.ts';
import { protectionPages } from './protection/controller.tsx';
import { refPages } from './refs/controller.tsx';

/** The pages of repositories, below the addresses of projects. */
export const repositoryRoutes = (schema: GraphQLSchema, highlight: Highlighter): PlaceRoute[] => [
  ...filePages(schema, highlight),
  ...commitPages(schema),
  ...comparePages(schema),
  ...refPages(schema),
  ...protectionPages(schema),
];
