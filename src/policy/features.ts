import { levelOf, type Feature } from '../values/attributes/project-features.ts';
import { all, any, atLevel, holds, type Condition, type Facts } from './condition.ts';
import { member } from './places.ts';
import type { Viewer } from './viewer.ts';

/** Who uses a feature of a project that they see, by its level. A disabled one is unavailable to everyone. */
export const available = (feature: Feature): Condition => atLevel(feature, whoHas);

const whoHas = { disabled: any(), private: member, enabled: all(), public: all() } as const;

/** Whether the viewer, who sees a project, has a feature of it. */
export const featureAvailable = (
  feature: Feature,
  project: Parameters<typeof levelOf>[1],
  viewer: Viewer,
  facts: Facts,
): boolean => holds(whoHas[levelOf(feature, project)], viewer, facts);
