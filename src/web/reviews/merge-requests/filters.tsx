import { MilestoneField, type Suggestions } from '../../planning/issues/list-view.tsx';
import { AppliedFilters } from '../../site/records/applied-filters.tsx';
import { SelectField, TextField } from '../../site/forms/forms.tsx';
import { cleared, drafts, isFiltered, listAddress, orders, type MergeRequestQuery } from './query.ts';

interface FilterProps {
  readonly path: string;
  readonly query: MergeRequestQuery;
  readonly suggestions?: Suggestions | undefined;
  readonly without?: 'author' | 'assignee' | 'reviewer' | undefined;
}

const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** The form of the filters. */
export function FilterBox({ path, query, suggestions, without }: FilterProps) {
  const { state, search, labels, milestone, author, sort } = query;
  const people = suggestions && ['None', 'Any', ...suggestions.people];
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
          <TextField name="assignee_username" label="Assignee" value={query.assignee} suggestions={people} technical />
        )}
        {without !== 'reviewer' && (
          <TextField name="reviewer_username" label="Reviewer" value={query.reviewer} suggestions={people} technical />
        )}
        <TextField name="target_branch" label="Target branch" value={query.target} technical />
        <SelectField name="draft" label="Drafts" value={query.draft} options={optionsOf(drafts)} />
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

/** The filters that are on, each with a link that removes it. */
export function Applied({ path, query }: Pick<FilterProps, 'path' | 'query'>) {
  if (!isFiltered(query)) return null;
  const { search, labels, milestone, author, assignee, reviewer, target, draft } = query;
  const filters: readonly (readonly [name: string, value: string, without: Partial<MergeRequestQuery>])[] = [
    ['Search', search, { search: '' }],
    ...labels.map((label) => ['Label', label, { labels: labels.filter((one) => one !== label) }] as const),
    ['Milestone', milestone, { milestone: '' }],
    ['Author', author, { author: '' }],
    ['Assignee', assignee, { assignee: '' }],
    ['Reviewer', reviewer, { reviewer: '' }],
    ['Target branch', target, { target: '' }],
    ['Drafts', draft && drafts[draft], { draft: '' }],
  ];
  const address = (changed: Partial<MergeRequestQuery>) => listAddress(path, query, changed);
  return <AppliedFilters filters={filters} cleared={cleared} address={address} />;
}
