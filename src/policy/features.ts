import { levelOf, type Feature, type FeatureLevel } from '../values/project-features.ts';
import { all, any, holds, toSql, type Columns, type Condition, type Facts } from './condition.ts';
import { member } from './places.ts';
import type { Viewer } from './viewer.ts';

/** Who uses a feature of a project that they see, by its level. A disabled one is unavailable to everyone. */
const rules: Record<FeatureLevel, Condition> = {
  disabled: any(),
  private: member,
  enabled: all(),
  public: all(),
};

/** Whether the viewer, who sees a project, has a feature of it. */
export const featureAvailable = (
  feature: Feature,
  project: Parameters<typeof levelOf>[1],
  viewer: Viewer,
  facts: Facts,
): boolean => holds(rules[levelOf(feature, project)], viewer, facts);

/** The same as a SQL condition. @param level SQL for the level */
export const featureAvailableSql = (level: string, viewer: Viewer, columns: Columns): string =>
  `case ${level} when 'disabled' then false when 'private' then ${toSql(rules.private, viewer, columns)} else true end`;
