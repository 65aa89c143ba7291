import type { AuditKind } from '../../../values/kinds/audit-kinds.ts';
import type { Context } from '../../../context.ts';
import { takenIn, type Sql } from '../../../database/index.ts';
import { findFullLimit, findProjectName, insertProject } from './statements/changes.ts';
import type { NamespaceRow } from '../../../database/access/places.ts';
import { Conflict, InvalidFields } from '../../../errors.ts';
import type { Visibility } from '../../../policy/index.ts';
import type { Picture } from '../avatars/picture.ts';
import { storeAvatar } from '../avatars/store.ts';
import { changeOfAttributes, type GivenProjectAttributes } from './attributes/write.ts';
import { refuseRunners, refuseWiderThanGroup } from './within-group.ts';

export interface NewProject {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly topics: readonly string[];
  readonly forkedFrom: number | null;
  readonly avatar?: Picture | null | undefined;
  readonly attributes?: GivenProjectAttributes;
}

/**
 * Creates the project, its path and the audit event in one statement.
 * @returns its id
 * @throws InvalidFields, also if the group is less visible; Conflict for a fork whose path is taken
 */
export async function makeProject(
  { viewer, database, origin }: Context,
  namespace: NamespaceRow,
  made: NewProject,
): Promise<number> {
  const { name, path, description, visibility, topics, forkedFrom, avatar } = made;
  refuseWiderThanGroup(visibility, namespace.visibility);
  const wantsRunners = made.attributes?.sharedRunnersEnabled === true;
  if (wantsRunners) refuseRunners(namespace.runners);
  const attributes = changeOfAttributes({ attributes: {}, isFork: forkedFrom !== null }, made.attributes ?? {});
  const kind: AuditKind = forkedFrom === null ? 'project_created' : 'project_forked';
  const insert = async (sql: Sql) => {
    const [row] = await sql.rows(insertProject, [
      namespace.id,
      viewer.person?.id ?? null,
      path,
      name,
      description,
      visibility,
      topics,
      forkedFrom,
      kind,
      origin.address,
      origin.requestId,
      attributes.values,
      wantsRunners,
    ]);
    if (!row) throw await refusal(sql, namespace.id);
    if (avatar) await storeAvatar(sql, 'project', row.id, avatar);
    return row.id;
  };
  try {
    // Two statements need a transaction.
    return await (avatar ? database.transaction(insert) : insert(database));
  } catch (error) {
    if (takenIn(error) !== 'routes') throw error;
    if (forkedFrom !== null) throw new Conflict('Path has already been taken');
    const [other] = await database.rows(findProjectName, [`${namespace.full_path}/${path}`.toLowerCase()]);
    const taken = ['has already been taken'];
    throw new InvalidFields({
      path: taken,
      ...(other?.name === name && { name: taken, 'projectNamespace.name': taken }),
    });
  }
}

/** Why a namespace takes no project: the limit of its owner, or another request hid or removed it. */
async function refusal(sql: Sql, namespaceId: number): Promise<InvalidFields> {
  const [full] = await sql.rows(findFullLimit, [namespaceId]);
  if (!full) return new InvalidFields({ namespace: ['is not valid'] });
  const text = `Your project limit is ${full.limit} projects! Please contact your administrator to increase it`;
  return new InvalidFields({ limitReached: [text] });
}
