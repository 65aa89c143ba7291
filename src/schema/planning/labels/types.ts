import type { LabelRecord } from '../../../database/access/planning.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';

/** Whether a text on this colour is dark. */
function isLight(color: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return red! + green! + blue! > 500;
}

export const Label = builder.objectRef<LabelRecord>('Label').implement({
  description: 'A label of a project or of a group.',
  fields: (t) => ({
    title: t.exposeString('title'),
    description: t.exposeString('description', { nullable: true }),
    color: t.exposeString('color', { description: '`#rrggbb`.' }),
    textColor: t.string({
      description: 'The colour of a text that is readable on it.',
      direct: true,
      resolve: ({ color }) => (isLight(color) ? '#1F1E24' : '#FFFFFF'),
    }),
    archived: t.exposeBoolean('archived'),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

identify(Label, ({ groupId }) => (groupId === null ? 'ProjectLabel' : 'GroupLabel'));
