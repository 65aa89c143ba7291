import type { GraphQLSchema } from 'graphql';
import type { Config } from '../config/index.ts';
import type { Application } from '../context.ts';
import { InvalidFields, OperatorError } from '../errors.ts';
import {
  asOperator,
  configureErrorTracking,
  ensureEmail,
  ensureGroup,
  ensureMember,
  ensureProject,
  ensureUser,
  makeToken,
} from './set-up.ts';

/** Secrets of a first start, shown once. */
export interface FirstStart {
  readonly rootPassword: string;
  readonly rootToken: string;
  /** Undefined without the demo workspace. */
  readonly demo: { readonly password: string; readonly token: string } | undefined;
}

type Settings = Pick<Config, 'rootPassword' | 'rootToken' | 'demo' | 'demoPassword'>;

/** Whether the database isn't set up yet. */
export async function isNew(application: Application, schema: GraphQLSchema): Promise<boolean> {
  const { instance } = await asOperator(application, schema)<{ instance: object | null }>(
    'query { instance { setUpAt } }',
    {},
  );
  return instance === null;
}

/**
 * Creates the administrator `root`, and the demo workspace if the settings say so. It uses the same
 * GraphQL operations as the doors, as the operator. If a run is interrupted, the next one continues it.
 */
export async function setUp(
  application: Application,
  schema: GraphQLSchema,
  settings: Settings,
  randomPassword: () => string,
): Promise<FirstStart> {
  const run = asOperator(application, schema);
  const rootPassword = settings.rootPassword ?? randomPassword();
  const root = await withPasswordFrom('CAUSEWAY_ROOT_PASSWORD', () =>
    ensureUser(run, {
      username: 'root',
      name: 'Administrator',
      email: 'root@example.com',
      password: rootPassword,
      administrator: true,
    }),
  );
  const rootToken = await makeToken(run, root, 'first start', ['api', 'sudo'], settings.rootToken);
  const demoPassword = settings.demoPassword ?? randomPassword();
  const demo = settings.demo
    ? await withPasswordFrom('CAUSEWAY_DEMO_PASSWORD', () => makeDemo(application, schema, demoPassword))
    : undefined;
  await run('mutation { finishSetUp { setUpAt } }', {});
  return { rootPassword, rootToken, demo };
}

/** A setting makes the first set-up impossible. */
class SetUpError extends OperatorError {}

/** Creates an account. An error about its password names the setting that has it. @throws SetUpError */
async function withPasswordFrom<T>(setting: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (problem) {
    if (!(problem instanceof InvalidFields && problem.fields.password)) throw problem;
    throw new SetUpError(
      `${setting} ${problem.fields.password.join(', ')}.`,
      'Choose another password, or unset it: the first start then makes a random one and prints it.',
    );
  }
}

async function makeDemo(application: Application, schema: GraphQLSchema, password: string) {
  const run = asOperator(application, schema);
  const maintainer = await ensureUser(run, {
    username: 'maintainer',
    name: 'Mary Maintainer',
    email: 'maintainer@example.com',
    password,
    tier: 'PREMIUM',
  });
  await ensureEmail(run, maintainer, 'maintainer@work.example.com');
  const developer = await ensureUser(run, {
    username: 'developer',
    name: 'Dev Developer',
    email: 'developer@example.com',
    password,
  });
  const guest = await ensureUser(run, { username: 'guest', name: 'Guy Guest', email: 'guest@example.com', password });

  await ensureGroup(run, { path: 'demo', name: 'Demo', description: 'A place to try things.', visibility: 'public' });
  await ensureGroup(run, {
    parent: 'demo',
    path: 'platform',
    name: 'Platform',
    description: 'Shared services.',
  });
  await ensureProject(run, {
    namespace: 'demo',
    path: 'storefront',
    name: 'Storefront',
    description: 'The shop.',
    visibility: 'public',
  });
  await ensureProject(run, {
    namespace: 'demo/platform',
    path: 'api',
    name: 'API',
    description: 'The service behind the shop.',
  });
  await ensureMember(run, maintainer, 'MAINTAINER', { group: 'demo' });
  await ensureMember(run, developer, 'DEVELOPER', { group: 'demo' });
  await ensureMember(run, guest, 'GUEST', { group: 'demo' });
  await configureErrorTracking(run, {
    project: 'demo/storefront',
    apiUrl: 'https://tracker.example.com/api/0/projects/demo/storefront',
    projectName: 'Storefront',
    active: false,
  });
  return { password, token: await makeToken(run, maintainer, 'demo', ['api']) };
}
