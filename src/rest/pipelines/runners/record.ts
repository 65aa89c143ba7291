import { runnerAccessLevels, runnerStatuses, runnerTypes } from '../../../values/ci/runners.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { flag, text, textOrNull } from '../../engine/schemas.ts';
import { ProjectIdentity, projectIdentityFields } from '../../places/projects/record.ts';

export interface RunnerData {
  readonly id: number;
  readonly description: string;
  readonly ipAddress: string | null;
  readonly paused: boolean;
  readonly runnerType: string;
  readonly status: string;
  readonly createdAt: string;
}

/** The fields that operations select for `Runner`. */
export const runnerFields = 'id: databaseId description ipAddress paused runnerType status createdAt';

const basic = {
  id: { type: 'integer' },
  description: text,
  ip_address: textOrNull,
  active: flag,
  paused: flag,
  is_shared: flag,
  runner_type: { type: 'string', enum: runnerTypes },
  name: { ...textOrNull, description: 'Always null: what the program calls itself.' },
  online: flag,
  status: { type: 'string', enum: runnerStatuses },
  created_at: { type: 'string', format: 'date-time' },
};

const present = (runner: RunnerData) => ({
  id: runner.id,
  description: runner.description,
  ip_address: runner.ipAddress,
  active: !runner.paused,
  paused: runner.paused,
  is_shared: runner.runnerType === 'INSTANCE_TYPE',
  runner_type: runner.runnerType.toLowerCase(),
  name: null,
  online: runner.status === 'ONLINE',
  status: runner.status.toLowerCase(),
  created_at: runner.createdAt,
});

export const Runner: Record<RunnerData> = { name: 'Runner', schema: objectSchema(basic), present };

type Identity = Parameters<typeof ProjectIdentity.present>[0];

export interface RunnerDetailsData extends RunnerData {
  readonly tagList: readonly string[];
  readonly runUntagged: boolean;
  readonly locked: boolean;
  readonly maximumTimeout: number | null;
  readonly accessLevel: string;
  readonly version: string | null;
  readonly revision: string | null;
  readonly platformName: string | null;
  readonly architectureName: string | null;
  readonly contactedAt: string | null;
  readonly maintenanceNote: string | null;
  readonly projects: readonly Identity[];
  readonly groups: readonly { readonly id: number; readonly name: string; readonly webUrl: string }[];
}

export const runnerDetailsFields = `${runnerFields} tagList runUntagged locked maximumTimeout accessLevel version revision
  platformName architectureName contactedAt maintenanceNote projects { ${projectIdentityFields} }
  groups { id: databaseId name webUrl }`;

/** A runner with all that is known of it. */
export const RunnerDetails: Record<RunnerDetailsData> = {
  name: 'RunnerDetails',
  schema: objectSchema({
    ...basic,
    tag_list: { type: 'array', items: text },
    run_untagged: flag,
    locked: flag,
    maximum_timeout: { type: ['integer', 'null'] },
    access_level: { type: 'string', enum: runnerAccessLevels },
    version: textOrNull,
    revision: textOrNull,
    platform: textOrNull,
    architecture: textOrNull,
    contacted_at: { type: ['string', 'null'], format: 'date-time' },
    maintenance_note: textOrNull,
    projects: { type: 'array', items: ProjectIdentity.schema },
    groups: {
      type: 'array',
      items: objectSchema({ id: { type: 'integer' }, web_url: text, name: text }),
    },
  }),
  present: (runner) =>
    Object.assign(present(runner), {
      tag_list: runner.tagList,
      run_untagged: runner.runUntagged,
      locked: runner.locked,
      maximum_timeout: runner.maximumTimeout,
      access_level: runner.accessLevel.toLowerCase(),
      version: runner.version,
      revision: runner.revision,
      platform: runner.platformName,
      architecture: runner.architectureName,
      contacted_at: runner.contactedAt,
      maintenance_note: runner.maintenanceNote,
      projects: runner.projects.map((project) => ProjectIdentity.present(project)),
      groups: runner.groups.map(({ id, name, webUrl }) => ({ id, web_url: webUrl, name })),
    }),
};

/** A runner that was just made: its token is shown once. */
export const MadeRunner: Record<{ readonly id: number; readonly token: string }> = {
  name: 'MadeRunner',
  schema: objectSchema({
    id: { type: 'integer' },
    token: { ...text, description: 'Shown only here.' },
    token_expires_at: { type: 'null', description: 'Tokens don’t expire.' },
  }),
  present: ({ id, token }) => ({ id, token, token_expires_at: null }),
};

/** Another token in place of one that is void now. */
export const NewToken: Record<{ readonly token: string }> = {
  name: 'RunnerNewToken',
  schema: objectSchema({ token: text, token_expires_at: { type: 'null' } }),
  present: ({ token }) => ({ token, token_expires_at: null }),
};
