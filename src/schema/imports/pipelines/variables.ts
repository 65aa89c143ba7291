import { canBeMasked, mostVariables, problemsOf, problemsOfKey } from '../../../values/ci/variables.ts';
import { Problems } from '../../engine/input.ts';
import { sealSecret } from '../../pipelines/variables/sealing.ts';
import { rowOf, VariableTypeEnum } from '../../pipelines/variables/types.ts';
import { importing, NotTaken } from '../origins/importing.ts';
import { refuse } from '../people/people.ts';
import { changeVariable, insertVariable } from './statements.ts';

importing('variables', {
  description: 'Imports variables of pipelines: key `project/7/production/NAME` or `group/7/*/NAME`.',
  isSecret: true,
  record: (t) => ({
    scope: t.string({ required: true, description: '`project` or `group`.' }),
    placeKey: t.string({ required: true }),
    name: t.string({ required: true }),
    value: t.string({ description: 'Omitted: the origin doesn’t give it.' }),
    variableType: t.field({ type: VariableTypeEnum }),
    protected: t.boolean({ required: true }),
    masked: t.boolean({ required: true }),
    raw: t.boolean({ required: true }),
    environmentScope: t.string({ required: true }),
    description: t.string(),
  }),
  refersTo: ({ scope, placeKey }) => [[scope === 'group' ? 'groups' : 'projects', placeKey]],
  examine: (batch, { scope: given, placeKey, name, value, masked, raw, environmentScope, description }) => {
    const scope = given === 'group' ? 'group' : 'project';
    const placeId = batch.localOf(`${scope}s`, placeKey);
    if (placeId === undefined && !batch.dryRun) throw new NotTaken('Its place wasn’t imported.');
    if (value == null) throw new NotTaken('Its value is hidden: set it here.');
    const problems = new Problems();
    const all = [
      ...problemsOfKey(name),
      ...problemsOf({ value, environmentScope, description: description ?? undefined }),
    ];
    for (const [field, message] of all) problems.add(field, [message]);
    refuse(problems);
    const canMask = !masked || canBeMasked(value, raw);
    // Its value would stand in logs.
    if (!canMask) throw new NotTaken('Its value can’t be masked here: set it by hand.');
    return Promise.resolve({ scope, placeId: placeId ?? 0, value } as const);
  },
  store: async ({ sql, context }, given, { scope, placeId, value }, known) => {
    const { name: key, masked, raw, environmentScope } = given;
    const row = rowOf({
      projectId: scope === 'project' ? placeId : null,
      groupId: scope === 'group' ? placeId : null,
      key,
    });
    const sealed = sealSecret(context.keys, row, value);
    const type = given.variableType ?? 'env_var';
    const description = given.description || null;
    if (known !== undefined) {
      const values = [known, sealed, type, given.protected, masked, raw, description];
      if ((await sql.rows(changeVariable, values)).length === 0) throw new NotTaken('It was removed here.');
      return known;
    }
    const { most } = mostVariables[scope];
    const values = [placeId, key, sealed, type, given.protected, masked, raw, environmentScope, description, most];
    const [made] = await sql.rows(insertVariable[scope], values);
    if (!made) throw new NotTaken('There is one of that name here, or there are as many as there may be.');
    return made.id;
  },
});
