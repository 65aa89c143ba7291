import { Conflict } from '../../../errors.ts';
import { adminLabel, writes } from '../../../policy/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { permission, planningPlace, requireOnePlace } from '../place/look-up.ts';
import { checkedLabel, labelPayload, labelPlace } from './input.ts';
import { labelById } from './read.ts';
import { insertLabel } from './statements/changes.ts';

mutation('labelCreate', {
  description: 'Creates a label in a project or a group. From Planner up.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...labelPlace(t),
    title: t.string({ required: true, description: 'Without commas.' }),
    description: t.string(),
    color: t.string({ defaultValue: '#6699cc', description: '`#rgb`, `#rrggbb`, or a name that CSS has.' }),
    priority: t.int({ description: 'Its priority in the project, 0 first. Groups have none.' }),
  }),
  payload: labelPayload,
  resolve: async (context, { projectPath, groupPath, ...given }) => {
    requireOnePlace({ projectPath, groupPath });
    const place = await planningPlace(context, { project: projectPath, group: groupPath });
    permission(context, adminLabel)(place);
    const { title, color, description, priority } = checkedLabel(given);
    const isProject = place.scope === 'project';
    const [made] = await context.database.rows(insertLabel, [
      isProject ? place.id : null,
      isProject ? null : place.id,
      title,
      color,
      description ?? null,
      isProject ? (priority ?? null) : null,
    ]);
    if (!made) throw new Conflict('Label already exists');
    return { label: await labelById(context.database, context, made.id, place) };
  },
});
