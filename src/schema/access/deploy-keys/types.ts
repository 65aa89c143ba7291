import { shownFingerprint, shownMd5 } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { isAdministrator } from '../../../policy/index.ts';
import { batchedLists } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { idScalar, identify } from '../../engine/global-id.ts';
import { projectById } from '../../places/place/read.ts';
import { Project } from '../../places/place/types.ts';
import { projectsOfKeys, type DeployKeyRecord } from './statements.ts';

const type = 'DeployKey';

/** The number in a global id of a deploy key. */
export const deployKeyId = idScalar('DeployKeyID', type);

const projectsOf = batchedLists(
  ({ database }, keys, _all: null) => database.rows(projectsOfKeys, [keys]),
  ({ keyId }) => keyId,
);

/** The projects that a key opens, in one of two ways; null for those who don't see all projects. */
async function opened(context: Context, { id }: DeployKeyRecord, canPush: boolean) {
  if (!isAdministrator(context.viewer)) return null;
  const found = (await projectsOf(context, id, null)).filter((one) => one.canPush === canPush);
  const projects = await Promise.all(found.map(({ projectId }) => projectById(context, projectId)));
  return projects.flatMap((project) => (project ? [project] : []));
}

export const DeployKey = builder.objectRef<DeployKeyRecord>('DeployKey').implement({
  description: 'An SSH key of projects: machines clone with it, and push where they may.',
  fields: (t) => ({
    title: t.exposeString('title'),
    key: t.exposeString('key', { description: 'The public key, as it was sent.' }),
    fingerprint: t.string({ description: 'MD5, as `4a:9d:…`.', resolve: (key) => shownMd5(key.fingerprintMd5) }),
    fingerprintSha256: t.string({
      description: 'As OpenSSH shows it: `SHA256:…`.',
      resolve: (key) => shownFingerprint(key.fingerprintSha256),
    }),
    canPush: t.exposeBoolean('canPush', {
      nullable: true,
      description: 'Whether it pushes to the project that has the list; null in a list of all keys.',
    }),
    public: t.exposeBoolean('public', { description: 'Whether every project may enable it.' }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    expiresAt: t.expose('expiresAt', {
      type: 'Time',
      nullable: true,
      description: 'From then on it is refused; null: never.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'Time',
      nullable: true,
      description: 'When it was last used, within 10 minutes; null if never.',
    }),
    projectsWithWriteAccess: t.field({
      type: [Project],
      nullable: true,
      description: 'The projects that it pushes to. For administrators; null for others.',
      resolve: (key, _args, context) => opened(context, key, true),
    }),
    projectsWithReadonlyAccess: t.field({
      type: [Project],
      nullable: true,
      description: 'The projects that it only fetches. For administrators; null for others.',
      resolve: (key, _args, context) => opened(context, key, false),
    }),
  }),
});

identify(DeployKey, type);
