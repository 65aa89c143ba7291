import { featureLevel, hasProjectRole } from '../../../../database/access/places.ts';
import { ListQuery, parent, type Parent } from '../../../../database/list.ts';
import {
  all,
  readPersonalSnippet,
  readProjectSnippet,
  seePlace,
  toSql,
  type Columns,
  type Viewer,
} from '../../../../policy/index.ts';
import { snippetReading, type SnippetRecord } from './reading.ts';

/** Filters of a list of snippets. Omitted or null filters match everything. */
export interface SnippetFilter {
  readonly ids?: readonly number[] | undefined;
  readonly visibility?: SnippetRecord['visibility'] | null | undefined;
  readonly author?: number | Parent | undefined;
  readonly project?: number | Parent | undefined;
  readonly kind?: 'personal' | 'project' | null | undefined;
  readonly createdAfter?: Date | null | undefined;
  readonly createdBefore?: Date | null | undefined;
  /** Words in the title. */
  readonly search?: string | undefined;
}

/** The snippets that a viewer reads: personal ones, and those of projects that the viewer sees. */
export function snippetList(viewer: Viewer, filter: SnippetFilter): ListQuery<SnippetRecord> {
  const { project, author } = filter;
  // Those of one kind need no condition for the other.
  const kind = project === undefined ? filter.kind : 'project';
  const from =
    kind === 'personal'
      ? 'snippets s'
      : `snippets s left join projects p on p.id = s.project_id left join namespaces n on n.id = p.namespace_id`;
  const query = new ListQuery<SnippetRecord>(from, 's.id', snippetReading);
  const me = query.personId(viewer.person?.id);
  const columns: Columns = {
    visibility: 'p.visibility',
    accessLevel: viewer.person ? hasProjectRole(query, me) : () => 'false',
    level: featureLevel,
    snippet: { authorId: 's.author_id', visibility: 's.visibility', viewerId: me },
  };
  const personal = `s.project_id is null and ${toSql(readPersonalSnippet, viewer, columns)}`;
  const inProject = `p.deleting_since is null and n.deleting_since is null and s.project_id is not null
    and ${toSql(all(seePlace, readProjectSnippet), viewer, columns)}`;
  query.where(kind === 'personal' ? personal : kind === 'project' ? inProject : `((${personal}) or (${inProject}))`);
  const keyOf = (id: number | Parent) => (id === parent ? parent : `${query.key(id)}::int`);
  if (project !== undefined) query.where(`s.project_id = ${keyOf(project)}`);
  if (author !== undefined) query.where(`s.author_id = ${keyOf(author)}`);
  if (filter.visibility != null) query.where(`s.visibility = '${filter.visibility}'`);
  return query
    .given(filter.ids, (ids) => `s.id = any(${ids}::int[])`)
    .given(filter.createdAfter, (moment) => `s.created_at >= ${moment}::timestamptz`)
    .given(filter.createdBefore, (moment) => `s.created_at <= ${moment}::timestamptz`)
    .search(filter.search, ['s.title']);
}
