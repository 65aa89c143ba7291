import { below, PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Day } from '../../site/records/day.tsx';
import { Form, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Nothing, Pager } from '../../site/records/records.tsx';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import { IssueRows } from '../issues/list-view.tsx';
import { Markdown } from '../markdown.tsx';
import {
  milestonesPath,
  orders,
  states,
  type ListedMilestone,
  type MilestoneQuery,
  type ShownMilestone,
  type State,
} from './milestones.ts';

interface Pages {
  readonly before: string | null;
  readonly after: string | null;
}

interface MilestoneListProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly milestones: readonly ListedMilestone[];
  readonly query: MilestoneQuery;
  readonly pages: Pages;
}

/** The milestones of a group or a project, with their progress. */
export function MilestoneList({ site, place, milestones, query, pages }: MilestoneListProps) {
  const path = milestonesPath(place);
  const address = (changed: Partial<MilestoneQuery>) => {
    const { state, search, sort } = { ...query, ...changed };
    return `${path}?${new URLSearchParams({ state, ...(search && { search }), sort }).toString()}`;
  };
  return (
    <PlaceLayout site={site} place={place} title={`Milestones · ${place.name}`} current="milestones">
      <h1>Milestones</h1>
      <p class="lead">A milestone collects issues and merge requests that belong together, often until a date.</p>
      <NewMilestone site={site} place={place} />
      <nav class="tabs" aria-label="States">
        {(Object.keys(states) as State[]).map((state) => (
          <a href={address({ state })} aria-current={state === query.state ? 'page' : undefined}>
            {states[state].label}
          </a>
        ))}
      </nav>
      <form class="filters" method="get" action={path}>
        {query.state !== 'opened' && <input type="hidden" name="state" value={query.state} />}
        <TextField name="search" label="Search in titles" type="search" value={query.search} />
        <SelectField
          name="sort"
          label="Sort by"
          value={query.sort}
          options={Object.entries(orders).map(([value, [, label]]) => ({ value, label }))}
        />
        <button class="button">Show</button>
      </form>
      {milestones.length === 0 ? (
        <Nothing
          says={query.search ? 'No milestones match.' : 'No milestones here.'}
          all={query.search || query.state === 'closed' ? address({ state: 'all', search: '' }) : undefined}
        >
          {whyNot(site, place) === null && <a href={milestonesPath(place, '/new')}>Create one</a>}
        </Nothing>
      ) : (
        <ul class="records">
          {milestones.map((milestone) => (
            <li>
              <a href={milestone.webPath}>
                <bdi>{milestone.title}</bdi>
              </a>{' '}
              <Standing milestone={milestone} kind={place.kind} />
              <p>
                <Dates milestone={milestone} />
              </p>
              <Progress milestone={milestone} />
            </li>
          ))}
        </ul>
      )}
      <Pager of="milestones" {...pages} labels={['Previous', 'Next']} />
    </PlaceLayout>
  );
}

/** The link to the form of a new milestone, or why there is none. */
function NewMilestone({ site, place }: Pick<MilestoneListProps, 'site' | 'place'>) {
  const why = whyNot(site, place);
  return (
    why ?? (
      <p>
        <a class="button primary" href={milestonesPath(place, '/new')}>
          New milestone
        </a>
      </p>
    )
  );
}

/** Why the viewer can't change milestones; null if they can. */
function whyNot(site: Site, place: PlaceHead) {
  if (place.archived) return <p class="hint">This project is archived, so its milestones can’t be changed.</p>;
  if (!site.visitor)
    return (
      <p class="hint">
        <a href={comingBackTo(signInPath, site.path)}>Sign in</a> to change milestones.
      </p>
    );
  if (!place.userPermissions.adminMilestone)
    return <p class="hint">You need at least the Planner role to change milestones.</p>;
  return null;
}

interface MilestoneProps {
  readonly milestone: ListedMilestone;
}

