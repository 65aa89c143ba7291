import { lexicographicSortSchema, printSchema, type OperationTypeNode } from 'graphql';
import { migrations, migrationSubjects, openApi, routeOperations, type Migration } from './rest/index.ts';
import { publicSchema } from './schema/public.ts';

/** What clients may rely on: served by the gateway, and committed below `contract/`. */
export interface Contract {
  /** The schema of `/graphql`. */
  readonly sdl: string;
  readonly openApi: object;
  /** Changes between version 3 and version 4 of the REST API, by these subjects. */
  readonly migrations: readonly Migration[];
  readonly migrationSubjects: readonly string[];
}

/** The contract. @param version of the gateway */
export function contract(version: string): Contract {
  return {
    sdl: `${printSchema(lexicographicSortSchema(publicSchema))}\n`,
    openApi: openApi(version),
    migrations,
    migrationSubjects,
  };
}

/** The committed files, by name. */
export function contractFiles(version: string): Record<string, string> {
  const { sdl, openApi: document } = contract(version);
  return {
    'schema.graphql': sdl,
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'operations.md': operationsPage(),
  };
}

/** Which GraphQL operation each REST route stands for, as Markdown. */
function operationsPage(): string {
  const operations = routeOperations();
  const section = (tag: string) =>
    operations
      .filter((one) => one.tag === tag)
      .map(({ method, path, kind, fields }) => {
        const root = publicSchema.getRootType(kind as OperationTypeNode)?.getFields() ?? {};
        const named = fields.map((field) => `\`${field}\`${field in root ? '' : ' (not public)'}`);
        return `| \`${method} ${path}\` | ${kind} | ${named.join(', ')} |`;
      })
      .join('\n');
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return `# Operations of REST routes

Each REST route runs an operation of the GraphQL schema; these are its root fields. A field that isn't public can't be
reached at \`/graphql\`. \`npm run contract\` writes this page.
${tags.map((tag) => `\n## ${tag}\n\n| route | kind | root fields |\n|---|---|---|\n${section(tag)}\n`).join('')}`;
}
