import { ProjectIdentity, projectIdentityFields, type IdentityData } from '../../places/projects/record.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { moment, text } from '../../engine/schemas.ts';

export interface DeployKeyData {
  readonly id: number;
  readonly title: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly key: string;
  readonly fingerprint: string;
  readonly fingerprintSha256: string;
}

/** The fields that operations select for the record. */
export const deployKeyFields = 'id: databaseId title createdAt expiresAt lastUsedAt key fingerprint fingerprintSha256';

const momentOrNull = { ...moment, type: ['string', 'null'] };

const properties: { readonly [name: string]: JsonSchema } = {
  id: { type: 'integer' },
  title: text,
  created_at: moment,
  expires_at: momentOrNull,
  last_used_at: momentOrNull,
  usage_type: { ...text, enum: ['auth_and_signing'] },
  key: text,
  fingerprint: { ...text, description: 'MD5.' },
  fingerprint_sha256: text,
};

const present = (key: DeployKeyData) => ({
  id: key.id,
  title: key.title,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  last_used_at: key.lastUsedAt,
  usage_type: 'auth_and_signing',
  key: key.key,
  fingerprint: key.fingerprint,
  fingerprint_sha256: key.fingerprintSha256,
});

/** A deploy key by itself. */
export const DeployKey: Record<DeployKeyData> = { name: 'DeployKey', schema: objectSchema(properties), present };

export interface ProjectKeyData extends DeployKeyData {
  readonly canPush: boolean | null;
}

/** The fields that operations select for a key of a project. */
export const projectKeyFields = `${deployKeyFields} canPush`;

/** A deploy key of a project. */
export const DeployKeysProject: Record<ProjectKeyData> = {
  name: 'DeployKeysProject',
  schema: objectSchema({ ...properties, can_push: { type: 'boolean', description: 'Whether it also pushes.' } }),
  present: (key) => Object.assign(present(key), { can_push: key.canPush === true }),
};

export interface InstanceKeyData extends DeployKeyData {
  readonly projectsWithWriteAccess: readonly IdentityData[] | null;
  readonly projectsWithReadonlyAccess: readonly IdentityData[] | null;
}

/** The fields that operations select for a key with its projects. */
export const instanceKeyFields = `${deployKeyFields} projectsWithWriteAccess { ${projectIdentityFields} }
  projectsWithReadonlyAccess { ${projectIdentityFields} }`;

const projects: JsonSchema = { type: 'array', items: ProjectIdentity.schema };

/** A deploy key, with its projects. */
export const InstanceDeployKey: Record<InstanceKeyData> = {
  name: 'DeployKeyWithProjects',
  schema: objectSchema({
    ...properties,
    projects_with_write_access: projects,
    projects_with_readonly_access: projects,
  }),
  present: (key) =>
    Object.assign(present(key), {
      projects_with_write_access: (key.projectsWithWriteAccess ?? []).map(ProjectIdentity.present),
      projects_with_readonly_access: (key.projectsWithReadonlyAccess ?? []).map(ProjectIdentity.present),
    }),
};
