import { GraphQLError } from 'graphql';
import { digest } from '../../../auth/keys/crypto.ts';
import { NotFound } from '../../../errors.ts';
import { builder } from '../../engine/builder.ts';
import { downloadForJob } from '../artifacts/download.ts';
import { receiveArtifact } from '../artifacts/receive.ts';
import { appendTrace } from '../traces/append.ts';
import { largestInteger } from '../../../values/integers.ts';

/**
 * The way of a runner to the files of its job. Only the door of runners reaches it. The token is checked by each step, in
 * the transaction that it is for: a log is sent in many pieces.
 */

builder.scalarType('JobFiles', {
  description: 'An open way to the files of a job, within this process.',
  serialize: (value) => value,
  parseValue() {
    throw new GraphQLError('A way isn’t an input.');
  },
});

builder.queryField('jobFiles', (t) =>
  t.field({
    type: 'JobFiles',
    description: 'The way to the log and the artifacts of a running job.',
    admission: { class: 'client' },
    args: {
      job: t.arg.string({ required: true, description: 'The number of the job.' }),
      token: t.arg.string({ required: true, description: 'The token of the job, or of one that needs it.' }),
    },
    resolve: (_root, { job: given, token }, context) => {
      const job = Number(given);
      if (!Number.isSafeInteger(job) || job < 1 || job > largestInteger) throw new NotFound('Job');
      return {
        append: (piece) => appendTrace(context, { ...piece, job, token }),
        receive: (artifact) => receiveArtifact(context, { job, token }, artifact),
        download: () => downloadForJob(context, job, digest(token)),
      };
    },
  }),
);
