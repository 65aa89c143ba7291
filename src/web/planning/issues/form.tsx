import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Choices, Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import type { IssueDraft, IssueErrors } from './draft.ts';
import type { Offered } from './offered.ts';
import { Offers, SavedByEnter } from './offers.tsx';

interface IssueFormProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly title: string;
  /** The path that the form is sent to, and the one of Cancel. */
  readonly action: string;
  readonly back: string;
  readonly draft: IssueDraft;
  readonly errors?: IssueErrors | undefined;
  /** What the page showed; the form changes only what differs. */
  readonly carries?: Readonly<Record<string, string>>;
  readonly offered: Offered;
  /** Whether the viewer may choose labels, milestone, assignee and due date. */
  readonly maySet: boolean;
  /** Whether the viewer may choose confidentiality. */
  readonly mayHide: boolean;
  /** The label of the button. */
  readonly does: string;
}

/** The form of a new issue, and of one that is changed. */
export function IssueForm(props: IssueFormProps) {
  const { site, place, title, action, back, draft, errors, carries, offered, maySet, mayHide, does } = props;
  return (
    <PlaceLayout site={site} place={place} title={errors ? `Error: ${title}` : title} current="issues">
      <h1>{title}</h1>
      {errors && <NotSaved />}
      {!maySet && (
        <p class="lead">
          {does === 'Create issue'
            ? 'Only members of the project choose labels, milestone, assignee and due date.'
            : 'You need at least the Planner role to change labels, milestone, assignee and due date.'}
        </p>
      )}
      <Form csrf={site.visitor!.csrf} action={action} {...(carries && { carries })}>
        <SavedByEnter offered={offered} does={does} />
        <TextField name="title" label="Title" value={draft.title} errors={errors?.title} required />
        <TextField
          name="description"
          label="Description"
          hint="As Markdown."
          lines={10}
          value={draft.description}
          errors={errors?.description}
        />
        {mayHide && (
          <Choices
            name="confidentiality"
            label="Confidentiality"
            choices={[
              {
                name: 'confidential',
                label: 'This issue is confidential',
                says: 'Only its author, its assignee, and people with at least the Planner role see it.',
                chosen: draft.confidential,
              },
            ]}
          />
        )}
        {maySet && <Attributes draft={draft} errors={errors} offered={offered} />}
        <div class="decision">
          <button class="button primary">{does}</button>
          <a href={back}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>
  );
}

function Attributes({ draft, errors, offered }: Pick<IssueFormProps, 'draft' | 'errors' | 'offered'>) {
  return (
    <>
      <TextField
        name="assignee"
        label="Assignee"
        hint="A username. Leave it empty to assign no one."
        value={draft.assignee}
        errors={errors?.assignee}
        suggestions={offered.people}
        technical
      />
      <TextField name="due_date" label="Due date" type="date" value={draft.dueDate} errors={errors?.dueDate} />
      <Offers draft={draft} errors={errors} offered={offered} />
    </>
  );
}
