import type { ComponentChildren } from 'preact';
import { Avatar } from '../../places/avatars/avatar.tsx';
import { AppliedFilters } from '../../site/records/applied-filters.tsx';
import { SelectField, TextField } from '../../site/forms/forms.tsx';
import { Badge, Nothing, Pager, PersonName } from '../../site/records/records.tsx';
import { Ago, Day } from '../../site/records/day.tsx';
import { LabelRow } from '../labels/chip.tsx';
import type { IssuePage, ListedIssue } from './list.ts';
import { isFiltered, issuesAddress, milestoneWildcards, orders, states, type IssueQuery, type State } from './query.ts';

/** What the filters of a list suggest. */
export interface Suggestions {
  readonly labels: readonly string[];
  readonly milestones: readonly string[];
  /** Whether there are more milestones: then any title may be typed. */
  readonly moreMilestones: boolean;
  readonly people: readonly string[];
}

interface IssueListProps {
  /** The path of the page. */
  readonly path: string;
  readonly query: IssueQuery;
  readonly page: IssuePage;
  readonly suggestions?: Suggestions;
  /** The filters that the list has; all by default. */
  readonly without?: 'author' | 'assignee';
  /** How the first issue comes here. */
  readonly begin?: ComponentChildren;
}

/** A list of issues with its tabs and filters, which live in the address. */
export function IssueList({ path, query, page, suggestions, without, begin }: IssueListProps) {
  const { issues, counts, before, after } = page;
  return (
    <>
      <nav class="tabs" aria-label="States">
        {(Object.keys(states) as State[]).map((state) => (
          <a href={issuesAddress(path, query, { state })} aria-current={state === query.state ? 'page' : undefined}>
            {states[state]} <span class="count">{counts[state]}</span>
          </a>
        ))}
      </nav>
      <Filters path={path} query={query} suggestions={suggestions} without={without} />
      <Applied path={path} query={query} />
      {issues.length === 0 ? (
        <Nothing
          says={isFiltered(query) ? 'No issues match.' : 'No issues here.'}
          all={
            counts.all > 0 || isFiltered(query) ? issuesAddress(path, query, { ...cleared, state: 'all' }) : undefined
          }
        >
          {begin}
        </Nothing>
      ) : (
        <IssueRows
          issues={issues}
          withLabel={(label) => issuesAddress(path, query, { labels: [...new Set([...query.labels, label])] })}
        />
      )}
      <Pager of="issues" before={before} after={after} labels={['Previous', 'Next']} />
    </>
  );
}

const cleared: Partial<IssueQuery> = { search: '', labels: [], milestone: '', author: '', assignee: '' };

/** The filters that are on, each with a link that removes it. */
function Applied({ path, query }: Pick<IssueListProps, 'path' | 'query'>) {
  if (!isFiltered(query)) return null;
  const { search, labels, milestone, author, assignee } = query;
  const filters: readonly (readonly [name: string, value: string, without: Partial<IssueQuery>])[] = [
    ['Search', search, { search: '' }],
    ...labels.map((label) => ['Label', label, { labels: labels.filter((one) => one !== label) }] as const),
    ['Milestone', milestone, { milestone: '' }],
    ['Author', author, { author: '' }],
    ['Assignee', assignee, { assignee: '' }],
  ];
  const address = (changed: Partial<IssueQuery>) => issuesAddress(path, query, changed);
  return <AppliedFilters filters={filters} cleared={cleared} address={address} />;
}

