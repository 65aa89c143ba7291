import type { Readable } from 'node:stream';
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { GraphQLError } from 'graphql';
import './admission-plugin.ts';
import './cursor-plugin.ts';
import './exposed-plugin.ts';
import './tracing-plugin.ts';
import { isDay, isInCalendar } from '../../values/time/calendar.ts';
import { isoTime } from '../../values/time/iso-time.ts';
import type { JobFiles } from '../../values/ci/job-files.ts';
import { pageSize } from '../../values/page-size.ts';
import type { Context } from '../../context.ts';
import type { Channel } from '../../git/transport/channel.ts';
import type PrismaTypes from './prisma-types.ts';
import { getDatamodel } from './prisma-types.ts';

/** Bytes that are read when a door sends them. */
export interface BytesOut {
  /** The name of the file. */
  readonly name: string;
  /** How many they are, where that is known before. */
  readonly size?: number;
  /** All of them, where they are few. */
  readonly bytes?: Buffer;
  readonly open: () => Promise<Readable>;
  /** Those from `start` to before `end`, if clients may ask for a part of them. */
  readonly part?: (start: number, end: number) => Readable;
}

/** The schema builder. Every subject's folder adds its types and fields to it. */
export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string | number };
    Time: { Input: Date; Output: Date };
    Date: { Input: string; Output: string };
    Base64: { Input: Buffer; Output: Buffer };
    JSON: { Input: unknown; Output: unknown };
    Bytes: { Input: never; Output: BytesOut };
    UserID: { Input: string; Output: number };
    ProjectID: { Input: string; Output: number };
    GroupID: { Input: string; Output: number };
    NamespaceID: { Input: string; Output: number };
    IssueID: { Input: string; Output: number };
    LabelID: { Input: string; Output: number };
    MilestoneID: { Input: string; Output: number };
    NoteableID: { Input: string; Output: string };
    NoteID: { Input: string; Output: string };
    DiscussionID: { Input: string; Output: string };
    TodoID: { Input: string; Output: number };
    MergeRequestID: { Input: string; Output: number };
    AwardableID: { Input: string; Output: string };
    TodoableID: { Input: string; Output: string };
    IssuableID: { Input: string; Output: string };
    ProjectsBranchRuleID: { Input: string; Output: number };
    CiPipelineID: { Input: string; Output: number };
    CiBuildID: { Input: string; Output: number };
    CiProcessableID: { Input: string; Output: number };
    JobID: { Input: string; Output: number };
    EnvironmentID: { Input: string; Output: number };
    DeployKeyID: { Input: string; Output: number };
    CiRunnerID: { Input: string; Output: number };
    CiTriggerID: { Input: string; Output: number };
    CiPipelineScheduleID: { Input: string; Output: number };
    SnippetID: { Input: string; Output: number };
    TimelogID: { Input: string; Output: number };
    BigInt: { Input: never; Output: string };
    ISO8601Date: { Input: string; Output: string };
    GitChannel: { Input: never; Output: Channel };
    JobFiles: { Input: never; Output: JobFiles };
  };
}>({
  plugins: ['payloads', 'tracing', 'admission', 'cursors', RelayPlugin, PrismaPlugin, 'exposed'],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.database.prisma,
    dmmf: getDatamodel(),
    // Types of fields come from the schema; columns without a field stay in the database.
    exposeDescriptions: false,
    defaultConnectionSize: pageSize.defaultSize,
    maxConnectionSize: pageSize.maxSize,
  },
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    clientMutationId: 'omit',
    cursorType: 'String',
    nodesOnConnection: true,
  },
});

builder.scalarType('Time', {
  description: 'A date and time in UTC, as ISO 8601 with milliseconds: `2026-06-28T10:52:04.000Z`.',
  serialize: isoTime,
  parseValue(value) {
    const moment = typeof value === 'string' ? new Date(value) : new Date(Number.NaN);
    if (!isInCalendar(moment)) throw new GraphQLError('A moment is a string in ISO 8601, of a year from 1 to 9999.');
    return moment;
  },
});

builder.scalarType('Date', {
  description: 'A day in UTC, as ISO 8601: `2026-06-28`.',
  serialize: String,
  parseValue(value) {
    if (typeof value !== 'string' || !isDay(value)) throw new GraphQLError('A day is a string in ISO 8601.');
    return value;
  },
});

builder.scalarType('JSON', {
  description: 'A JSON value of any type.',
  serialize: (value) => value,
  parseValue: (value) => value,
});

builder.scalarType('Bytes', {
  description: 'What a door of this gateway sends on as it is. Not at `/graphql`.',
  serialize: (value) => value,
  parseValue() {
    throw new GraphQLError('Bytes can’t be sent.');
  },
});

builder.scalarType('BigInt', {
  description: 'A whole number of any size, as a text.',
  serialize: String,
  parseValue() {
    throw new GraphQLError('No argument is a BigInt.');
  },
});

builder.scalarType('ISO8601Date', {
  description: 'A day in UTC, as ISO 8601: `2026-06-28`. The same as `Date`, by the name that GitLab has for it.',
  serialize: String,
  parseValue(value) {
    if (typeof value !== 'string' || !isDay(value)) throw new GraphQLError('A day is a string in ISO 8601.');
    return value;
  },
});

builder.queryType({ description: 'Queries.' });
builder.mutationType({
  description: 'Mutations. Each one is a transaction, and its payload contains the changed record.',
});
builder.subscriptionType({
  description:
    'Subscriptions, as server-sent events (`text/event-stream`). The stream ends when the token expires or is revoked. If it ends for another reason, open it again and read the current state: changes in between are not sent.',
});

/** The types that fields, inputs and references of this schema have. */
export type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;
