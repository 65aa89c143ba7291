import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import type { Offered as OfferedToIssues } from '../../planning/issues/offered.ts';
import { Offers, SavedByEnter } from '../../planning/issues/offers.tsx';
import { Choices, Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import type { MergeRequestDraft, MergeRequestErrors } from './draft.ts';
import { decidesSquash } from '../../../values/attributes/squash-option.ts';

/** What a form of a merge request offers. */
export interface Offered extends OfferedToIssues {
  readonly branches: readonly string[];
  readonly targetBranches: readonly string[];
  /** The projects that it may go into: itself, and what it is a fork of. */
  readonly targets: readonly { readonly id: number; readonly fullPath: string }[];
  /** The one of them whose branches, labels, milestones and people are offered. */
  readonly target: { readonly id: number; readonly fullPath: string } | undefined;
  readonly squashOption: string;
  /** Whether the viewer may choose labels, milestone and people there. */
  readonly maySet: boolean;
}

interface MergeRequestFormProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly title: string;
  /** The path that the form is sent to, and the one of Cancel. */
  readonly action: string;
  readonly back: string;
  readonly draft: MergeRequestDraft;
  readonly errors?: MergeRequestErrors | undefined;
  /** What the page showed; the form changes only what differs. Absent for a new one. */
  readonly carries?: Readonly<Record<string, string>>;
  readonly offered: Offered;
  /** Whether another moment ends an automatic merge. */
  readonly endsAutoMerge?: boolean;
}

/** The form of a new merge request, and of one that is changed. */
export function MergeRequestForm(props: MergeRequestFormProps) {
  const { site, place, title, action, back, draft, errors, carries, offered, endsAutoMerge = false } = props;
  const { maySet } = offered;
  const isNew = carries === undefined;
  const does = isNew ? 'Create merge request' : 'Save changes';
  return (
    <PlaceLayout site={site} place={place} title={errors ? `Error: ${title}` : title} current="merge-requests">
      <h1>{title}</h1>
      {errors && <NotSaved />}
      {!maySet && (
        <p class="lead">You need at least the Reporter role to choose labels, milestone, assignee and reviewer.</p>
      )}
      <Form csrf={site.visitor!.csrf} action={action} {...(carries && { carries })}>
        {maySet && <SavedByEnter offered={offered} does={does} />}
        {isNew && (
          <TextField
            name="source_branch"
            label="Source branch"
            hint="What is merged."
            value={draft.source}
            errors={errors?.source}
            suggestions={offered.branches}
            technical
            required
          />
        )}
        {isNew && offered.targets.length > 1 && (
          <>
            <SelectField
              name="target_project"
              label="Target project"
              value={draft.targetProject}
              errors={errors?.targetProject}
              options={offered.targets.map(({ id, fullPath }) => ({ value: String(id), label: fullPath }))}
            />
            <input type="hidden" name="offers_of" value={String(offered.target?.id ?? '')} />
            <p class="hint">
              What is offered below is that of <bdi>{offered.target?.fullPath}</bdi>.{' '}
              {offered.targets
                .filter(({ id }) => id !== offered.target?.id)
                .map(({ id, fullPath }) => (
                  <a href={`?${new URLSearchParams({ target_project: String(id), source: draft.source }).toString()}`}>
                    Show that of <bdi>{fullPath}</bdi>
                  </a>
                ))}
            </p>
          </>
        )}
        <TextField
          name="target_branch"
          label="Target branch"
          hint="What it is merged into."
          value={draft.target}
          errors={errors?.target}
          suggestions={offered.targetBranches}
          technical
          required
        />
        <TextField name="title" label="Title" value={draft.title} errors={errors?.title} required />
        <TextField
          name="description"
          label="Description"
          hint="As Markdown. “Closes #1” closes the issue once it is merged into the default branch."
          lines={10}
          value={draft.description}
          errors={errors?.description}
        />
        {isNew && (
          <Choices
            name="readiness"
            label="Readiness"
            choices={[
              { name: 'draft', label: 'Draft', says: 'It isn’t ready, and can’t be merged yet.', chosen: draft.draft },
            ]}
          />
        )}
        {maySet && <Attributes draft={draft} errors={errors} offered={offered} />}
        <Choices
          name="merging"
          label="When it is merged"
          choices={[
            {
              name: 'squash',
              label: 'Squash commits',
              says:
                offered.squashOption === 'always'
                  ? 'Its commits become one. The project requires it.'
                  : offered.squashOption === 'never'
                    ? 'The project doesn’t allow it.'
                    : 'Its commits become one.',
              chosen: draft.squash,
              disabled: decidesSquash(offered.squashOption),
            },
            { name: 'remove', label: 'Delete the source branch', chosen: draft.removes },
          ]}
        />
        <TextField
          name="merge_after"
          label="Not merged before"
          type="datetime-local"
          hint={`A time in ${site.timeZone}. Empty: it may be merged at any time.${endsAutoMerge ? ' Another one ends its automatic merge, since you may not merge it.' : ''}`}
          value={draft.mergeAfter}
          errors={errors?.mergeAfter}
        />
        <div class="decision">
          <button class="button primary">{does}</button>
          <a href={back}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>
  );
}

function Attributes({ draft, errors, offered }: Pick<MergeRequestFormProps, 'draft' | 'errors' | 'offered'>) {
  return (
    <>
      {(['assignee', 'reviewer'] as const).map((name) => (
        <TextField
          name={name}
          label={name === 'assignee' ? 'Assignee' : 'Reviewer'}
          hint="A username. Leave it empty to assign no one."
          value={draft[name]}
          errors={errors?.[name]}
          suggestions={offered.people}
          technical
        />
      ))}
      <Offers draft={draft} errors={errors} offered={offered} />
    </>
  );
}
