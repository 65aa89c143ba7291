import type { Context } from '../../../context.ts';
import { takenIn, type Sql } from '../../../database/index.ts';
import { Conflict, NotFound, PlainUnprocessable, PreconditionFailed } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import type { AuditKind } from '../../../values/kinds/audit-kinds.ts';
import { mergeAllWhenDue } from '../../reviews/merging/when-due.ts';
import { longestRuleName, tooLong } from '../../../values/text/lengths.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { deleteRule, insertRule, lockRule, updateRule, type RuleRow } from './statements.ts';
import type { RuleRecord } from './types.ts';

/** Changes of rules. Each is a transaction with its audit event. What is to be merged by itself may be allowed from then on. */

/** What a rule says; what is undefined stays as it is. */
export interface RuleChange {
  readonly name?: string | undefined;
  readonly push?: number | undefined;
  readonly merge?: number | undefined;
  readonly force?: boolean | undefined;
}

/** Which rule of a repository: by its number, or by its name. */
export type Which = { readonly id: number } | { readonly name: string };

/** Rules of one project for branches, and for tags: every write looks at all of them. */
export const mostRules = 1_000;

/** @throws PlainUnprocessable */
export function checkName(name: string | undefined): void {
  if (name === undefined) return;
  if (name.trim() === '') throw new PlainUnprocessable(["Name can't be blank"]);
  if (name.length > longestRuleName) throw new PlainUnprocessable([`Name ${tooLong(longestRuleName)}`]);
}

/** Records a change of a rule in the audit log. */
export const note = (
  sql: Sql,
  { viewer, origin }: Context,
  { fullPath }: RepositoryRecord,
  kind: AuditKind & `${'branch' | 'tag'}_rule_${string}`,
  name: string,
) => audit({ sql, origin }, { kind, actorId: viewer.person?.id ?? null, detail: `${name} of ${fullPath}` });

const levels = ({ push, merge, force }: RuleChange) => [push ?? null, merge ?? null, force ?? null];

const second = (moment: Date) => Math.floor(moment.getTime() / 1000);

/** @throws PreconditionFailed if a rule was changed after a moment */
export function requireUnmodified(
  { updatedAt }: Pick<RuleRow, 'updatedAt'>,
  unmodifiedSince: Date | null | undefined,
): void {
  if (unmodifiedSince && second(updatedAt) > second(unmodifiedSince)) throw new PreconditionFailed();
}

/** Makes a rule. @throws Conflict if there is one of that name, PlainUnprocessable */
export async function makeRule(
  context: Context,
  repository: RepositoryRecord,
  { name, push = 40, merge = 40, force = false }: RuleChange & { readonly name: string },
): Promise<RuleRecord> {
  checkName(name);
  return await context.database.transaction(async (sql) => {
    const [rule] = await sql.rows(insertRule, [repository.id, name, push, merge, force, mostRules]);
    if (!rule) {
      const [known] = await sql.rows(lockRule, [repository.id, null, name]);
      if (known) throw new Conflict(`Protected branch '${name}' already exists`);
      throw new PlainUnprocessable([`A project has at most ${mostRules} protected branches`]);
    }
    await note(sql, context, repository, 'branch_rule_created', name);
    await mergeAllWhenDue(sql, repository.id);
    return { ...rule, repository };
  });
}

/** @throws NotFound */
async function locked(sql: Sql, { id }: RepositoryRecord, which: Which): Promise<RuleRow> {
  const [rule] = await sql.rows(lockRule, 'id' in which ? [id, which.id, null] : [id, null, which.name]);
  if (!rule) throw new NotFound('Branch rule');
  return rule;
}

/** Changes a rule. @throws NotFound, Conflict if another one has the name, PlainUnprocessable */
export async function changeRule(
  context: Context,
  repository: RepositoryRecord,
  which: Which,
  change: RuleChange | ((rule: RuleRow) => RuleChange),
): Promise<RuleRecord> {
  let name: string | undefined;
  try {
    return await context.database.transaction(async (sql) => {
      const before = await locked(sql, repository, which);
      const changed = typeof change === 'function' ? change(before) : change;
      ({ name } = changed);
      checkName(name);
      const [rule] = await sql.rows(updateRule, [before.id, name ?? null, ...levels(changed)]);
      await note(sql, context, repository, 'branch_rule_updated', rule!.name);
      await mergeAllWhenDue(sql, repository.id);
      return { ...rule!, repository };
    });
  } catch (error) {
    throw takenIn(error) === 'protected_branches' ? new Conflict(`Protected branch '${name}' already exists`) : error;
  }
}

/**
 * Deletes a rule: its branches are protected no longer.
 * @param unmodifiedSince refuses it if the rule was changed after this moment
 * @throws NotFound, PreconditionFailed
 */
export async function removeRule(
  context: Context,
  repository: RepositoryRecord,
  which: Which,
  unmodifiedSince?: Date | null,
): Promise<RuleRecord> {
  return await context.database.transaction(async (sql) => {
    const rule = await locked(sql, repository, which);
    requireUnmodified(rule, unmodifiedSince);
    await sql.rows(deleteRule, [rule.id]);
    await note(sql, context, repository, 'branch_rule_deleted', rule.name);
    await mergeAllWhenDue(sql, repository.id);
    return { ...rule, repository };
  });
}
