import type { Complexity } from '../../../context.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';

/** GitLab's agent server for Kubernetes (KAS), which doesn't exist here. */
const Kas = builder.objectRef<object>('Kas').implement({
  description: 'GitLab’s agent server for Kubernetes, which this instance doesn’t have.',
  fields: (t) => ({
    enabled: t.boolean({ description: 'Always false.', resolve: () => false }),
    version: t.string({ nullable: true, description: 'Always null.', resolve: () => null }),
    externalUrl: t.string({ nullable: true, description: 'Always null.', resolve: () => null }),
  }),
});

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
    enterprise: t.boolean({
      description: 'Whether this is GitLab Enterprise Edition: always false.',
      resolve: () => false,
    }),
    kas: t.field({ type: Kas, description: 'Whether clusters can be connected.', resolve: () => ({}) }),
  }),
});

const QueryComplexity = builder.objectRef<Complexity>('QueryComplexity').implement({
  description: 'What a request costs.',
  fields: (t) => ({
    score: t.exposeInt('score', {
      nullable: true,
      description: 'What its operations cost together, as far as they have begun.',
    }),
    limit: t.exposeInt('limit', { nullable: true, description: 'What they may cost.' }),
  }),
});

builder.queryFields((t) => ({
  queryComplexity: t.field({
    type: QueryComplexity,
    nullable: true,
    description: 'What this request costs.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    resolve: (_root, _args, { complexity }) => complexity?.() ?? null,
  }),
  metadata: t.field({
    type: Metadata,
    nullable: true,
    description: 'The versions that run here; null without a person.',
    admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
    resolve: (_root, _args, { viewer }) => viewer.person && {},
  }),
  echo: t.string({
    nullable: true,
    description: 'Returns a text, with who sent it. For trying out a client.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: { text: t.arg.string({ required: true, description: 'The text to return.' }) },
    // The form of GitLab's answers, `nil` without a person included.
    resolve: (_root, { text }, { viewer: { person } }) => `${person ? `"${person.username}"` : 'nil'} says: ${text}`,
  }),
}));
