import { PlainBadRequest } from '../../../errors.ts';
import { hasNameForm } from '../../../values/text/place-names.ts';
import { nameProblems } from '../../../values/text/visible-names.ts';
import { Problems } from '../../engine/input.ts';
import { pathProblems } from '../place/paths.ts';

/** Name and path of a new project; a missing one is derived from the other. */
export function namesOf({ name, path }: { name?: string | null; path?: string | null }): {
  name: string;
  path: string;
} {
  const given = { name: name?.trim() ?? '', path: path ?? '' };
  return { name: given.name || given.path, path: given.path || pathFrom(given.name) };
}

/** The path for a name: `Ünser Shop!` → `unser-shop`; a name that is a valid path stays as it is. */
function pathFrom(name: string): string {
  if (hasNameForm(name)) return name;
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '');
}

/** Refuses the address that a project would be imported from, by its name over version 4. @throws PlainBadRequest */
export function refuseImport(importUrl: string | null | undefined): void {
  if (importUrl) throw new PlainBadRequest('import_url is not offered');
}

/** What the field for it says. */
export const importUrlOptions = { description: 'Projects can’t be imported: anything here is refused.' } as const;

/** The description and topics of a project. Null and undefined aren't checked. */
export interface Descriptive {
  readonly description?: string | null | undefined;
  readonly topics?: readonly string[] | null | undefined;
}

const maxDescriptionLength = 2_000;
const maxTopics = 100;

/** Collects the problems of a description and topics. */
export function describeProblems({
  name,
  path,
  description,
  topics,
}: Descriptive & { name?: string | undefined; path?: string | undefined }): Problems {
  const problems = new Problems();
  if (name !== undefined) problems.add('name', nameProblems(name));
  if (path !== undefined) problems.add('path', pathProblems(path, false));
  problems.bound('description', description, maxDescriptionLength);
  problems.add('topics', [...new Set((topics ?? []).flatMap((topic) => nameProblems(topic)))]);
  if ((topics?.length ?? 0) > maxTopics) problems.add('topics', [`are too many (maximum is ${maxTopics})`]);
  return problems;
}

/** Topics without duplicates and surrounding space. */
export const tidyTopics = (topics: readonly string[]) => [...new Set(topics.map((topic) => topic.trim()))];
