import { below, PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Nothing, Pager } from '../../site/records/records.tsx';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import { LabelChip } from './chip.tsx';
import { labelsPath, type PlaceLabel } from './labels.ts';

interface LabelListProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly labels: readonly PlaceLabel[];
  readonly search: string;
  readonly mayPromote: boolean;
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** The labels of a group or a project. */
export function LabelList({ site, place, labels, search, mayPromote, pages }: LabelListProps) {
  const { kind } = place;
  return (
    <PlaceLayout site={site} place={place} title={`Labels · ${place.name}`} current="labels">
      <h1>Labels</h1>
      <p class="lead">
        {kind === 'group'
          ? 'Labels of this group. All issues in everything below it can have them.'
          : 'Labels that issues of this project can have: its own, and those of the groups above it.'}
      </p>
      <NewLabel site={site} place={place} />
      <form class="filters" method="get" action={labelsPath(place)}>
        <TextField name="search" label="Search" type="search" value={search} />
        <button class="button">Show</button>
      </form>
      {labels.length === 0 ? (
        <Nothing says={search ? 'No labels match.' : 'No labels yet.'} all={search ? labelsPath(place) : undefined}>
          A label says what an issue or a merge request is about.
          {place.userPermissions.adminLabel && !place.archived && (
            <>
              {' '}
              <a href={labelsPath(place, '/new')}>Create the first one</a>.
            </>
          )}
        </Nothing>
      ) : (
        <ul class="records">
          {labels.map((label) => (
            <Row site={site} place={place} label={label} mayPromote={mayPromote} />
          ))}
        </ul>
      )}
      <Pager of="labels" {...pages} labels={['Previous', 'Next']} />
    </PlaceLayout>
  );
}

/** The link to the form of a new label, or why there is none. */
function NewLabel({ site, place }: Pick<LabelListProps, 'site' | 'place'>) {
  if (place.archived) return <p class="hint">This project is archived, so its labels can’t be changed.</p>;
  if (!site.visitor)
    return (
      <p class="hint">
        <a href={comingBackTo(signInPath, site.path)}>Sign in</a> to change labels.
      </p>
    );
  if (!place.userPermissions.adminLabel)
    return <p class="hint">You need at least the Planner role to change labels.</p>;
  return (
    <p>
      <a class="button primary" href={labelsPath(place, '/new')}>
        New label
      </a>
    </p>
  );
}

interface RowProps extends Pick<LabelListProps, 'site' | 'place' | 'mayPromote'> {
  readonly label: PlaceLabel;
}

function Row({ site, place, label, mayPromote }: RowProps) {
  const { title, description, openIssuesCount: open, priority, archived, subscribed, isProjectLabel } = label;
  const issues = below(place, `/issues?${new URLSearchParams({ label_name: title }).toString()}`);
  return (
    <li>
      <span class="badges">
        <LabelChip label={label} />
        {place.kind === 'project' && !isProjectLabel && <Badge>Group label</Badge>}
        {priority !== null && <Badge>Priority {priority}</Badge>}
        {archived && <Badge tone="caution">Archived</Badge>}
      </span>
      {description && (
        <p>
          <bdi>{description}</bdi>
        </p>
      )}
      <div class="ways">
        {place.issuesEnabled && (
          <a href={issues}>
            {open} open {open === 1 ? 'issue' : 'issues'}
            <span class="hidden"> with the label {title}</span>
          </a>
        )}
        <Ways place={place} label={label} mayPromote={mayPromote} />
        {site.visitor && (
          <Form
            csrf={site.visitor.csrf}
            action={labelsPath(place, `/${label.id}/${subscribed ? 'unsubscribe' : 'subscribe'}`)}
          >
            <button class="button quiet">
              {subscribed ? 'Unsubscribe' : 'Subscribe'}
              <span class="hidden">
                {' '}
                {subscribed ? 'from' : 'to'} the label {title}
              </span>
            </button>
          </Form>
        )}
      </div>
    </li>
  );
}

/** Links to the pages that change a label, for those who may. */
function Ways({ place, label: { id, title, isProjectLabel }, mayPromote }: Omit<RowProps, 'site'>) {
  const isOwn = isProjectLabel === (place.kind === 'project');
  if (!isOwn || !place.userPermissions.adminLabel) return null;
  const ways = ['Edit', ...(mayPromote ? ['Promote'] : []), 'Delete'];
  return (
    <>
      {ways.map((way) => (
        <a href={labelsPath(place, `/${id}/${way.toLowerCase()}`)}>
          {way}
          <span class="hidden"> the label {title}</span>
        </a>
      ))}
    </>
  );
}

/** What the form of a label holds. */
export interface LabelDraft {
  readonly title: string;
  readonly description: string;
  readonly color: string;
  readonly priority: string;
}

/** Error messages by field, in sentences. */
export type LabelErrors = { readonly [Field in keyof LabelDraft]?: readonly string[] };

interface LabelFormProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly title: string;
  readonly action: string;
  readonly draft: LabelDraft;
  readonly carries?: Readonly<Record<string, string>>;
  readonly errors?: LabelErrors | undefined;
  /** The label of the button. */
  readonly does: string;
}

/** Colors that differ well from each other. */
const palette = [
  '#cc338b',
  '#dc143c',
  '#c21e56',
  '#ed9121',
  '#eee600',
  '#009966',
  '#8fbc8f',
  '#6699cc',
  '#0000ff',
  '#330066',
  '#36454f',
  '#808080',
];

/** The form of a new label, and of one that is changed. */
export function LabelForm({ site, place, title, action, draft, carries, errors, does }: LabelFormProps) {
  return (
    <PlaceLayout site={site} place={place} title={errors ? `Error: ${title}` : title} current="labels">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {errors && <NotSaved />}
      <Form csrf={site.visitor!.csrf} action={action} {...(carries && { carries })}>
        <TextField
          name="title"
          label="Title"
          hint="Without commas."
          value={draft.title}
          errors={errors?.title}
          required
        />
        <TextField
          name="description"
          label="Description"
          hint="Optional."
          value={draft.description}
          errors={errors?.description}
        />
        <TextField
          name="color"
          label="Color"
          type="color"
          value={draft.color}
          errors={errors?.color}
          suggestions={palette}
        />
        {place.kind === 'project' && (
          <TextField
            name="priority"
            label="Priority"
            type="number"
            min="0"
            hint="A number: 0 comes first. Empty: none."
            value={draft.priority}
            errors={errors?.priority}
          />
        )}
        <div class="decision">
          <button class="button primary">{does}</button>
          <a href={labelsPath(place)}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>
  );
}
