import type { Context } from '../../../context.ts';
import { InvalidFields } from '../../../errors.ts';
import { roles, writes } from '../../../policy/index.ts';
import { projectAttributes } from '../../../values/attributes/project-attributes.ts';
import { checkAttributes } from '../../engine/attributes.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { mutation } from '../../engine/mutation.ts';
import { AvatarInput, checkAvatar } from '../avatars/input.ts';
import { narrower } from '../place/visibility.ts';
import { VisibilityLevelsEnum } from '../place/types.ts';
import { userByReference } from '../../accounts/users/find.ts';
import { ownAttributes, projectAttributeInputs } from './attributes/write.ts';
import { isName } from '../../../git/names/index.ts';
import { beginRepository } from '../../repository/writing/begin.ts';
import { makeProject } from './make.ts';
import { describeProblems, importUrlOptions, namesOf, refuseImport, tidyTopics } from './names.ts';
import { namespaceForProject, namespaceOf } from './namespace.ts';
import { projectPayload } from './payload.ts';

/**
 * Where to create the project. @throws NotFound for the person, Forbidden, InvalidFields for a namespace without
 * this right
 */
async function placeOf(
  context: Context,
  { namespace, user }: { readonly namespace?: string | null; readonly user?: string | null },
) {
  if (user != null) requireAdministrator(context);
  const found =
    user == null
      ? await namespaceForProject(context, namespace ?? undefined)
      : await namespaceOf(context, (await userByReference(context, user)).id);
  if (!found) throw new InvalidFields({ namespace: ['is not valid'] });
  return found;
}

mutation('createProject', {
  payload: projectPayload,
  description: 'Creates a project. In a group: for developers and above.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    name: t.string({ description: 'Omitted: the path.' }),
    path: t.string({ description: 'Omitted: derived from the name.' }),
    namespace: t.id({
      description: 'Id or full path of a group, or of your own namespace. Omitted: your own namespace.',
    }),
    user: t.id({
      description:
        'For administrators, instead of `namespace`: the person in whose namespace to create it. Id or username.',
    }),
    description: t.string({ defaultValue: '' }),
    visibility: t.field({
      type: VisibilityLevelsEnum,
      description: 'Lowered to that of its group. Omitted: the default of the instance.',
    }),
    topics: t.stringList({ defaultValue: [] }),
    avatar: t.field({ type: AvatarInput }),
    initializeWithReadme: t.boolean({
      defaultValue: false,
      description: 'Whether the repository begins with a README, so that it can be cloned at once.',
    }),
    defaultBranch: t.string({
      description:
        'The name of its first branch, if it begins with a README. Omitted: the one that its group sets, or `main`.',
    }),
    importUrl: t.string(importUrlOptions),
    templateName: t.string({ description: 'There are no templates of projects: any name is refused.' }),
    ...projectAttributeInputs(t, projectAttributes),
  }),
  resolve: async (context, input) => {
    const place = await placeOf(context, input);
    const names = namesOf(input);
    refuseImport(input.importUrl);
    const problems = describeProblems({ ...input, ...names });
    if (input.templateName) problems.add('templateName', [`'${input.templateName}' is unknown or invalid`]);
    const avatar = checkAvatar(problems, input.avatar);
    checkAttributes(problems, projectAttributes, input);
    if (input.initializeWithReadme && input.defaultBranch && !isName(input.defaultBranch))
      problems.add('defaultBranch', ['is invalid']);
    problems.refuse();
    const id = await makeProject(context, place, {
      ...names,
      description: input.description ?? '',
      visibility: narrower(input.visibility ?? context.settings.projectVisibility, place.visibility),
      topics: tidyTopics(input.topics ?? []),
      forkedFrom: null,
      avatar,
      attributes: ownAttributes(context, { visibility: place.visibility, accessLevel: roles.owner }, input),
    });
    if (input.initializeWithReadme)
      await beginRepository(context, id, { ...names, description: input.description, branch: input.defaultBranch });
    return { id };
  },
});
