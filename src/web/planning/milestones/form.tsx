import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';

/** What the form of a milestone holds; the days as ISO 8601. */
export interface MilestoneDraft {
  readonly title: string;
  readonly description: string;
  readonly start_date: string;
  readonly due_date: string;
}

/** Error messages by field, in sentences. */
export type MilestoneErrors = { readonly [Field in keyof MilestoneDraft]?: readonly string[] };

interface MilestoneFormProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly title: string;
  readonly action: string;
  /** Where Cancel leads. */
  readonly back: string;
  readonly draft: MilestoneDraft;
  readonly carries?: Readonly<Record<string, string>>;
  readonly errors?: MilestoneErrors | undefined;
  /** The label of the button. */
  readonly does: string;
}

/** The form of a new milestone, and of one that is changed. */
export function MilestoneForm(props: MilestoneFormProps) {
  const { site, place, title, action, back, draft, carries, errors, does } = props;
  return (
    <PlaceLayout site={site} place={place} title={errors ? `Error: ${title}` : title} current="milestones">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {errors && <NotSaved />}
      <Form csrf={site.visitor!.csrf} action={action} {...(carries && { carries })}>
        <TextField name="title" label="Title" value={draft.title} errors={errors?.title} required />
        <TextField
          name="description"
          label="Description"
          hint="As Markdown."
          lines={6}
          value={draft.description}
          errors={errors?.description}
        />
        <TextField
          name="start_date"
          label="Start date"
          type="date"
          value={draft.start_date}
          errors={errors?.start_date}
        />
        <TextField name="due_date" label="Due date" type="date" value={draft.due_date} errors={errors?.due_date} />
        <div class="decision">
          <button class="button primary">{does}</button>
          <a href={back}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>
  );
}
