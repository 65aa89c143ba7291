import type { Given } from '../client.ts';
import { dayIn, flagIn, idIn, idOf, innerList, innerOf, numberIn, textIn, textsIn, timeIn } from '../fields.ts';
import type { Importer, Place } from '../importer.ts';
import { conversationOf, stamped } from './conversations.ts';
import { largestInteger } from '../../values/integers.ts';

/** Labels, milestones and issues of every group and project, with what was said about them. */

const epoch = new Date(0).toISOString();

const placeNames = { groups: 'groupKey', projects: 'projectKey' } as const;
type Places = keyof typeof placeNames;

/** Labels and milestones of a place. */
async function importShared(importer: Importer, kind: Places, { key: placeKey, path }: Place): Promise<void> {
  const place = { [placeNames[kind]]: placeKey };
  const at = `/${kind}/${placeKey}`;
  const labels = `labels of ${kind}`;
  await importer.copy(
    'labels',
    labels,
    [`${at}/labels`, { include_ancestor_groups: false, only_group_labels: kind === 'groups' }],
    (record) => {
      const key = idIn(record);
      const title = textIn(record, 'name');
      // Those of groups above are listed by older instances too.
      if (key === undefined || title === undefined || (kind === 'projects' && record.is_project_label === false))
        return undefined;
      return {
        key,
        name: `${path}, ${title}`,
        record: {
          key,
          ...place,
          title,
          color: textIn(record, 'color') ?? '#6699cc',
          description: textIn(record, 'description') ?? null,
          archived: flagIn(record, 'archived'),
          priority: numberIn(record, 'priority'),
        },
      };
    },
  );
  await importer.copy('milestones', `milestones of ${kind}`, [`${at}/milestones`], (record) => {
    const key = idIn(record);
    const iid = numberIn(record, 'iid');
    const title = textIn(record, 'title');
    if (key === undefined || iid === undefined || title === undefined) return undefined;
    const createdAt = timeIn(record, 'created_at') ?? epoch;
    return {
      key,
      name: `${path}, ${title}`,
      record: {
        key,
        ...place,
        iid,
        title,
        description: textIn(record, 'description') ?? null,
        closed: textIn(record, 'state') === 'closed',
        startDate: dayIn(record, 'start_date'),
        dueDate: dayIn(record, 'due_date'),
        createdAt,
        updatedAt: timeIn(record, 'updated_at') ?? createdAt,
      },
    };
  });
}

export async function importLabelsAndMilestones(importer: Importer): Promise<void> {
  for (const kind of ['groups', 'projects'] as const)
    await importer.each(
      importer[kind],
      (place) => importShared(importer, kind, place),
      `${kind} with their labels and milestones`,
    );
}

/** Issues of all projects. */
export async function importIssues(importer: Importer): Promise<void> {
  await importer.each(
    importer.projects.filter(({ record }) => record.issues_enabled !== false),
    (place) => importer.part(`issues of project ${place.key}`, () => importIssuesOf(importer, place)),
    'projects with their issues',
  );
}

interface Link {
  readonly key: string;
  readonly id: string | undefined;
  readonly sourceKey: string;
  readonly targetKey: string;
  readonly createdAt: string;
}

interface Issue {
  readonly key: string;
  readonly iid: number;
  readonly name: string;
  readonly stamp: string;
}

async function importIssuesOf(importer: Importer, project: Place): Promise<void> {
  const { client, since } = importer.options;
  const writeLinks = linkWriter(importer, project);
  await importer.orMissing('issues of projects', undefined, async () => {
    const query = {
      scope: 'all',
      order_by: 'created_at',
      sort: 'asc',
      ...(since !== undefined && { updated_after: since }),
    };
    for await (const page of client.list(`/projects/${project.key}/issues`, query)) {
      const found = page.flatMap((record) => issueFrom(project, record) ?? importer.unreadable('issues'));
      await importer.write('issues', found);
      const issues = page.flatMap((record) => threadFrom(project, record) ?? []);
      const changed = await importer.changed('threads', issues);
      await importer.each(changed, (issue) => importThread(importer, project, issue, writeLinks));
    }
  });
}

