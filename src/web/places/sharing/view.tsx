import type { Mistakes, Typed } from '../../site/forms/attributes.tsx';
import { Day } from '../../site/records/day.tsx';
import { Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Table } from '../../site/records/records.tsx';
import { PlaceLayout } from '../place/layout.tsx';
import { placePath, roles, sharingPath, type Role } from '../place/place.ts';
import type { PlaceHead } from '../place/route.ts';

/** A group with which a place is shared. */
interface Share {
  readonly groupDatabaseId: number;
  readonly groupName: string;
  readonly groupFullPath: string;
  readonly accessLevel: { readonly stringValue: Role };
  readonly expiresAt: string | null;
}

/** A group or a project with its shares. */
export interface Shared {
  readonly name: string;
  readonly fullPath: string;
  readonly permissions: { readonly edits: boolean; readonly owns: boolean };
  readonly sharedWithGroups: readonly Share[];
  /** The group of a project, if the viewer sees it. */
  readonly group?: { readonly shareWithGroupLock: boolean } | null;
}

interface SharingProps {
  readonly site: Site;
  readonly head: PlaceHead;
  readonly place: Shared;
  /** Words of the names or paths that are shown. */
  readonly search?: string;
  /** What was typed, if the form has errors. */
  readonly typed?: Typed;
  readonly mistakes?: Mistakes;
}

/** How many groups a page shows; a search finds the others. */
const most = 100;

/** The groups with which a place is shared, and the form for another one. */
export function Sharing({ site, head, place, search = '', typed = {}, mistakes = {} }: SharingProps) {
  const { kind } = head;
  const { name, fullPath, permissions, sharedWithGroups: all } = place;
  const isFound = ({ groupName, groupFullPath }: Share) =>
    `${groupName} ${groupFullPath}`.toLowerCase().includes(search.toLowerCase());
  const found = all.filter(isFound);
  const shares = found.slice(0, most);
  const here = sharingPath(kind, fullPath);
  const wrong = Object.keys(mistakes).length > 0;
  const title = `Sharing of ${name}`;
  return (
    <PlaceLayout site={site} place={head} title={wrong ? `Error: ${title}` : title} current="settings">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="lead">
        {kind === 'group'
          ? 'Direct members of an invited group get a role in this group and in everything below it.'
          : 'All members of an invited group get a role in this project.'}{' '}
        No one gets a higher role than they have in the invited group.
      </p>
      {wrong && <NotSaved />}
      {all.length > most && (
        <form class="filters" method="get" action={here} role="search">
          <TextField
            name="search"
            label="Name or path of a group"
            type="search"
            value={search}
            hint={found.length > most ? `The first ${most} of ${found.length} are below.` : undefined}
          />
          <button class="button">Find</button>
        </form>
      )}
      <Table
        caption="Groups with which it is shared"
        columns={['Group', 'Highest role', 'Until', { hidden: 'Actions' }]}
        rows={shares.map((share) => [
          <>
            <a href={placePath('group', share.groupFullPath)}>
              <bdi>{share.groupName}</bdi>
            </a>
            <br />
            <code>{share.groupFullPath}</code>
          </>,
          roles[share.accessLevel.stringValue],
          share.expiresAt === null ? 'No end' : <Day at={share.expiresAt} />,
          permissions.owns || share.accessLevel.stringValue !== 'OWNER' ? (
            <Form csrf={site.visitor!.csrf} action={here} carries={{ remove: String(share.groupDatabaseId) }}>
              <button class="button">
                Remove <span class="hidden">{share.groupName}</span>
              </button>
            </Form>
          ) : (
            'Only owners can remove it.'
          ),
        ])}
        empty={search === '' ? 'It isn’t shared with any group that you can see.' : 'None of them has such a name.'}
      />
      <h2>Share with another group</h2>
      {place.group?.shareWithGroupLock ? (
        <p class="empty">
          The group of this project doesn’t allow sharing: existing shares have no effect, and you can’t add any. Owners
          of the group can allow it.
        </p>
      ) : (
        <Form csrf={site.visitor!.csrf} action={here}>
          <TextField
            name="group"
            label="Group"
            hint={
              kind === 'group'
                ? 'The full path of a group that you can see, for example demo/platform.'
                : 'The full path of a group that you are a member of, for example demo/platform.'
            }
            value={typed.group ?? ''}
            errors={mistakes.group}
            technical
            required
          />
          <SelectField
            name="role"
            label="Highest role"
            hint={permissions.owns ? undefined : 'Only owners can give the Owner role.'}
            value={typed.role ?? 'GUEST'}
            errors={mistakes.role}
            options={Object.entries(roles)
              .filter(([role]) => permissions.owns || role !== 'OWNER')
              .map(([value, label]) => ({ value, label }))}
          />
          <TextField
            name="expires_at"
            label="Until"
            type="date"
            hint="Optional. It ends on this day, at 00:00 UTC."
            value={typed.expires_at ?? ''}
            errors={mistakes.expires_at}
          />
          <div class="decision">
            <button class="button primary">Share</button>
          </div>
        </Form>
      )}
    </PlaceLayout>
  );
}
