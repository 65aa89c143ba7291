import { writes } from '../../../policy/index.ts';
import { longestDescription, titleProblems } from '../../../values/text/lengths.ts';
import { Problems } from '../../engine/input.ts';
import { mutation } from '../../engine/mutation.ts';
import { readTexts, requirePerson } from '../issues/changes/input.ts';
import { groupOfEpics } from './read.ts';
import { insertEpic } from './statements.ts';
import { epicPayload } from './types.ts';

mutation('createEpic', {
  description: 'Creates an epic in a group. For people on the higher tier, from Planner up.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    groupPath: t.id({ required: true, description: 'Full path, global id or number of a group.' }),
    title: t.string({ required: true }),
    description: t.string(),
  }),
  payload: epicPayload,
  resolve: async (context, { groupPath, title: given, description }) => {
    const group = await groupOfEpics(context, groupPath);
    const author = requirePerson(context);
    const problems = new Problems();
    const title = given.trim();
    if (title === '') problems.add('title', ["can't be blank"]);
    problems.add('title', titleProblems(title));
    problems.bound('description', description, longestDescription);
    problems.refuse();
    const { mentioned } = readTexts(title, description ?? null);
    const [epic] = await context.database.rows(insertEpic, [group, author, title, description || null, mentioned]);
    return { epic: epic! };
  },
});
