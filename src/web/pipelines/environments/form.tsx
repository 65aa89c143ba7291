import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { environmentsPath, tierWords } from './view.tsx';

/** What the form of an environment holds. */
export interface EnvironmentDraft {
  readonly name: string;
  readonly externalUrl: string;
  readonly tier: string;
  readonly description: string;
}

/** Error messages by field, in sentences. */
export type EnvironmentErrors = { readonly [Field in keyof EnvironmentDraft]?: readonly string[] | undefined };

interface FormProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly title: string;
  readonly action: string;
  /** The page before. */
  readonly back: string;
  readonly draft: EnvironmentDraft;
  readonly carries?: Readonly<Record<string, string>>;
  readonly errors?: EnvironmentErrors | undefined;
  /** Whether the tier may be left to the name. */
  readonly isNew: boolean;
}

const tiers = Object.entries(tierWords).map(([value, label]) => ({ value, label }));

/** The form of a new environment, and of one that is changed. */
export function EnvironmentForm({ site, place, title, action, back, draft, carries, errors, isNew }: FormProps) {
  return (
    <PlaceLayout site={site} place={place} title={errors ? `Error: ${title}` : title} current="environments">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {errors && <NotSaved />}
      <Form csrf={site.visitor!.csrf} action={action} {...(carries && { carries })}>
        <TextField
          name="name"
          label="Name"
          hint="For example production, or review/a-branch: what is before the slash is a folder."
          value={draft.name}
          errors={errors?.name}
          required
          technical
        />
        <TextField
          name="externalUrl"
          label="Address"
          type="url"
          hint="Optional. Where people see it: http or https."
          value={draft.externalUrl}
          errors={errors?.externalUrl}
        />
        <SelectField
          name="tier"
          label="Tier"
          value={draft.tier}
          options={isNew ? [{ value: '', label: 'By its name' }, ...tiers] : tiers}
          errors={errors?.tier}
        />
        <TextField
          name="description"
          label="Description"
          hint="Optional."
          value={draft.description}
          errors={errors?.description}
          lines={3}
        />
        <div class="decision">
          <button class="button primary">{isNew ? 'Create environment' : 'Save changes'}</button>
          <a href={back}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>
  );
}

/** Where the form of a new environment is. */
export const newEnvironmentPath = (place: PlaceHead): string => environmentsPath(place, '/new');
