import { readPublicKey, type PublicKey } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { InvalidFields, NotFound } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { isAdministrator, makesCredential, writes } from '../../../policy/index.ts';
import type { AuditKind } from '../../../values/kinds/audit-kinds.ts';
import { titleProblems } from '../../../values/text/lengths.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { Problems } from '../../engine/input.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { keysPlace } from './read.ts';
import {
  deleteJoin,
  findByFingerprint,
  findDeployKey,
  findEnabling,
  insertDeployKey,
  insertJoin,
  readDeployKey,
  setCanPush,
  setTitle,
  type DeployKeyRecord,
} from './statements.ts';
import { DeployKey, deployKeyId } from './types.ts';

/** Adding, enabling, changing and removing deploy keys. Each is a transaction with its audit event. */

/** Rights of a project, as those of a member are: what changes those, changes these. */
const admission = { class: 'token', scopes: writes } as const;

/** Keys of one project. */
const mostKeys = 1_000;

const payload = (t: FieldsOf<{ deployKey: DeployKeyRecord }>) => ({
  deployKey: t.expose('deployKey', { type: DeployKey }),
});

const which = (t: InputsOf) => ({
  projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
  id: t.field({ type: 'DeployKeyID', required: true }),
});

const note = (sql: Sql, { viewer, origin }: Context, kind: AuditKind & `deploy_key_${string}`, detail: string) =>
  audit({ sql, origin }, { kind, actorId: viewer.person?.id ?? null, detail });

const problemsOfTitle = (title: string): string[] => {
  if (title === '') return ["can't be blank"];
  return titleProblems(title);
};

interface Given {
  readonly title: string;
  readonly key: string;
  readonly expiresAt?: Date | null | undefined;
}

/** @throws InvalidFields */
async function checked({ title: given, key: text, expiresAt }: Given): Promise<PublicKey & { readonly title: string }> {
  const title = given.trim();
  const read = await readPublicKey(text);
  const problems = new Problems();
  problems.add('title', problemsOfTitle(title));
  if (expiresAt && expiresAt.getTime() <= Date.now()) problems.add('key', ['has expired']);
  if (!('sha256' in read)) {
    problems.add('key', read.key);
    problems.add('fingerprintSha256', read.fingerprintSha256 ?? []);
  }
  problems.refuse();
  return { ...(read as PublicKey), title };
}

const taken = () => new InvalidFields({ fingerprintSha256: ['has already been taken'] });

/** Makes a key. Its comment is kept: tools that added it compare what they read with what they sent. */
async function make(
  sql: Sql,
  { viewer }: Context,
  { title, key, comment, sha256, md5 }: PublicKey & { readonly title: string },
  { expiresAt, isPublic }: { readonly expiresAt: Date | null | undefined; readonly isPublic: boolean },
): Promise<number | undefined> {
  const whole = comment === '' ? key : `${key} ${comment}`;
  const values = [title, whole, sha256, md5, expiresAt ?? null, isPublic, viewer.person?.id ?? null];
  return (await sql.rows(insertDeployKey, values))[0]?.id;
}

/** Lets a key open a project. @throws InvalidFields */
async function join(sql: Sql, key: number, project: number, canPush: boolean): Promise<void> {
  const [joined] = await sql.rows(insertJoin, [key, project, canPush, mostKeys]);
  if (!joined) throw new InvalidFields({ key: [`is one too many (maximum is ${mostKeys})`] });
}

const viewerValues = ({ viewer }: Context) => [viewer.person?.id ?? null, isAdministrator(viewer)] as const;

/** @throws NotFound */
async function keyOf({ database }: Context, project: number, id: number): Promise<DeployKeyRecord> {
  const [key] = await database.rows(findDeployKey, [project, id]);
  if (!key) throw new NotFound('Deploy key');
  return key;
}

