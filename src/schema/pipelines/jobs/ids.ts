import { GraphQLError } from 'graphql';
import { builder } from '../../engine/builder.ts';
import { globalId, idOf, shown } from '../../engine/global-id.ts';

/** Global ids of jobs. GitLab has several types for them, and each argument takes any. */

const type = 'Ci::Build';

const idTypes = {
  CiBuildID: type,
  CiProcessableID: 'Ci::Processable',
  JobID: 'CommitStatus',
} as const;

for (const [name, own] of Object.entries(idTypes))
  builder.scalarType(name as keyof typeof idTypes, {
    description: `The global id of a job, for example \`${globalId(type, 7)}\`. The number alone does too.`,
    serialize: (id) => globalId(type, Number(id)),
    parseValue(value) {
      const text = typeof value === 'number' ? String(value) : value;
      if (typeof text !== 'string' || (numberIn(text) === 0 && !/^-?\d*$/.test(text.trim())))
        throw new GraphQLError(`${shown(value)} does not represent an instance of ${own}`);
      return text;
    },
  });

/** The number in a global id of a job. */
export const numberIn = (given: string): number =>
  [type, ...Object.values(idTypes)].map((one) => idOf(given, one)).find((id) => id !== 0) ?? 0;
