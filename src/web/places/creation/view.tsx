import type { Mistakes } from '../../site/forms/attributes.tsx';
import type { Fields } from '../../site/forms/fields.ts';
import { Choices, Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import { Layout, type Site } from '../../site/layout/layout.tsx';
import { visibilities, type Kind } from '../place/place.ts';

export const newGroupPath = '/-/groups/new';
export const newProjectPath = '/-/projects/new';

/** A group in which something can be made. */
export interface Namespace {
  readonly fullPath: string;
  readonly fullName: string;
}

interface NewPlaceProps {
  readonly site: Site;
  readonly kind: Kind;
  readonly groups: readonly Namespace[];
  /** Whether there are more of them. */
  readonly more: boolean;
  readonly search: string;
  readonly typed: Fields;
  readonly mistakes: Mistakes;
}

/** The form for a new group or project. */
export function NewPlace({ site, kind, groups, more, search, typed, mistakes }: NewPlaceProps) {
  const wrong = Object.keys(mistakes).length > 0;
  const title = `New ${kind}`;
  const own = kind === 'group' ? 'At the top' : `Yours: ${site.visitor!.username}`;
  const path = kind === 'group' ? newGroupPath : newProjectPath;
  const searches = more || search !== '';
  // After a search one wants what it found.
  const within = typed.in ?? (search === '' ? '' : (groups[0]?.fullPath ?? ''));
  // A link may name a group that isn’t among the first.
  const further = within !== '' && groups.every(({ fullPath }) => fullPath !== within) ? [within] : [];
  return (
    <Layout site={site} title={wrong ? `Error: ${title}` : title}>
      <h1>{title}</h1>
      {wrong && <NotSaved />}
      {searches && (
        <form class="filters" method="get" action={path} role="search">
          <TextField
            name="search"
            label="Find the group it belongs in, by its name or path"
            type="search"
            value={search}
            focused={search !== '' && groups.length === 0}
          />
          <button class="button">Search</button>
        </form>
      )}
      {search !== '' && groups.length === 0 && (
        <p class="empty">None of the groups in which you can create a {kind} matches.</p>
      )}
      <Form csrf={site.visitor!.csrf} action={path} carries={{ search: search === '' ? undefined : search }}>
        <TextField
          name="name"
          label="Name"
          value={typed.name ?? ''}
          errors={mistakes.name}
          required
          focused={mistakes.name !== undefined || (!wrong && (!searches || groups.length > 0))}
        />
        <TextField
          name="path"
          label="Path"
          hint="The last part of its address. If you leave it empty, it is made from the name."
          value={typed.path ?? ''}
          errors={mistakes.path}
          technical
        />
        <SelectField
          name="in"
          label={kind === 'group' ? 'In the group' : 'Where'}
          value={within}
          errors={mistakes.in ?? mistakes.parent ?? mistakes.namespace}
          options={[
            { value: '', label: own },
            ...further.map((path) => ({ value: path, label: path })),
            ...groups.map(({ fullPath, fullName }) => ({ value: fullPath, label: fullName })),
          ]}
        />
        <TextField
          name="description"
          label="Description"
          value={typed.description ?? ''}
          errors={mistakes.description}
          lines={2}
        />
        <SelectField
          name="visibility"
          label="Visibility"
          value={typed.visibility ?? 'private'}
          errors={mistakes.visibility ?? mistakes.visibilityLevel}
          options={Object.entries(visibilities).map(([value, label]) => ({ value, label }))}
        />
        {kind === 'project' && (
          <Choices
            name="start"
            label="To begin with"
            choices={[
              {
                name: 'readme',
                label: 'A repository with a README',
                says: 'Don’t choose this if you want to push a repository that you have.',
                chosen: typed.readme === 'on',
              },
            ]}
          />
        )}
        <div class="decision">
          <button class="button primary">Create {kind}</button>
          <a href="/">Cancel</a>
        </div>
      </Form>
    </Layout>
  );
}
