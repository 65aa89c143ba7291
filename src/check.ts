/**
 * A check of the build: every operation of every door fits the schema, and every asset exists. A gateway relies on it.
 * @throws GraphQLError if an operation doesn't fit, Error if an asset is missing
 */
import { fileURLToPath } from 'node:url';
import { contract } from './contract.ts';
import { compileGit } from './git-http/index.ts';
import { compileRoutes } from './rest/index.ts';
import { compileJobFiles } from './runner-api/index.ts';
import { validateOperations } from './operation.ts';
import { schema } from './schema/index.ts';
import { compileSite } from './web/index.ts';

validateOperations();
compileRoutes(schema);
compileGit(schema);
compileJobFiles(schema);
const described = contract('');
const assetsDir = fileURLToPath(new URL('assets', import.meta.url));
compileSite({ schema, assetsDir, documentation: () => Promise.resolve(described) });
