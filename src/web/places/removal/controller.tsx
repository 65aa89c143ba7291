import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { Conflict, Forbidden } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { seeOtherSaying } from '../../site/visit.ts';
import { placeFinder } from '../place/find.ts';
import { PlaceLayout } from '../place/layout.tsx';
import { placePath, removalPath, settingsPath } from '../place/place.ts';
import type { PlaceHead, PlaceRoute } from '../place/route.ts';

interface Removed {
  readonly name: string;
  readonly fullPath: string;
  readonly permissions: { readonly owns: boolean };
}

/** The pages on which owners remove groups and projects, and archive projects. */
export function removalPages(schema: GraphQLSchema): PlaceRoute[] {
  const shown = 'name fullPath';
  const found = placeFinder<Removed>(schema, { group: shown, project: shown }, ({ permissions }, kind) =>
    permissions.owns ? undefined : `Only owners remove or archive the ${kind}.`,
  );
  const remove = {
    group: compileOperation<object>(
      schema,
      'mutation ($path: ID!) { deleteGroup(input: { group: $path }) { clientMutationId } }',
    ),
    project: compileOperation<object>(
      schema,
      'mutation ($path: ID!) { deleteProject(input: { project: $path }) { clientMutationId } }',
    ),
  };
  const archive = {
    on: compileOperation<object>(
      schema,
      'mutation ($path: ID!) { archiveProject(input: { project: $path }) { clientMutationId } }',
    ),
    off: compileOperation<object>(
      schema,
      'mutation ($path: ID!) { unarchiveProject(input: { project: $path }) { clientMutationId } }',
    ),
  };

  return [
    {
      path: '/remove',
      name: 'remove',
      forPeople: true,
      async get(visit, head) {
        const place = await found(visit, head);
        return place && toAnswer(<Removal site={visit.site} head={head} place={place} />);
      },
      async post(visit, head, { path = '' }) {
        const { kind } = head;
        const place = await found(visit, head);
        if (!place) return null;
        const again = (problem: string) =>
          toAnswer(<Removal site={visit.site} head={head} place={place} typed={path} problem={problem} />, 422);
        if (path.trim() !== place.fullPath) return again('This isn’t its path.');
        try {
          await remove[kind].execute(visit.context, { path: place.fullPath });
        } catch (thrown) {
          const problem = domainError(thrown);
          if (problem instanceof Conflict || problem instanceof Forbidden) return again(problem.message);
          throw thrown;
        }
        return seeOtherSaying('place_removed', '/', visit);
      },
    },
    {
      path: '/archive',
      name: 'archive',
      of: 'project',
      forPeople: true,
      leadsTo: (_visit, { fullPath }) => settingsPath('project', fullPath),
      async post(visit, head, { archived }) {
        const place = await found(visit, head);
        if (!place) return null;
        await archive[archived === 'on' ? 'on' : 'off'].execute(visit.context, { path: place.fullPath });
        const notice = archived === 'on' ? 'project_archived' : 'project_unarchived';
        return seeOtherSaying(notice, settingsPath('project', place.fullPath), visit);
      },
    },
  ];
}

interface RemovalProps {
  readonly site: Site;
  readonly head: PlaceHead;
  readonly place: Removed;
  readonly typed?: string;
  readonly problem?: string;
}

/** Asks for the path before everything in a place goes. */
function Removal({ site, head, place, typed = '', problem }: RemovalProps) {
  const { kind } = head;
  const { name, fullPath } = place;
  const title = `Remove ${name}?`;
  return (
    <PlaceLayout site={site} place={head} title={problem === undefined ? title : `Error: ${title}`} current="settings">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="lead">
        {kind === 'group'
          ? 'This deletes the group with its subgroups, its projects and everything in them: repositories, issues, settings.'
          : 'This deletes the project with its repository, its issues, its merge requests and all settings.'}{' '}
        This can’t be undone.
      </p>
      {problem !== undefined && <NotSaved />}
      <Form csrf={site.visitor!.csrf} action={removalPath(kind, fullPath)}>
        <TextField
          name="path"
          label={`Type ${fullPath} to confirm`}
          value={typed}
          errors={problem === undefined ? undefined : [problem]}
          autocomplete="off"
          technical
          required
          focused={problem !== undefined}
        />
        <div class="decision">
          <button class="button danger">Remove the {kind}</button>
          <a href={placePath(kind, fullPath)}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>
  );
}
