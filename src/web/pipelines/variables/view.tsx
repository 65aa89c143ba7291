import { below, PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Choices, Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Facts, Pager } from '../../site/records/records.tsx';

/** The address of a page of variables. */
export const variablesPath = (place: PlaceHead, page = ''): string => below(place, `/variables${page}`);

export interface ShownVariable {
  readonly id: number;
  readonly key: string;
  /** Selected for the one that is shown. */
  readonly value?: string | null;
  readonly variableType: 'ENV_VAR' | 'FILE';
  readonly hidden: boolean;
  readonly protected: boolean;
  readonly masked: boolean;
  readonly raw: boolean;
  readonly environmentScope: string;
  readonly description: string | null;
}

/** The name and the environments of a variable, as a part of an address. */
export const nameOf = ({ key, environmentScope }: Pick<ShownVariable, 'key' | 'environmentScope'>): string =>
  Buffer.from(JSON.stringify([key, environmentScope])).toString('base64url');

/** The values in the form of a variable. */
export interface VariableDraft {
  readonly key: string;
  readonly value: string;
  readonly variableType: string;
  readonly environmentScope: string;
  readonly description: string;
  readonly protected: boolean;
  readonly masked: boolean;
  readonly hidden: boolean;
  readonly raw: boolean;
}

export const emptyDraft: VariableDraft = {
  key: '',
  value: '',
  variableType: 'ENV_VAR',
  environmentScope: '*',
  description: '',
  protected: false,
  masked: false,
  hidden: false,
  raw: false,
};

/** Error messages by field, in sentences. */
export type VariableErrors = Readonly<Record<string, readonly string[] | undefined>>;

interface ListProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly variables: readonly ShownVariable[];
  /** The variable whose value is shown. */
  readonly shown: number | undefined;
  readonly pages: { readonly before: string | null; readonly after: string | null };
  readonly draft: VariableDraft;
  readonly errors?: VariableErrors | undefined;
}

/** The variables of a place, and the form that adds one. A value is on the page only if someone asked for it. */
export function VariableList({ site, place, variables, shown, pages, draft, errors }: ListProps) {
  const title = `CI variables · ${place.name}`;
  return (
    <PlaceLayout
      site={site}
      place={place}
      title={errors ? `Error: ${title}` : title}
      current="variables"
      load={shown === undefined ? [] : ['copy.js']}
    >
      <h1>CI variables</h1>
      <p class="lead">
        Environment variables for the jobs of {place.kind === 'project' ? 'this project' : 'the projects in this group'}
        . A job can print what it gets: protect variables that only some branches need, and mask those that logs must
        not show.
      </p>
      {errors && <NotSaved />}
      {variables.length === 0 && <p class="empty">No variables yet.</p>}
      <ul class="records">
        {variables.map((variable) => (
          <li>
            <h2>
              <code>{variable.key}</code> <Badges of={variable} />
            </h2>
            <Facts
              facts={[
                ['Value', <Value of={variable} place={place} isShown={variable.id === shown} />],
                ['Environments', variable.environmentScope === '*' ? 'All' : <code>{variable.environmentScope}</code>],
                ['Description', variable.description && <bdi>{variable.description}</bdi>],
              ]}
            />
            {!place.archived && (
              <p class="ways">
                {['Edit', 'Remove'].map((way) => (
                  <a href={variablesPath(place, `/${nameOf(variable)}/${way.toLowerCase()}`)}>
                    {way}
                    <span class="hidden"> the variable {variable.key}</span>
                  </a>
                ))}
              </p>
            )}
          </li>
        ))}
      </ul>
      <Pager of="variables" {...pages} labels={['Before', 'After']} />
      {!place.archived && (
        <>
          <h2>Add a variable</h2>
          <Form csrf={site.visitor!.csrf} action={variablesPath(place)}>
            <TextField
              name="key"
              label="Name"
              hint="Letters, digits and underscores."
              value={draft.key}
              errors={errors?.key}
              technical
              required
            />
            <Fields draft={draft} errors={errors} isNew />
            <div class="decision">
              <button class="button primary">Add the variable</button>
            </div>
          </Form>
        </>
      )}
    </PlaceLayout>
  );
}

interface EditProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly of: ShownVariable;
  readonly draft: VariableDraft;
  readonly errors?: VariableErrors | undefined;
}

/** The form of a variable that is there. */
export function EditVariable({ site, place, of, draft, errors }: EditProps) {
  const title = `Edit the variable ${of.key}`;
  return (
    <PlaceLayout site={site} place={place} title={errors ? `Error: ${title}` : title} current="variables">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {errors && <NotSaved />}
      <Form csrf={site.visitor!.csrf} action={variablesPath(place, `/${nameOf(of)}/edit`)}>
        <Fields draft={draft} errors={errors} />
        <div class="decision">
          <button class="button primary">Save changes</button>
          <a href={variablesPath(place)}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>
  );
}

interface FieldsProps {
  readonly draft: VariableDraft;
  readonly errors?: VariableErrors | undefined;
  readonly isNew?: boolean;
}

const Fields = ({ draft, errors, isNew = false }: FieldsProps) => (
  <>
    <TextField
      name="value"
      label={isNew ? 'Value' : 'New value'}
      {...(!isNew && { hint: 'Empty: the value stays as it is.' })}
      value={draft.value}
      errors={errors?.value}
      lines={3}
      technical
    />
    <SelectField
      name="variable_type"
      label="What a job gets"
      options={[
        { value: 'ENV_VAR', label: 'The value' },
        { value: 'FILE', label: 'The name of a file with the value' },
      ]}
      value={draft.variableType}
    />
    <TextField
      name="environment_scope"
      label="Environments"
      hint="A name, or a pattern such as review/*. All: *"
      value={draft.environmentScope}
      errors={errors?.environmentScope}
      technical
    />
    <TextField name="description" label="Description" value={draft.description} errors={errors?.description} />
    <Choices
      name="rights"
      label="Who sees it"
      errors={errors?.base ?? []}
      choices={[
        {
          name: 'protected',
          label: 'Protected',
          says: 'Only jobs of protected branches and tags get it.',
          chosen: draft.protected,
        },
        {
          name: 'masked',
          label: 'Masked',
          says: 'Logs show [MASKED] instead of the value. The value must have at least 8 characters, without spaces.',
          chosen: draft.masked,
        },
        ...(isNew
          ? [
              {
                name: 'hidden',
                label: 'Masked and hidden',
                says: 'Pages and the API never show the value again.',
                chosen: draft.hidden,
              },
            ]
          : []),
        {
          name: 'raw',
          label: 'As it is',
          says: '$NAME in the value isn’t replaced by another variable.',
          chosen: draft.raw,
        },
      ]}
    />
  </>
);

function Value({ of, place, isShown }: { of: ShownVariable; place: PlaceHead; isShown: boolean }) {
  if (of.hidden) return 'Hidden';
  if (isShown && of.value) return <code class="secret">{of.value}</code>;
  if (isShown) return of.value === null ? 'It can’t be read anymore. Set it again.' : 'Empty';
  return (
    <a href={variablesPath(place, `?show=${of.id}`)}>
      Show<span class="hidden"> the value of {of.key}</span>
    </a>
  );
}

const Badges = ({ of }: { readonly of: ShownVariable }) => (
  <>
    {of.protected && <Badge>Protected</Badge>} {of.hidden ? <Badge>Hidden</Badge> : of.masked && <Badge>Masked</Badge>}{' '}
    {of.variableType === 'FILE' && <Badge>File</Badge>} {of.raw && <Badge>As it is</Badge>}
  </>
);
