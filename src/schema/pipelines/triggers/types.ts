import type { Context } from '../../../context.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { userById } from '../../accounts/users/read.ts';
import { builder } from '../../engine/builder.ts';
import { identify, idScalar } from '../../engine/global-id.ts';
import type { TriggerRow } from './statements.ts';
import { tokenOf } from './token.ts';

const type = 'Ci::Trigger';

/** The number in a global id of a trigger. */
export const triggerId = idScalar('CiTriggerID', type);

/** Whether a trigger is the viewer’s own: it acts with the rights of its owner. */
export const isOwn = ({ viewer }: Context, { ownerId }: TriggerRow): boolean =>
  ownerId !== null && viewer.person?.id === ownerId;

export const PipelineTrigger = builder.objectRef<TriggerRow>('PipelineTrigger').implement({
  description: 'A token that starts pipelines of a project, with the rights of its owner.',
  fields: (t) => ({
    description: t.exposeString('description', { nullable: true }),
    token: t.string({
      description: 'In full for its owner; for other maintainers, its beginning.',
      resolve: (trigger, _args, context) => (isOwn(context, trigger) ? tokenOf(context.keys, trigger) : trigger.start),
    }),
    hasTokenExposed: t.boolean({
      description: 'Whether you see the whole token.',
      resolve: (trigger, _args, context) => isOwn(context, trigger),
    }),
    owner: t.field({
      type: UserCore,
      nullable: true,
      description: 'Null for a deleted person: it starts nothing any more.',
      resolve: ({ ownerId }, _args, context) => userById(context, ownerId),
    }),
    lastUsed: t.expose('lastUsedAt', { type: 'Time', nullable: true, description: 'When it last started a pipeline.' }),
    expiresAt: t.expose('expiresAt', { type: 'Time', nullable: true, description: 'From then on it is refused.' }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

identify(PipelineTrigger, type);
