import { attributeNames } from '../../src/rest/engine/attributes.ts';
import { snakeCase } from '../../src/values/text/snake-case.ts';
import type { Attribute, Attributes } from '../../src/values/attributes/attributes.ts';
import { groupAttributes } from '../../src/values/attributes/group-attributes.ts';
import { changeableProjectAttributes } from '../../src/values/attributes/project-attributes.ts';
import { userAttributes } from '../../src/values/attributes/user-attributes.ts';

/** An attribute as a client writes it alone, with the name under which it reads it; null for one that no record shows. */
interface Written {
  readonly name: string;
  readonly value: unknown;
  readonly shown: string | null;
}

/** Values of which each attribute accepts one. */
const candidates: Readonly<Record<Attribute['type'], readonly unknown[]>> = {
  text: ['kept', 'https://example.com/kept', '123456789012345678'],
  boolean: [true, false],
  integer: [7, 2, 1_800],
  choice: [],
  list: [['project_path', 'ref']],
  object: [],
};

/** The members of objects. */
const objects: Readonly<Record<string, object>> = {
  containerExpirationPolicy: { enabled: true, keep_n: 5 },
  defaultBranchProtectionDefaults: { allow_force_push: true },
};

/** A value that isn’t the default, and isn’t refused. */
function otherValue(name: string, attribute: Attribute): unknown {
  const problem = attribute.problem as ((value: unknown) => string | undefined) | undefined;
  const values = objects[name]
    ? [objects[name]]
    : 'values' in attribute && attribute.values
      ? (attribute.values as readonly unknown[])
      : candidates[attribute.type];
  const found = values.find((value) => value !== attribute.unset && problem?.(value) === undefined);
  if (found === undefined) throw new Error(`No value for ${name}.`);
  return found;
}

const writtenOf = (table: Attributes, leftOut: readonly string[] = []): readonly Written[] =>
  Object.entries(table)
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, attribute]) => ({
      name: attributeNames({ [name]: attribute })[name] ?? snakeCase(name),
      value: otherValue(name, attribute),
      shown: attribute.unlisted ? null : snakeCase(attribute.readAs ?? attribute.wire ?? name),
    }));

const plain = (name: string, value: unknown): Written => ({ name, value, shown: name });

const { repositoryAccessLevel, ...ofProjects } = changeableProjectAttributes;

/** Every attribute of the three kinds of records with another value than the default, as an administrator writes it. */
export const writtenAttributes: Readonly<Record<'user' | 'group' | 'project', readonly Written[]>> = {
  user: writtenOf(userAttributes),
  group: [plain('description', 'D'), ...writtenOf(groupAttributes)],
  project: [
    plain('description', 'D'),
    plain('topics', ['snakes']),
    // Those of forks only are left out; the repository is last, since others need it.
    ...writtenOf({ ...ofProjects, repositoryAccessLevel }, ['mrDefaultTargetSelf']),
  ],
};
