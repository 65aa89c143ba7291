import type { Context } from '../../../context.ts';
import { InvalidFields } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { mutation } from '../../engine/mutation.ts';
import { AvatarInput, checkAvatar } from '../avatars/input.ts';
import { narrower } from '../place/visibility.ts';
import { VisibilityLevelsEnum } from '../place/types.ts';
import { userByReference } from '../../accounts/users/find.ts';
import { makeProject } from './make.ts';
import { describeProblems, namesOf, tidyTopics } from './names.ts';
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
      description:
        'Not wider than that of its group. Omitted: the default of the instance, or that of the group if it is narrower.',
    }),
    topics: t.stringList({ defaultValue: [] }),
    avatar: t.field({ type: AvatarInput }),
  }),
  resolve: async (context, input) => {
    const place = await placeOf(context, input);
    const names = namesOf(input);
    const problems = describeProblems({ ...input, ...names });
    const avatar = checkAvatar(problems, input.avatar);
    problems.refuse();
    const id = await makeProject(context, place, {
      ...names,
      description: input.description ?? '',
      visibility: input.visibility ?? narrower(context.settings.projectVisibility, place.visibility),
      topics: tidyTopics(input.topics ?? []),
      forkedFrom: null,
      avatar,
    });
    return { id };
  },
});
