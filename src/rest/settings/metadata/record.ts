import { objectSchema, type Record } from '../../engine/record.ts';

export const Metadata: Record<{ readonly version: string; readonly revision: string }> = {
  name: 'Metadata',
  schema: objectSchema({
    version: { type: 'string', description: 'GitLab version whose API this gateway serves.' },
    revision: { type: 'string', description: 'Version of the gateway itself.' },
  }),
  present: ({ version, revision }) => ({ version, revision }),
};