/** Its state, as badges. @param kind of the place that shows it */
function Standing({ milestone, kind }: MilestoneProps & { readonly kind?: PlaceHead['kind'] }) {
  const { state, expired, upcoming, groupMilestone } = milestone;
  return (
    <span class="badges">
      {state === 'closed' ? <Badge>Closed</Badge> : <Badge tone="good">Open</Badge>}
      {state === 'active' && expired && <Badge tone="caution">Expired</Badge>}
      {state === 'active' && upcoming && <Badge>Upcoming</Badge>}
      {kind === 'project' && groupMilestone && <Badge>Group milestone</Badge>}
    </span>
  );
}

function Dates({ milestone: { startDate, dueDate } }: MilestoneProps) {
  if (startDate && dueDate)
    return (
      <>
        <Day at={startDate} /> to <Day at={dueDate} />
      </>
    );
  if (startDate)
    return (
      <>
        From <Day at={startDate} />
      </>
    );
  if (dueDate)
    return (
      <>
        Until <Day at={dueDate} />
      </>
    );
  return <>No dates</>;
}

/** How many of its issues are closed. */
function Progress({ milestone: { title, stats } }: MilestoneProps) {
  const { totalIssuesCount: total, closedIssuesCount: closed } = stats;
  if (total === 0) return <p>No issues.</p>;
  return (
    <p class="progress">
      <progress value={closed} max={total} aria-label={`Progress of ${title}`} />
      <span>
        {closed} of {total} {total === 1 ? 'issue' : 'issues'} closed ({Math.floor((closed / total) * 100)} %)
      </span>
    </p>
  );
}

interface MilestonePageProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly milestone: ShownMilestone;
  readonly mayPromote: boolean;
  readonly pages: Pages;
}

/** A milestone with its issues. */
export function MilestonePage({ site, place, milestone, mayPromote, pages }: MilestonePageProps) {
  const { title, description, descriptionHtml, issues } = milestone;
  const inList = (label: string) =>
    below(place, `/issues?${new URLSearchParams({ label_name: label, milestone_title: title }).toString()}`);
  return (
    <PlaceLayout site={site} place={place} title={title} current="milestones">
      <p class="kind">
        <a href={milestonesPath(place)}>Milestones</a>
      </p>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="standing">
        <Standing milestone={milestone} /> <Dates milestone={milestone} />
      </p>
      <Progress milestone={milestone} />
      <Actions site={site} place={place} milestone={milestone} mayPromote={mayPromote} />
      {description && descriptionHtml && (
        <section class="described" aria-label="Description">
          <Markdown html={descriptionHtml} />
        </section>
      )}
      {place.issuesEnabled && (
        <>
          <h2>Issues</h2>
          {issues.nodes.length === 0 ? (
            <p class="empty">No issues in this milestone.</p>
          ) : (
            <IssueRows issues={issues.nodes} withLabel={inList} />
          )}
          <Pager of="issues" {...pages} labels={['Previous', 'Next']} />
          <p>
            <a
              href={below(place, `/issues?${new URLSearchParams({ state: 'all', milestone_title: title }).toString()}`)}
            >
              Filter and sort them in the list of issues
            </a>
          </p>
        </>
      )}
    </PlaceLayout>
  );
}

/** What the viewer may do with a milestone, or why they may not. */
function Actions({ site, place, milestone, mayPromote }: Omit<MilestonePageProps, 'pages'>) {
  const why = whyNot(site, place);
  if (why) return why;
  const { iid, state } = milestone;
  const does = state === 'active' ? 'close' : 'reopen';
  return (
    <div class="decision">
      <a class="button" href={milestonesPath(place, `/${iid}/edit`)}>
        Edit
      </a>
      <Form csrf={site.visitor!.csrf} action={milestonesPath(place, `/${iid}/${does}`)}>
        <button class="button">{does === 'close' ? 'Close milestone' : 'Reopen milestone'}</button>
      </Form>
      {mayPromote && (
        <a class="button" href={milestonesPath(place, `/${iid}/promote`)}>
          Promote
        </a>
      )}
      <a class="button danger" href={milestonesPath(place, `/${iid}/delete`)}>
        Delete
      </a>
    </div>
  );
}
