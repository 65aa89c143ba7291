import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { changedAttributes, mistakesIn, namesOf, typedIn, type Mistakes } from '../../site/forms/attributes.tsx';
import { edited } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { seeOtherSaying } from '../../site/visit.ts';
import { placeFinder, unlessEditor } from '../place/find.ts';
import { settingsPath, visibilities, type Kind } from '../place/place.ts';
import type { PlaceRoute } from '../place/route.ts';
import { attributesOf, groupAttributeNames, ownFields, PlaceSettings, type Configured } from './view.tsx';

const labels = {
  name: 'The name',
  path: 'The path',
  description: 'The description',
  visibility: 'The visibility',
  visibilityLevel: 'The visibility',
  topics: 'The topics',
};

/** How many branches the field for the default one suggests. */
const suggestedBranches = 100;

/** The fields of problems that name something else. */
const fieldsOf: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  group: { sharedRunnersEnabled: 'sharedRunnersSetting' },
  project: {
    'projectFeature.mergeRequestsAccessLevel': 'mergeRequestsAccessLevel',
    'projectFeature.buildsAccessLevel': 'buildsAccessLevel',
  },
};

function mistakesOf(kind: Kind, { fields: { base, ...fields } }: InvalidFields): Mistakes {
  const byField = Object.entries(fields).map(([name, why]) => [fieldsOf[kind][name] ?? name, why]);
  return {
    ...mistakesIn(Object.fromEntries(byField), labels),
    // About the repository as a whole, of which the form has the default branch.
    ...(base && { rootRef: base.map((why) => `${why}.`) }),
  };
}

/** The settings pages of groups and projects. */
export function settingsPage(schema: GraphQLSchema): PlaceRoute {
  const common = 'name path fullPath description visibility';
  const branches = `branchNames(searchPattern: "*", offset: 0, limit: ${suggestedBranches})`;
  const found = placeFinder<Configured>(
    schema,
    {
      group: `${common} ${groupAttributeNames.join(' ')}`,
      project: `${common} topics archived attributes repository { rootRef ${branches} }`,
    },
    unlessEditor,
  );
  const update = {
    group: compileOperation<{ changed: { place: { fullPath: string } } }>(
      schema,
      'mutation ($input: GroupUpdateInput!) { changed: groupUpdate(input: $input) { place: group { fullPath } } }',
    ),
    project: compileOperation<{ changed: { place: { fullPath: string } } }>(
      schema,
      'mutation ($input: UpdateProjectInput!) { changed: updateProject(input: $input) { place: project { fullPath } } }',
    ),
  };

  return {
    path: '/edit',
    name: 'settings',
    forPeople: true,
    async get(visit, head) {
      const place = await found(visit, head);
      return place && toAnswer(<PlaceSettings site={visit.site} head={head} place={place} />);
    },
    async post(visit, head, form) {
      const { kind } = head;
      const place = await found(visit, head);
      if (!place) return null;
      const { table, sections } = attributesOf(kind, place);
      const attributeNames = namesOf(sections);
      const again = (mistakes: Mistakes) => {
        const typed = typedIn([...ownFields, ...attributeNames], form);
        return toAnswer(
          <PlaceSettings site={visit.site} head={head} place={place} typed={typed} mistakes={mistakes} />,
          422,
        );
      };
      // Those who don’t own it don’t have the field.
      const fields = ownFields.filter((name) => form[name] !== undefined);
      const { topics, visibility, rootRef, ...texts } = edited(form, fields);
      const { input, mistakes } = changedAttributes(table, attributeNames, form);
      if (Object.keys(mistakes).length > 0) return again(mistakes);
      const changes = {
        ...texts,
        ...input,
        ...(topics !== undefined && kind === 'project' && { topics: topics.split(',').filter((one) => one.trim()) }),
        ...(rootRef && kind === 'project' && { defaultBranch: rootRef }),
        ...(visibility !== undefined && Object.hasOwn(visibilities, visibility) && { visibility }),
      };
      if (Object.keys(changes).length === 0)
        return seeOtherSaying('nothing_changed', settingsPath(kind, place.fullPath), visit);
      const id = kind === 'group' ? { fullPath: place.fullPath } : { project: place.fullPath };
      try {
        const { changed } = await update[kind].execute(visit.context, { input: { ...id, ...changes } });
        return seeOtherSaying('place_saved', settingsPath(kind, changed.place.fullPath), visit);
      } catch (problem) {
        if (!(problem instanceof InvalidFields)) throw problem;
        return again(mistakesOf(kind, problem));
      }
    },
  };
}
