import { Form, Obstacle, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { PlaceLayout } from '../place/layout.tsx';
import { placePath, transferPath } from '../place/place.ts';
import type { PlaceHead } from '../place/route.ts';

/** A group or a project that its owner may transfer. */
export interface Transferred {
  readonly name: string;
  readonly fullPath: string;
  readonly permissions: { readonly owns: boolean };
}

/** A group to which it can be transferred. */
export interface Location {
  readonly fullPath: string;
  readonly fullName: string;
}

interface TransferProps {
  readonly site: Site;
  readonly head: PlaceHead;
  readonly place: Transferred;
  readonly locations: readonly Location[];
  /** Whether there are more of them. */
  readonly more: boolean;
  readonly search: string;
  /** What was chosen, if the form is shown again. */
  readonly chosen?: string | undefined;
  /** Why it wasn’t transferred. */
  readonly obstacle?: string | undefined;
}

/** The value of the choice to have no parent group. */
export const topLevel = '/';

/** The form that transfers a group or a project. */
export function Transfer({ site, head, place, locations, more, search, chosen, obstacle }: TransferProps) {
  const { kind } = head;
  const { name, fullPath } = place;
  const here = transferPath(kind, fullPath);
  const title = `Transfer ${name}`;
  const own = site.visitor!.username;
  const isNested = fullPath.includes('/');
  const options = [
    // Nothing is chosen before the person does: a transfer changes addresses and members.
    { value: '', label: 'Choose one' },
    ...(kind === 'project' && !fullPath.startsWith(`${own}/`)
      ? [{ value: own, label: `Your own namespace (${own})` }]
      : []),
    ...(kind === 'group' && isNested ? [{ value: topLevel, label: 'No parent group' }] : []),
    ...locations.map((group) => ({ value: group.fullPath, label: group.fullName })),
  ];
  return (
    <PlaceLayout site={site} place={head} title={obstacle === undefined ? title : `Error: ${title}`} current="settings">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="lead">
        A transfer moves this {kind} to another place. Its address changes, and the former one redirects. Its own
        members stay; members of the former group lose access.
        {kind === 'project'
          ? ' It becomes at most as visible as the group.'
          : ' Everything in it moves too, and nothing gets more visible than the parent group.'}
      </p>
      {obstacle !== undefined && <Obstacle tone="warning">{obstacle}</Obstacle>}
      {(more || search !== '') && (
        <form class="filters" method="get" action={here}>
          <TextField name="search" label="Name or path of a group" type="search" value={search} />
          <button class="button">Search</button>
        </form>
      )}
      {search !== '' && locations.length === 0 ? (
        <p class="empty">None of the groups to which you can transfer it matches.</p>
      ) : options.length === 1 ? (
        <p class="empty">
          {kind === 'project'
            ? 'There is no other group in which you have at least the Maintainer role.'
            : 'There is no other group in which you may create subgroups.'}
        </p>
      ) : (
        <Form csrf={site.visitor!.csrf} action={here} carries={{ search: search === '' ? undefined : search }}>
          <SelectField
            name="to"
            label={kind === 'project' ? 'New namespace' : 'New parent group'}
            hint={
              kind === 'project'
                ? 'Groups in which you create projects as a maintainer.'
                : 'Groups in which you create subgroups.'
            }
            options={options}
            value={chosen ?? ''}
            required
          />
          <div class="decision">
            <button class="button danger">Transfer this {kind}</button>
            <a href={placePath(kind, fullPath)}>Cancel</a>
          </div>
        </Form>
      )}
    </PlaceLayout>
  );
}
