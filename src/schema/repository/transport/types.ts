import { GraphQLError } from 'graphql';
import type { Channel } from '../../../git/transport/channel.ts';
import { builder } from '../../engine/builder.ts';

/** What a door of git asks for: the way to a repository, for those who may go it. */

builder.scalarType('GitChannel', {
  description: 'An open way to git, within this process.',
  serialize: (value) => value,
  parseValue() {
    throw new GraphQLError('A channel isn’t an input.');
  },
});

export interface TransportRecord {
  readonly fullPath: string;
  readonly defaultBranch: string | null;
  readonly channel: Channel;
}

export const RepositoryTransport = builder.objectRef<TransportRecord>('RepositoryTransport').implement({
  description: 'The way to a repository, for a client of git.',
  fields: (t) => ({
    fullPath: t.exposeString('fullPath'),
    defaultBranch: t.exposeString('defaultBranch', { nullable: true }),
    channel: t.expose('channel', { type: 'GitChannel' }),
  }),
});
