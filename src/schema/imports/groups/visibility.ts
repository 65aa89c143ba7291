import { isWider } from '../../places/place/visibility.ts';
import type { Visibility } from '../../../policy/index.ts';
import type { Batch } from '../origins/importing.ts';

/** The visibility of an imported place: never wider than what contains it. */
export function within(batch: Batch, wanted: Visibility, around: Visibility | undefined): Visibility {
  if (around === undefined || !isWider(wanted, around)) return wanted;
  batch.remark(`It is ${around.toLowerCase()}, as what contains it, instead of ${wanted.toLowerCase()}.`);
  return around;
}
