import { objectSchema, type Record } from '../../engine/record.ts';

export const Metadata: Record<{ readonly version: string; readonly revision: string }> = {
  name: 'Metadata',
  schema: objectSchema({
    version: { type: 'string', description: 'The version whose interface this is.' },
    revision: { type: 'string', description: 'The version of the gateway itself.' },
  }),
  present: ({ version, revision }) => ({ version, revision }),
};
