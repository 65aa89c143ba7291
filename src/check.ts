/**
 * What the build runs: fits every operation behind every door to the schema, and
 * finds every asset. A gateway does that when something is first asked for.
 * @throws GraphQLError when an operation doesn't fit, Error when the assets aren't there
 */
import { fileURLToPath } from 'node:url';
import { contract } from './contract.ts';
import { compileRoutes } from './rest/index.ts';
import { schema } from './schema/index.ts';
import { compileSite } from './web/index.ts';

compileRoutes(schema);
compileSite({ schema, assetsDir: fileURLToPath(new URL('assets', import.meta.url)), ...contract('') });
