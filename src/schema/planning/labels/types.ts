import type { LabelRecord } from '../../../database/access/planning.ts';
import { readLine } from '../../../markdown/markdown.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { textColor } from './color.ts';
import type { LabelRow } from './statements/list.ts';

/** A label: in a place, or in an issue, which says nothing of the viewer and of priorities. */
type ShownLabel = LabelRecord & Partial<LabelRow>;

export const Label = builder.objectRef<ShownLabel>('Label').implement({
  description: 'A label of a project or of a group. Labels of a group are available in everything below it.',
  fields: (t) => ({
    title: t.exposeString('title'),
    description: t.exposeString('description', { nullable: true }),
    descriptionHtml: t.string({
      nullable: true,
      description: 'The description as HTML.',
      resolve: ({ description }) => readLine(description ?? '').html(),
    }),
    color: t.exposeString('color', { description: 'The color of the background, as `#rrggbb`.' }),
    textColor: t.string({
      description: 'The color of the text on it.',
      direct: true,
      resolve: ({ color }) => textColor(color),
    }),
    archived: t.exposeBoolean('archived'),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
    isProjectLabel: t.boolean({
      description: 'Whether it belongs to a project; otherwise to a group.',
      direct: true,
      resolve: ({ projectId }) => projectId !== null,
    }),
    priority: t.exposeInt('priority', {
      nullable: true,
      description: 'Its priority in the project where it is shown, 0 first; null without one, in groups and in issues.',
    }),
    subscribed: t.exposeBoolean('subscribed', {
      nullable: true,
      description: 'Whether you are subscribed to it in the place where it is shown; null in an issue.',
    }),
  }),
});

identify(Label, ({ projectId }) => (projectId === null ? 'GroupLabel' : 'ProjectLabel'));
