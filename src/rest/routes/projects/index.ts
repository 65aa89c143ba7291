import type { AnyRoute } from '../../route.ts';
import { projectListRoute } from './list.ts';

export const projectRoutes: readonly AnyRoute[] = [
  projectListRoute('/api/v4/projects', 'Every project that you can see'),
];
