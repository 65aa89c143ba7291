import type { GraphQLSchema } from 'graphql';
import type { PlaceRoute } from '../places/place/route.ts';
import { commitPages } from './commits/controller.tsx';
import { comparePages } from './compare/controller.tsx';
import { filePages } from './files/controller.tsx';
import { highlighter } from './files/highlighter.ts';
import { protectionPages } from './protection/controller.tsx';
import { refPages } from './refs/controller.tsx';

/**
 * The pages of repositories, below the addresses of projects.
 * @param highlightProgram the program of the thread that colours source code
 */
export const repositoryRoutes = (schema: GraphQLSchema, highlightProgram: string): PlaceRoute[] => [
  ...filePages(schema, highlighter(highlightProgram)),
  ...commitPages(schema),
  ...comparePages(schema),
  ...refPages(schema),
  ...protectionPages(schema),
];