type WritesLinks = (links: readonly Link[]) => Promise<void>;

/** Writes links one after the other, since both ends may be read at the same moment. From the end that comes first nothing is written. */
function linkWriter(importer: Importer, { path }: Place): WritesLinks {
  let written = Promise.resolve();
  return (links) => {
    const found = links.map((link) => ({ key: link.key, name: `${path}, ${link.key}`, record: { ...link } }));
    return (written = written.then(() => importer.write('issueLinks', found)));
  };
}

function issueFrom({ key: projectKey, path }: Place, record: Given) {
  const key = idIn(record);
  const iid = numberIn(record, 'iid');
  const title = textIn(record, 'title');
  if (key === undefined || iid === undefined || title === undefined) return undefined;
  const times = innerOf(record, 'time_stats') ?? {};
  const createdAt = timeIn(record, 'created_at') ?? epoch;
  return {
    key,
    name: `${path}#${iid}`,
    record: {
      key,
      projectKey,
      iid,
      title,
      description: textIn(record, 'description') ?? null,
      type: (textIn(record, 'issue_type') ?? textIn(record, 'type') ?? 'issue').toUpperCase(),
      closed: textIn(record, 'state') === 'closed',
      authorKey: idOf(record, 'author'),
      assigneeKeys: peopleIn(record, 'assignees', 'assignee'),
      milestoneKey: idOf(record, 'milestone'),
      labels: [...textsIn(record, 'labels')].sort(),
      dueDate: dayIn(record, 'due_date'),
      confidential: flagIn(record, 'confidential'),
      discussionLocked: typeof record.discussion_locked === 'boolean' ? record.discussion_locked : null,
      closedAt: timeIn(record, 'closed_at'),
      closedByKey: idOf(record, 'closed_by'),
      timeEstimate: secondsIn(times, 'time_estimate'),
      timeSpent: secondsIn(times, 'total_time_spent'),
      createdAt,
      updatedAt: timeIn(record, 'updated_at') ?? createdAt,
    },
  };
}

/** The people of a list; older instances have only one. */
export function peopleIn(record: Given, list: string, single: string): readonly string[] {
  const several = innerList(record, list).flatMap((one) => idIn(one) ?? []);
  return several.length > 0 ? several : [idOf(record, single) ?? []].flat();
}

export const secondsIn = (times: Given, name: string) =>
  Math.min(largestInteger, Math.max(0, numberIn(times, name) ?? 0));

/** What shows whether more was said about an issue: emoji don't change its time. */
function threadFrom({ path }: Place, record: Given): Issue | undefined {
  const key = idIn(record);
  const iid = numberIn(record, 'iid');
  if (key === undefined || iid === undefined) return undefined;
  const parts = ['updated_at', 'user_notes_count', 'upvotes', 'downvotes'].map((name) => String(record[name]));
  return { key, iid, name: `${path}#${iid}`, stamp: parts.join(' ') };
}

/** The thread comes last: it says that nothing of the issue is to be read again, also if the import ends right after it. */
async function importThread(
  importer: Importer,
  project: Place,
  { key, iid, name, stamp }: Issue,
  writeLinks: WritesLinks,
): Promise<void> {
  const at = `/projects/${project.key}/issues/${iid}`;
  const said = await conversationOf(importer, at, 'issues');
  // No count of links is given: the notes of the system tell whether there are any.
  if (said.notes?.some(({ system, body }) => system && /relate|block/i.test(body)))
    await writeLinks(await linksOf(importer, at, key));
  await importer.write('threads', [{ key, name, record: { key, ...stamped(stamp, said) } }]);
}

/** @param at the address of an issue */
async function linksOf(importer: Importer, at: string, key: string): Promise<readonly Link[]> {
  const linked = await importer.orMissing('links of issues', [], () => importer.options.client.all(`${at}/links`));
  return linked.flatMap((record) => {
    const other = idIn(record);
    if (other === undefined) return [];
    const createdAt = timeIn(record, 'link_created_at') ?? epoch;
    return [{ key: `${key}/${other}`, id: idIn(record, 'issue_link_id'), sourceKey: key, targetKey: other, createdAt }];
  });
}