function Filters({ path, query, suggestions, without }: Omit<IssueListProps, 'page'>) {
  const { state, search, labels, milestone, author, assignee, sort } = query;
  return (
    <details class="filter-box">
      <summary>Search, filter and sort</summary>
      <form class="filters" method="get" action={path}>
        {state !== 'opened' && <input type="hidden" name="state" value={state} />}
        <TextField name="search" label="Search" type="search" value={search} />
        <TextField
          name="label_name"
          label="Labels (all of these)"
          value={labels.join(', ')}
          suggestions={suggestions?.labels}
        />
        <MilestoneField milestone={milestone} suggestions={suggestions} />
        {without !== 'author' && (
          <TextField name="author_username" label="Author" value={author} suggestions={suggestions?.people} technical />
        )}
        {without !== 'assignee' && (
          <TextField
            name="assignee_username"
            label="Assignee"
            value={assignee}
            suggestions={suggestions && ['None', 'Any', ...suggestions.people]}
            technical
          />
        )}
        <SelectField
          name="sort"
          label="Sort by"
          value={sort}
          options={Object.entries(orders).map(([value, [, label]]) => ({ value, label }))}
        />
        <button class="button">Show</button>
      </form>
    </details>
  );
}

interface MilestoneFieldProps {
  readonly milestone: string;
  readonly suggestions?: Pick<Suggestions, 'milestones' | 'moreMilestones'> | undefined;
}

/** The filter by milestone: a list to choose from, or a field for a title where there are too many for a list. */
export function MilestoneField({ milestone, suggestions }: MilestoneFieldProps) {
  const field = { name: 'milestone_title', label: 'Milestone', value: milestone };
  const known = suggestions?.milestones ?? [];
  if (suggestions?.moreMilestones)
    return <TextField {...field} suggestions={[...Object.keys(milestoneWildcards), ...known]} />;
  const isKnown = milestone === '' || known.includes(milestone) || Object.hasOwn(milestoneWildcards, milestone);
  return (
    <SelectField
      {...field}
      options={[
        { value: '', label: 'All' },
        ...Object.entries(milestoneWildcards).map(([value, label]) => ({ value, label })),
        ...[...known, ...(isKnown ? [] : [milestone])].map((title) => ({ value: title, label: title })),
      ]}
    />
  );
}

interface IssueRowsProps {
  readonly issues: readonly ListedIssue[];
  /** The address of the list of issues that have a label. */
  readonly withLabel: (title: string) => string;
}

/** Issues, each with what a list shows of it. */
export function IssueRows({ issues, withLabel }: IssueRowsProps) {
  return (
    <ul class="records issues">
      {issues.map((issue) => (
        <Row issue={issue} withLabel={withLabel} />
      ))}
    </ul>
  );
}

function Row({ issue, withLabel }: { readonly issue: ListedIssue } & Pick<IssueRowsProps, 'withLabel'>) {
  const { title, reference, webPath, author, assignee, labels, confidential } = issue;
  return (
    <li class="line">
      <div>
        <a href={webPath}>
          <bdi>{title}</bdi>
        </a>
        {confidential && (
          <>
            {' '}
            <Badge tone="caution">Confidential</Badge>
          </>
        )}
        {issue.state === 'closed' && (
          <>
            {' '}
            <Badge>Closed</Badge>
          </>
        )}
        <p>
          {reference} · created <Ago at={issue.createdAt} /> by <PersonName person={author} />
          <Details issue={issue} />
        </p>
        <LabelRow labels={labels} withLabel={withLabel} />
      </div>
      {assignee && (
        <a class="assignee" href={`/${assignee.username}`} title={`Assigned to ${assignee.name}`}>
          <Avatar of={assignee} />
          <span class="hidden">Assigned to {assignee.name}</span>
        </a>
      )}
    </li>
  );
}

/** What only some issues have. */
function Details({ issue }: { readonly issue: ListedIssue }) {
  const { milestone, dueDate, userNotesCount: notes, taskCompletionStatus: tasks } = issue;
  return (
    <>
      {milestone && (
        <>
          {' '}
          ·{' '}
          <a href={milestone.webPath}>
            <bdi>{milestone.title}</bdi>
          </a>
        </>
      )}
      {dueDate && (
        <>
          {' '}
          · due <Day at={dueDate} />
        </>
      )}
      {tasks.count > 0 && ` · ${tasks.completedCount} of ${tasks.count} tasks`}
      {notes > 0 && ` · ${notes} ${notes === 1 ? 'comment' : 'comments'}`}
    </>
  );
}
