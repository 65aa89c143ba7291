import { objectSchema, type Record } from '../../engine/record.ts';
import { flag, text, textOrNull } from '../../engine/schemas.ts';

export interface VersionData {
  readonly version: string;
  readonly revision: string;
}

const version = {
  version: { ...text, description: 'GitLab version whose API this gateway serves.' },
  revision: { ...text, description: 'Version of the gateway itself.' },
};

export const Version: Record<VersionData> = {
  name: 'Version',
  schema: objectSchema(version),
  present: ({ version, revision }) => ({ version, revision }),
};

export interface MetadataData extends VersionData {
  readonly enterprise: boolean;
  readonly kas: { readonly enabled: boolean; readonly externalUrl: string | null; readonly version: string | null };
}

/** The version, with what version 15 of GitLab added to it. */
export const Metadata: Record<MetadataData> = {
  name: 'Metadata',
  schema: objectSchema({
    ...version,
    kas: {
      ...objectSchema({ enabled: flag, externalUrl: textOrNull, version: textOrNull }),
      description: 'GitLab’s agent server for Kubernetes, which this instance doesn’t have.',
    },
    enterprise: { ...flag, description: 'Whether this is GitLab Enterprise Edition: always false.' },
  }),
  present: ({ version, revision, kas, enterprise }) => ({
    version,
    revision,
    kas: { enabled: kas.enabled, externalUrl: kas.externalUrl, version: kas.version },
    enterprise,
  }),
};
