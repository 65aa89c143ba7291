import type { ComponentChildren } from 'preact';
import { Avatar } from '../../places/avatars/avatar.tsx';
import { CommitStatus } from '../../pipelines/pipelines/status.tsx';
import type { Suggestions } from '../../planning/issues/list-view.tsx';
import { LabelRow } from '../../planning/labels/chip.tsx';
import { Ago } from '../../site/records/day.tsx';
import { Badge, Nothing, Pager, PersonName } from '../../site/records/records.tsx';
import { Applied, FilterBox } from './filters.tsx';
import type { ListedMergeRequest, MergeRequestPage } from './list.ts';
import { cleared, isFiltered, listAddress, states, type MergeRequestQuery, type State } from './query.ts';
import { StateBadge } from './states.tsx';

interface MergeRequestListProps {
  /** The path of the page. */
  readonly path: string;
  readonly query: MergeRequestQuery;
  readonly page: MergeRequestPage;
  readonly suggestions?: Suggestions;
  /** The filter that the list lacks; it has all by default. */
  readonly without?: 'author' | 'assignee' | 'reviewer';
  /** How the first merge request comes here. */
  readonly begin?: ComponentChildren;
}

/** A list of merge requests with its tabs and filters, which live in the address. */
export function MergeRequestList({ path, query, page, suggestions, without, begin }: MergeRequestListProps) {
  const { mergeRequests, counts, before, after } = page;
  return (
    <>
      <nav class="tabs" aria-label="States">
        {(Object.keys(states) as State[]).map((state) => (
          <a href={listAddress(path, query, { state })} aria-current={state === query.state ? 'page' : undefined}>
            {states[state]} <span class="count">{counts[state]}</span>
          </a>
        ))}
      </nav>
      <FilterBox path={path} query={query} suggestions={suggestions} without={without} />
      <Applied path={path} query={query} />
      {mergeRequests.length === 0 ? (
        <Nothing
          says={isFiltered(query) ? 'No merge requests match.' : 'No merge requests here.'}
          all={counts.all > 0 || isFiltered(query) ? listAddress(path, query, { ...cleared, state: 'all' }) : undefined}
        >
          {begin}
        </Nothing>
      ) : (
        <ul class="records issues">
          {mergeRequests.map((one) => (
            <Row
              one={one}
              withLabel={(label) => listAddress(path, query, { labels: [...new Set([...query.labels, label])] })}
            />
          ))}
        </ul>
      )}
      <Pager of="merge requests" before={before} after={after} labels={['Previous', 'Next']} />
    </>
  );
}

interface RowProps {
  readonly one: ListedMergeRequest;
  /** The address of the list of those that have a label. */
  readonly withLabel: (title: string) => string;
}

function Row({ one, withLabel }: RowProps) {
  const { title, reference, webPath, state, draft, conflicts, author, assignee, reviewer, labels, headPipeline } = one;
  const isOpen = state === 'opened';
  return (
    <li class="line">
      <div>
        <span class="badges">
          <a href={webPath}>
            <bdi>{title}</bdi>
          </a>
          {!isOpen && <StateBadge state={state} />}
          {isOpen && draft && <Badge>Draft</Badge>}
          {isOpen && conflicts && <Badge tone="danger">Conflicts</Badge>}
          <CommitStatus pipeline={headPipeline} />
          {one.approvals.length > 0 && (
            <Badge tone="good">
              {one.approvals.length} {one.approvals.length === 1 ? 'approval' : 'approvals'}
            </Badge>
          )}
        </span>
        <p>
          {reference} · created <Ago at={one.createdAt} /> by <PersonName person={author} /> · into{' '}
          <bdi class="branch">{one.targetBranch}</bdi>
          <Details one={one} />
        </p>
        <LabelRow labels={labels} withLabel={withLabel} />
      </div>
      {(assignee ?? reviewer) && (
        <span class="concerned">
          {assignee && <Concerned person={assignee} says="Assigned to" />}
          {reviewer && <Concerned person={reviewer} says="To be reviewed by" />}
        </span>
      )}
    </li>
  );
}

interface ConcernedProps {
  readonly person: NonNullable<ListedMergeRequest['assignee']>;
  readonly says: string;
}

function Concerned({ person, says }: ConcernedProps) {
  return (
    <a class="assignee" href={`/${person.username}`} title={`${says} ${person.name}`}>
      <Avatar of={person} />
      <span class="hidden">
        {says} {person.name}
      </span>
    </a>
  );
}

/** What only some merge requests have. */
function Details({ one: { milestone, userNotesCount: notes, taskCompletionStatus: tasks } }: Pick<RowProps, 'one'>) {
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
      {tasks.count > 0 && ` · ${tasks.completedCount} of ${tasks.count} tasks`}
      {notes > 0 && ` · ${notes} ${notes === 1 ? 'comment' : 'comments'}`}
    </>
  );
}
