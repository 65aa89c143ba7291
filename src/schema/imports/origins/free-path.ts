import { NotTaken, type Batch } from './importing.ts';
import { findFreePath } from './statements.ts';

/** The path of a new place, or the name of a new person: as it was there, with a number behind it if that is taken here. */
export async function freePath({ sql, remark }: Batch, wanted: string) {
  const [free] = await sql.rows(findFreePath, [wanted]);
  if (!free) throw new NotTaken('No path like its own is free.');
  if (free.suffix !== '') remark(`The path ${wanted} is taken: imported as ${free.path}.`);
  return free;
}
