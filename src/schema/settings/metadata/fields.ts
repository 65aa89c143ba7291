import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';

const Metadata = builder.objectRef<object>('Metadata').implement({
  description: 'The versions that run here.',
  fields: (t) => ({
    version: t.string({
      description: 'The GitLab version whose interface is served, for clients that check it.',
      resolve: (_metadata, _args, context) => context.reportedVersion,
    }),
    revision: t.string({
      description: 'The version of the gateway itself.',
      resolve: (_metadata, _args, context) => context.revision,
    }),
  }),
});

builder.queryField('metadata', (t) =>
  t.field({
    type: Metadata,
    nullable: true,
    description: 'The versions that run here.',
    admission: { class: 'token', scopes: [...reads, 'read_user'] },
    resolve: () => ({}),
  }),
);
