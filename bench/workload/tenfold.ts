import { addressOf } from './planning-at-scale.ts';
import { asPeople, side, total, type MakeCalls, type Work } from './request.ts';
import { graphql } from './graphql.ts';

/**
 * Reads that a grown instance would feel, on the small data beside the same on a tenth of it: as many issues in a project,
 * and as many projects of a person, but ten times as many of both. For a client that asks alone.
 */

const pace = { seconds: 0.2, rounds: 3, least: 20 };

const reads: Readonly<Record<string, string>> = {
  'projects that one is a member of': '/api/v4/projects?membership=true',
  'all projects': '/api/v4/projects?$',
  'all projects by activity': '/api/v4/projects?order_by=last_activity_at',
  'all projects by name': '/api/v4/projects?order_by=name&sort=asc',
  'projects by a part of their name': '/api/v4/projects?search=12',
  'projects of a group': '/api/v4/groups/$group/projects?include_subgroups=true',
  'all groups': '/api/v4/groups?$',
  'members of a group with those above': '/api/v4/groups/$group/members/all',
  'all people': '/api/v4/users?$',
  'people by a part of their name': '/api/v4/users?search=user-12',
  'issues of a project': '/api/v4/projects/$project/issues?$',
  'issues of a project by a label': '/api/v4/projects/$project/issues?labels=Label 1',
  'issues of a project by priority': '/api/v4/projects/$project/issues?order_by=priority',
  'issues of a group': '/api/v4/groups/$group/issues?$',
  'all issues': '/api/v4/issues?scope=all',
  'all issues by title': '/api/v4/issues?scope=all&order_by=title',
  'all issues by a word': '/api/v4/issues?scope=all&search=velvet',
  'comments of an issue': '/api/v4/projects/$project/issues/$iid/notes?$',
  'labels of a project': '/api/v4/projects/$project/labels?$',
  'to-dos': '/api/v4/todos?$',
  'activity of a project': '/api/v4/projects/$project/events?$',
  'activity in own projects': '/api/v4/events?scope=all',
  'merge requests that one may see': '/api/v4/merge_requests?scope=all',
  'a settings read': '/api/v4/notification_settings?$',
};

const rest = (address: string): MakeCalls =>
  asPeople((person, turn) => {
    const [path, query] = address.split('?') as [string, string];
    return { path: addressOf(path, query === '$' ? '' : query, person, turn) };
  });

const everySetting = graphql(
  '{ currentUser { notificationSettings(first: 50, inherited: true) { nodes { scope level effective { level source } } } } }',
  '"effective"',
);

const work = (name: string, calls: MakeCalls): Work => ({
  name: `tenfold, ${name}`,
  contenders: [side('causeway', calls), side('causeway, a tenth of the data', calls)],
  targets: [total('causeway, a tenth of the data')],
  connections: 1,
  pace,
});

export const tenfoldWork: readonly Work[] = [
  ...Object.entries(reads).map(([name, address]) => work(name, rest(address))),
  work('every setting with what applies (GraphQL)', everySetting),
];
