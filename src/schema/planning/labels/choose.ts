import type { Sql } from '../../../database/index.ts';
import { labelsInProject } from './statements/choose.ts';

/** Labels by their titles, their ids, or both. */
export interface LabelNames {
  readonly titles: readonly string[];
  readonly ids: readonly number[];
}

/** A change of the labels: those afterwards, those that are added, and those that are removed. */
export interface LabelChange {
  readonly labels?: LabelNames | undefined;
  readonly addLabels?: LabelNames | undefined;
  readonly removeLabels?: LabelNames | undefined;
}

/** The labels after a change. Titles that no label has are made labels. */
export async function labelsAfter(
  sql: Sql,
  projectId: number,
  before: readonly number[],
  { labels, addLabels, removeLabels }: LabelChange,
): Promise<readonly number[]> {
  if (!labels && !addLabels && !removeLabels) return before;
  const found = async (makes: boolean, ...names: (LabelNames | undefined)[]) => {
    const titles = names.flatMap((one) => one?.titles ?? []);
    const ids = names.flatMap((one) => one?.ids ?? []);
    if (titles.length + ids.length === 0) return [];
    return (await sql.rows(labelsInProject, [projectId, titles, ids, makes])).map(({ id }) => id);
  };
  const kept = labels ? [] : before;
  const added = await found(true, labels, addLabels);
  // Afterwards: one that is added and removed at once is removed, also if it is new.
  const removed = new Set(await found(false, removeLabels));
  return [...new Set([...kept, ...added])].filter((id) => !removed.has(id)).toSorted((a, b) => a - b);
}
