import type { GraphQLSchema } from 'graphql';
import { NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { isRecordNumber } from '../../site/paths.ts';
import type { Visit } from '../../site/visit.ts';
import type { ShownLabel } from '../labels/chip.tsx';

/** How many labels and milestones a form offers at once; a search in the form finds the others. */
export const mostOffered = 100;
/** The longest text that is searched. */
const longest = 255;

interface OfferedLabel extends ShownLabel {
  readonly id: number;
}

interface OfferedMilestone {
  readonly id: number;
  readonly title: string;
}

/** What a form lets a person look for. */
const searchable = ['labels', 'milestones'] as const;
export type Searchable = (typeof searchable)[number];

/** What a person looks for among the labels and the milestones that a form offers. */
export interface Sought extends Readonly<Record<Searchable, string>> {
  /** What they looked for last. */
  readonly last?: Searchable | undefined;
}

const seeksNothing: Sought = { labels: '', milestones: '' };

/** The labels, milestones and people that a form offers. */
export interface Offered {
  readonly labels: readonly OfferedLabel[];
  readonly milestones: readonly OfferedMilestone[];
  /** Which of them there are more of than the form offers. */
  readonly more: Readonly<Record<Searchable, boolean>>;
  /** How many of them match what the person looks for. */
  readonly found: Readonly<Record<Searchable, number>>;
  readonly sought: Sought;
  /** Usernames. */
  readonly people: readonly string[];
}

/** What an issue or a merge request has, or what is chosen for it: always offered. */
interface Chosen {
  readonly labels: readonly OfferedLabel[];
  readonly milestone: OfferedMilestone | null;
}

/** The labels and the milestone that a person chose, by number. */
interface Draft {
  readonly labels: readonly string[];
  readonly milestone: string;
}

const searched = (form: Fields, of: Searchable) => (form[`find_${of}`] ?? '').slice(0, longest).trim();
const hasOtherWords = (form: Fields, of: Searchable) => searched(form, of) !== (form[`found_${of}`] ?? '');

/** What a form looks for. */
export const readSought = (form: Fields): Sought => ({
  labels: searched(form, 'labels'),
  milestones: searched(form, 'milestones'),
  last: searchable.find((of) => hasOtherWords(form, of)) ?? searchable.find((of) => of === form.find),
});

/** Whether a person sent the form to find something to choose, and not to save it: by the button, or with other words. */
export const onlyFinds = (form: Fields): boolean => readSought(form).last !== undefined;

/** The first of several with the same number. */
const each = <One extends { readonly id: number }>(all: readonly One[]): One[] =>
  all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);

/** A project with what `offersFields` asks of it. */
export interface OfferedPlace {
  readonly labels: {
    readonly nodes: readonly OfferedLabel[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  };
  readonly milestones: {
    readonly nodes: readonly OfferedMilestone[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  };
  readonly chosen: { readonly nodes: readonly OfferedMilestone[] };
  readonly members: { readonly nodes: readonly { readonly user: { readonly username: string } | null }[] };
}

/** What operations select for an `OfferedPlace`, and the variables that they declare for it. */
export const offersDeclared = '$labels: String, $milestones: String, $milestone: [ID!]';
export const offersFields = `
  labels(first: ${mostOffered}, includeAncestorGroups: true, searchTerm: $labels) { nodes { id: databaseId title color } pageInfo { hasNextPage } }
  milestones(first: ${mostOffered}, includeAncestors: true, state: active, searchTitle: $milestones) { nodes { id: databaseId title } pageInfo { hasNextPage } }
  chosen: milestones(first: 1, includeAncestors: true, ids: $milestone) { nodes { id: databaseId title } }
  members: projectMembers(first: 50) { nodes { user { username } } }`;

/** The variables of `offersDeclared`. */
export const offersAsked = (sought: Sought = seeksNothing, draft?: Draft) => ({
  labels: sought.labels || null,
  milestones: sought.milestones || null,
  milestone: draft && isRecordNumber(draft.milestone) ? [draft.milestone] : [],
});

/** Reads what a form offers: what was found, and what the issue or merge request has or shall have. */
export function offersReader(schema: GraphQLSchema) {
  const findLabel = compileOperation<{ readonly label: OfferedLabel }>(
    schema,
    'query ($path: ID!, $id: String!) { label(project: $path, name: $id, includeAncestorGroups: true) { id: databaseId title color } }',
  );

  /** A label by its number; none if it is gone. */
  async function labelOf({ context }: Visit, path: string, id: string): Promise<OfferedLabel[]> {
    try {
      const { label } = await findLabel.execute(context, { path, id });
      return String(label.id) === id ? [label] : [];
    } catch (problem) {
      if (problem instanceof NotFound) return [];
      throw problem;
    }
  }

  /** @param path of the project whose labels and milestones they are @param place that project as it was read */
  return async function offersOf(
    visit: Visit,
    path: string,
    place: OfferedPlace | null,
    { sought = seeksNothing, draft, own }: { sought?: Sought | undefined; draft?: Draft; own?: Chosen | undefined },
  ): Promise<Offered> {
    const found = [...(own?.labels ?? []), ...(place?.labels.nodes ?? [])];
    const further: OfferedLabel[] = [];
    for (const id of draft?.labels.slice(0, mostOffered) ?? [])
      if (isRecordNumber(id) && found.every((label) => String(label.id) !== id))
        further.push(...(await labelOf(visit, path, id)));
    return {
      labels: each([...further, ...found]),
      milestones: each([
        ...(own?.milestone ? [own.milestone] : []),
        ...(place?.chosen.nodes ?? []),
        ...(place?.milestones.nodes ?? []),
      ]),
      more: {
        labels: place?.labels.pageInfo.hasNextPage ?? false,
        milestones: place?.milestones.pageInfo.hasNextPage ?? false,
      },
      found: { labels: place?.labels.nodes.length ?? 0, milestones: place?.milestones.nodes.length ?? 0 },
      sought,
      people: place?.members.nodes.flatMap(({ user }) => user?.username ?? []) ?? [],
    };
  };
}
