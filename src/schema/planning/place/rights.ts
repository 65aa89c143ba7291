import type { Facts } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { projectById } from '../../places/place/read.ts';
import { factsOf } from '../../places/projects/permissions.ts';

/** The viewer's rights in projects, once for a page. */
export const rightsIn = batched<Facts>(async (context, ids) => {
  const facts = await Promise.all(
    ids.map(async (id): Promise<readonly [number, Facts]> => [
      id,
      await factsOf(context, (await projectById(context, id))!),
    ]),
  );
  return new Map(facts);
});
