import { NotFound } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { lookUpIssue, prefetchIssue } from './look-up.ts';

interface UserAgentDetail {
  readonly userAgent: string;
  readonly ipAddress: string;
  readonly akismetSubmitted: boolean;
}

const UserAgentDetailType = builder.objectRef<UserAgentDetail>('UserAgentDetail').implement({
  description: 'With what program and from where an issue was created. It isn’t kept here.',
  fields: (t) => ({
    userAgent: t.exposeString('userAgent'),
    ipAddress: t.exposeString('ipAddress'),
    akismetSubmitted: t.exposeBoolean('akismetSubmitted'),
  }),
});

builder.queryField('issueUserAgentDetail', (t) =>
  t.field({
    type: UserAgentDetailType,
    nullable: true,
    description: 'Always missing: where people write from is not kept. For administrators.',
    admission: { class: 'token', scopes: reads },
    prefetch: prefetchIssue,
    args: { project: t.arg.id({ required: true }), iid: t.arg.string({ required: true }) },
    resolve: async (_root, name, context): Promise<UserAgentDetail> => {
      requireAdministrator(context);
      await lookUpIssue(context, name);
      throw new NotFound('UserAgentDetail');
    },
  }),
);
