import { graphqlWork } from './graphql.ts';
import type { Work } from './request.ts';
import { restWork } from './rest.ts';
import { sizeWork, workersWork } from './sizes.ts';
import { tokenWork } from './tokens.ts';

export type { Contender, Target, Work } from './request.ts';

/** All of it, as the table has it. */
export const work: readonly Work[] = [...restWork, ...tokenWork, ...graphqlWork, ...workersWork];

/** What is measured where both databases are. */
export { sizeWork };