mutation('deployKeyCreate', {
  description:
    'Adds a deploy key to a project. A key that it has stays as it is; one of another project that you maintain, or for every project, is enabled. For maintainers.',
  admission: makesCredential,
  input: (t) => ({
    projectPath: t.id({
      description: 'Full path, global id or number. Omitted: a key that every project may enable, by administrators.',
    }),
    title: t.string({ required: true }),
    key: t.string({ required: true, description: 'The public key: a line as in `authorized_keys`.' }),
    canPush: t.boolean({ defaultValue: false, description: 'Whether it also pushes.' }),
    expiresAt: t.field({ type: 'Time', description: 'From then on it is refused. Omitted: never.' }),
  }),
  payload,
  resolve: async (context, { projectPath, canPush, ...given }) => {
    if (projectPath == null) return { deployKey: await makePublic(context, given) };
    const { id: project } = await keysPlace(context, projectPath);
    const read = await checked(given);
    const id = await context.database.transaction(async (sql) => {
      const find = async () => (await sql.rows(findByFingerprint, [read.sha256, ...viewerValues(context), project]))[0];
      let known = await find();
      if (!known) {
        const made = await make(sql, context, read, { expiresAt: given.expiresAt, isPublic: false });
        // Someone else made it at the same time.
        known = made === undefined ? await find() : { id: made, title: read.title, accessible: true, joined: false };
      }
      if (known?.joined) return known.id;
      if (!known?.accessible) throw taken();
      await join(sql, known.id, project, canPush ?? false);
      await note(sql, context, 'deploy_key_added', known.title);
      return known.id;
    });
    return { deployKey: await keyOf(context, project, id) };
  },
});

async function makePublic(context: Context, given: Given): Promise<DeployKeyRecord> {
  requireAdministrator(context);
  const read = await checked(given);
  const id = await context.database.transaction(async (sql) => {
    const made = await make(sql, context, read, { expiresAt: given.expiresAt, isPublic: true });
    if (made === undefined) throw taken();
    await note(sql, context, 'deploy_key_added', read.title);
    return made;
  });
  return (await context.database.rows(readDeployKey, [id]))[0]!;
}

mutation('deployKeyEnable', {
  description:
    'Lets a deploy key fetch another project: a key for every project, or one of a project that you maintain, too. For maintainers.',
  admission: makesCredential,
  input: which,
  payload,
  resolve: async (context, { projectPath, id: given }) => {
    const { id: project } = await keysPlace(context, projectPath);
    const id = deployKeyId(given);
    await context.database.transaction(async (sql) => {
      const [key] = await sql.rows(findEnabling, [id, ...viewerValues(context), project]);
      if (!key?.accessible) throw new NotFound('Deploy key');
      if (key.joined) return;
      await join(sql, id, project, false);
      await note(sql, context, 'deploy_key_added', key.title);
    });
    return { deployKey: await keyOf(context, project, id) };
  },
});

mutation('deployKeyUpdate', {
  description:
    'Changes a deploy key of a project. The title of one that every project may enable is changed by administrators only: others keep it. For maintainers.',
  admission: makesCredential,
  input: (t) => ({
    ...which(t),
    title: t.string(),
    canPush: t.boolean({ description: 'Whether it also pushes to this project.' }),
  }),
  payload,
  resolve: async (context, { projectPath, id, title, canPush }) => {
    const { id: project } = await keysPlace(context, projectPath);
    const key = await keyOf(context, project, deployKeyId(id));
    const renames = title != null && (!key.public || isAdministrator(context.viewer));
    const problems = new Problems();
    if (renames) problems.add('title', problemsOfTitle(title.trim()));
    problems.refuse();
    await context.database.transaction(async (sql) => {
      if (canPush != null) {
        const [changed] = await sql.rows(setCanPush, [key.id, project, canPush]);
        if (!changed) throw new NotFound('Deploy key');
      }
      if (renames) await sql.rows(setTitle, [key.id, title.trim()]);
      await note(sql, context, 'deploy_key_updated', key.title);
    });
    return { deployKey: await keyOf(context, project, key.id) };
  },
});

mutation('deployKeyDelete', {
  description:
    'Takes a deploy key from a project. A key of no other project is gone, unless every project may enable it. For maintainers.',
  admission,
  input: which,
  payload: (t: FieldsOf<{ id: number }>) => ({
    deletedDatabaseId: t.exposeInt('id', { description: 'The number of the key.' }),
  }),
  resolve: async (context, { projectPath, id: given }) => {
    const { id: project } = await keysPlace(context, projectPath);
    const id = deployKeyId(given);
    await context.database.transaction(async (sql) => {
      const [gone] = await sql.rows(deleteJoin, [id, project]);
      if (!gone) throw new NotFound('Deploy key');
      await note(sql, context, 'deploy_key_removed', gone.title);
    });
    return { id };
  },
});
