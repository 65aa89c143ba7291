import { InvalidFields, NotFound, PlainUnprocessable } from '../../../errors.ts';
import { adminBranches, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { levelNames } from '../protected-branches/types.ts';
import { checkName, mostRules, note, requireUnmodified } from '../protected-branches/write.ts';
import { repositoryIn } from '../repositories/look-up.ts';
import { deleteTagRule, insertTagRule, lockTagRule } from './statements.ts';
import { TagRule, type TagRuleRecord } from './types.ts';

/** Protecting tags, for maintainers. Each change is a transaction with its audit event. */

const payload = (t: FieldsOf<{ tagRule: TagRuleRecord }>) => ({ tagRule: t.expose('tagRule', { type: TagRule }) });

mutation('tagRuleCreate', {
  description: 'Protects a tag, which need not exist, or all whose names have a form.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    name: t.string({ required: true, description: 'A tag, or a pattern with `*` for any text.' }),
    createAccessLevel: t.int({
      description:
        'The least role that makes them: 0 (no one), 30, 40 (maintainers; the default), or 60 (administrators).',
    }),
  }),
  payload,
  resolve: async (context, { projectPath, name, createAccessLevel }) => {
    const repository = await repositoryIn(context, projectPath, adminBranches);
    const level = createAccessLevel ?? 40;
    if (!(level in levelNames)) throw new InvalidFields({ createAccessLevel: ['is not included in the list'] });
    checkName(name);
    return await context.database.transaction(async (sql) => {
      const [rule] = await sql.rows(insertTagRule, [repository.id, name, level, mostRules]);
      if (!rule) {
        const [known] = await sql.rows(lockTagRule, [repository.id, name]);
        throw new PlainUnprocessable([
          known ? 'Name has already been taken' : `A project has at most ${mostRules} protected tags`,
        ]);
      }
      await note(sql, context, repository, 'tag_rule_created', name);
      return { tagRule: { ...rule, repository } };
    });
  },
});

mutation('tagRuleDelete', {
  description: 'Deletes a rule: its tags are protected no longer.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    name: t.string({ required: true, description: 'The name of the rule.' }),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses it if the rule was made after this moment. Fractions of a second are ignored.',
    }),
  }),
  payload,
  resolve: async (context, { projectPath, name, unmodifiedSince }) => {
    const repository = await repositoryIn(context, projectPath, adminBranches);
    return await context.database.transaction(async (sql) => {
      const [rule] = await sql.rows(lockTagRule, [repository.id, name]);
      if (!rule) throw new NotFound('Tag rule');
      requireUnmodified(rule, unmodifiedSince);
      await sql.rows(deleteTagRule, [rule.id]);
      await note(sql, context, repository, 'tag_rule_deleted', name);
      return { tagRule: { ...rule, repository } };
    });
  },
});
