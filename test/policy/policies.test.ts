import SchemaBuilder from '@pothos/core';
import fc from 'fast-check';
import { getNamedType, isCompositeType, isObjectType } from 'graphql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContext, operatorContext } from '../../src/context.ts';
import { limits } from '../../src/graphql/index.ts';
import { compileOperation } from '../../src/operation.ts';
import * as policy from '../../src/policy/index.ts';
import {
  holds,
  scopes,
  toSql,
  type Admission,
  type Condition,
  type Facts,
  type Viewer,
} from '../../src/policy/index.ts';
import { schema } from '../../src/schema/index.ts';
import { publicSchema } from '../../src/schema/public.ts';
import { dataOf } from '../support/requests/answers.ts';
import { everything } from '../support/databases/everything.ts';
import { testGateway, type GraphQLAnswer, type TestGateway } from '../support/gateway.ts';
import {
  anyVariables,
  operationOf,
  rootFields,
  shortOperationOf,
  type RootField,
} from '../support/requests/operations.ts';
import { workspace } from '../support/places/workspace.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // Memberships that were ended for a test aren't to go while another one looks whether anything changed.
  gateway = await testGateway({ CAUSEWAY_JOBS: '0' });
});

const admissionOf = (field: RootField) => field.extensions.admission as Admission | undefined;
const titled = (fields: ReturnType<typeof rootFields>) =>
  fields.map(({ kind, field }) => [`${kind} ${field.name}`, kind, field] as const);

describe('a condition', () => {
  const person = { id: 7, username: 'person', premium: false, external: false };
  const viewers: readonly Viewer[] = [
    policy.anonymous,
    policy.operator,
    { person: { ...person, administrator: false }, credential: { kind: 'personal', tokenId: 1, scopes: ['api'] } },
    { person: { ...person, administrator: true }, credential: { kind: 'personal', tokenId: 1, scopes: ['read_api'] } },
    { person: { ...person, administrator: false, external: true, premium: true }, credential: { kind: 'password' } },
    {
      person: null,
      credential: {
        kind: 'oauth',
        tokenId: 1,
        scopes: ['api'],
        application: null,
        createdAt: new Date(0),
        expiresAt: null,
      },
    },
  ];
  const visibilities = ['PRIVATE', 'INTERNAL', 'PUBLIC'] as const;
  const accessLevels = [null, 0, 10, 15, 20, 30, 40, 50] as const;

  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Condition>(
        { fact: 'administrator' },
        { fact: 'signedIn' },
        { fact: 'seesInternal' },
        { fact: 'premium' },
        { fact: 'author' },
        { fact: 'assignee' },
        { fact: 'ordinary' },
        { fact: 'publicJobs' },
      ),
      fc.constantFrom(...visibilities).map((is): Condition => ({ fact: 'snippetVisibility', is })),
      fc
        .record({ disabled: tie('condition'), private: tie('condition'), enabled: tie('condition') })
        .map((at): Condition => ({ feature: 'issues', at: { ...at, public: at.enabled } })),
      fc.constantFrom(...visibilities).map((is): Condition => ({ fact: 'visibility', is })),
      fc.constantFrom(0, 5, 10, 30, 40, 50, 60).map((atLeast): Condition => ({ fact: 'accessLevel', atLeast })),
      fc.constantFrom(20, 40).map((below): Condition => ({ fact: 'accessLevel', atLeast: 10, below })),
      fc.array(tie('condition'), { maxLength: 3 }).map((any): Condition => ({ any })),
      fc.array(tie('condition'), { maxLength: 3 }).map((all): Condition => ({ all })),
    ),
  }));

  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client(gateway.databaseUrl);
    await client.connect();
  });
  afterAll(() => client.end());

  type IssueFacts = NonNullable<Facts['issue']>;
  const issueOfOthers: IssueFacts = { authorId: 8, assigneeId: null, confidential: false };
  type Level = 'disabled' | 'private' | 'enabled';
  const featureLevels: readonly Level[] = ['disabled', 'private', 'enabled'];
  /** By the person 7 and by others, assigned to each of them, and to nobody. */
  const issues: readonly IssueFacts[] = [7, 8].flatMap((authorId) =>
    [7, 8, null].flatMap((assigneeId) => [true, false].map((confidential) => ({ authorId, assigneeId, confidential }))),
  );
  const columns = {
    visibility: 'visibility',
    accessLevel: 'level',
    issue: {
      authorId: `(issue->>'authorId')::int`,
      assigneeId: `(issue->>'assigneeId')::int`,
      confidential: `(issue->>'confidential')::boolean`,
      viewerId: '7',
    },
    // A snippet with the author of the issue, and the visibility of the place.
    snippet: { authorId: `(issue->>'authorId')::int`, visibility: 'visibility', viewerId: '7' },
    level: () => 'feature',
    // Public, if the issue isn't confidential.
    publicJobs: `not (issue->>'confidential')::boolean`,
  };

  /** Over all facts at once: what the record's interpreter says beside what PostgreSQL says. */
  async function bothReadings(
    tree: Condition,
    viewer: Viewer,
    of: readonly IssueFacts[] = [issueOfOthers],
    features: readonly Level[] = ['enabled'],
  ) {
    const { rows } = await client.query<{
      visibility: Facts['visibility'];
      level: number | null;
      issue: IssueFacts;
      feature: Level;
      said: boolean;
    }>(
      `select visibility::text, level, issue, feature, ${toSql(tree, viewer, columns)} as said
         from unnest($1::"Visibility"[]) visibility, unnest($2::smallint[]) level, jsonb_array_elements($3::jsonb) issue,
              unnest($4::text[]) feature`,
      [visibilities, accessLevels, JSON.stringify(of), features],
    );
    expect(rows).toHaveLength(visibilities.length * accessLevels.length * of.length * features.length);
    return rows.map(({ visibility, level, issue, feature, said }) => ({
      case: `${visibility} ${level}`,
      held: holds(tree, viewer, {
        visibility,
        accessLevel: level ?? 0,
        issue,
        snippet: { authorId: issue.authorId, visibility },
        levels: {
          issues: feature,
          mergeRequests: feature,
          snippets: feature,
          repository: feature,
          builds: feature,
          environments: feature,
        },
        publicJobs: !issue.confidential,
      }),
      said,
    }));
  }

  const agree = async (tree: Condition, viewer: Viewer, features: readonly Level[]) => {
    const readings = await bothReadings(tree, viewer, issues, features);
    // One expectation for all: there are hundreds of thousands of readings.
    expect(readings.filter(({ held, said }) => held !== said)).toEqual([]);
  };

  test('means the same over a loaded record and in PostgreSQL, for every condition and viewer', async () => {
    const level = fc.constantFrom(...featureLevels).map((one) => [one]);
    await fc.assert(fc.asyncProperty(condition, fc.constantFrom(...viewers), level, agree), { numRuns: 300 });
  });

  const named = Object.entries(policy).filter((entry): entry is [string, Condition] => {
    const [, value] = entry;
    return typeof value === 'object' && ('any' in value || 'all' in value || 'fact' in value || 'feature' in value);
  });
  test.each(named)('%s means the same in both readings', async (_name, tree) => {
    for (const viewer of viewers) await agree(tree, viewer, featureLevels);
  });

  test('is exported for every rule that is tested here', () => {
    expect(named.map(([name]) => name)).toEqual(expect.arrayContaining(['manageErrorTracking', 'seePlace']));
  });

  test('seePlace holds for those who may see a place', async () => {
    const [anonymous, , member, administrator] = viewers as [Viewer, Viewer, Viewer, Viewer];
    const seen = async (viewer: Viewer) =>
      (await bothReadings(policy.seePlace, viewer)).filter(({ said }) => said).map((reading) => reading.case);
    const role = ['10', '15', '20', '30', '40', '50'];
    expect(await seen(anonymous)).toEqual(expect.arrayContaining(['PUBLIC null', 'PUBLIC 0']));
    expect(await seen(anonymous)).not.toContain('INTERNAL 0');
    expect((await seen(member)).filter((one) => /PRIVATE|INTERNAL/.test(one)).sort()).toEqual(
      [
        ...role.map((level) => `PRIVATE ${level}`),
        ...['null', '0', ...role].map((level) => `INTERNAL ${level}`),
      ].sort(),
    );
    expect(await seen(administrator)).toHaveLength(24);
  });
});

describe('a list', () => {
  test('shows of one’s places exactly those that a single look-up shows', async () => {
    const make = workspace(gateway);
    const token = await make.user('vera');
    const expected: string[] = [];
    const all: { kind: 'group' | 'project'; path: string }[] = [];
    for (const [membership, sees] of [
      ['none', false],
      ['guest', true],
      ['expired', false],
    ] as const) {
      for (const visibility of ['PRIVATE', 'INTERNAL', 'PUBLIC'] as const) {
        const parent = `list-${membership}-${visibility.toLowerCase()}`;
        const places = [
          { kind: 'group', path: parent },
          { kind: 'group', path: `${parent}/sub` },
          { kind: 'project', path: `${parent}/shop` },
          { kind: 'project', path: `${parent}/sub/shop` },
        ] as const;
        for (const { kind, path } of places) await make[kind](path, visibility);
        if (membership !== 'none') await make.member('vera', 'GUEST', { group: parent });
        if (membership === 'expired') {
          await gateway.sql(
            `update group_members set expires_at = (now() at time zone 'utc')::date where group_id = (select namespace_id from routes where path = $1)`,
            [parent],
          );
        }
        all.push(...places);
        if (sees || visibility !== 'PRIVATE') expected.push(...places.map(({ path }) => path));
      }
    }
    // As if vera had once seen them all.
    const vera = `(select owner_id from namespaces where full_path = 'vera')`;
    await gateway.sql(
      `insert into group_notification_settings (user_id, group_id, level) select ${vera}, id, 'WATCH' from namespaces where full_path like 'list-%'`,
    );
    await gateway.sql(
      `insert into project_notification_settings (user_id, project_id, level) select ${vera}, id, 'WATCH' from projects where full_path like 'list-%'`,
    );

    const single: string[] = [];
    for (const { kind, path } of all) {
      const { place } = dataOf(
        await gateway.graphql<{ place: object | null }>(`query ($id: ID!) { place: ${kind}(id: $id) { id } }`, {
          token,
          variables: { id: path },
        }),
      );
      if (place) single.push(path);
    }
    const { currentUser } = dataOf(
      await gateway.graphql<{
        currentUser: {
          notificationSettings: { nodes: { group?: { fullPath: string }; project?: { fullPath: string } }[] };
        };
      }>('{ currentUser { notificationSettings(first: 100) { nodes { group { fullPath } project { fullPath } } } } }', {
        token,
      }),
    );
    const listed = currentUser.notificationSettings.nodes.flatMap(
      ({ group, project }) => group?.fullPath ?? project?.fullPath ?? [],
    );
    expect(single.sort()).toEqual(expected.sort());
    expect(listed.sort()).toEqual(expected.sort());
  });
});

describe('a field at the root', () => {
  test.each(titled(rootFields(schema)))('%s declares who may reach it', (_title, _kind, field) => {
    expect(['token', 'session', 'client', 'git', 'job', 'runner', 'trigger', 'operator']).toContain(
      admissionOf(field)?.class,
    );
  });

  test('without an admission stops the start', () => {
    // As any builder of this schema is made, with a field that forgot it.
    const other = new SchemaBuilder<object>({ plugins: ['admission'] } as never);
    other.queryType({ fields: (t) => ({ open: t.boolean({ resolve: () => true }) }) });
    expect(() => other.toSchema()).toThrow("Query.open doesn't declare who may reach it");
  });
});

describe('a field that grants power', () => {
  const powerful = rootFields(schema).filter(({ field }) => admissionOf(field)?.class !== 'token');

  test('is each of those that make people and tokens', () => {
    expect(powerful.map(({ field }) => field.name)).toEqual(
      expect.arrayContaining([
        'addEmail',
        'createPersonalAccessToken',
        'createUser',
        'finishSetUp',
        'instance',
        'resetPassword',
      ]),
    );
  });

  const named = (is: (admission: Admission & { class: 'session' }) => unknown) =>
    powerful
      .flatMap(({ field }) => {
        const admission = admissionOf(field)!;
        return admission.class === 'session' && is(admission) ? [field.name] : [];
      })
      .sort();

  test('is open to anonymous requests only where a person may have to sign in first, or can’t', () => {
    expect(named(({ anonymous }) => anonymous)).toEqual([
      'authorizationRequest',
      'completeSignIn',
      'completeSignInByPasskey',
      'confirmEmail',
      'entrance',
      'mailFirstConfirmationAgain',
      'mailedLink',
      'passkeySignIn',
      'pendingSignIn',
      'requestPasswordReset',
      'setForgottenPassword',
      'signIn',
      'signInByPasskey',
      'signUp',
      'unsubscribe',
      'unsubscribeLink',
    ]);
  });

  test('needs a recent confirmation, where it doesn’t just show, end, or ask for itself', () => {
    const shows = [
      'application',
      'applications',
      'authorizedApplications',
      'backgroundJobs',
      'currentPersonalAccessToken',
      'instance',
      'instanceApplication',
      'instanceApplications',
      'instanceSettings',
      'newApplication',
      'notificationQueueCounts',
      'passkeyConfirmation',
      'passkeys',
      'pendingDevice',
      'personalAccessToken',
      'personalAccessTokens',
      'profileGrants',
      'queuedNotifications',
      'secondFactor',
      'sessions',
    ];
    const ends = [
      'endExploring',
      'endOtherSessions',
      'endSession',
      'revokeAuthorization',
      'revokeCurrentPersonalAccessToken',
      'revokePersonalAccessToken',
      'signOut',
      'signOutEverywhere',
    ];
    // A person's consent to what they see, the password that is there, or the operator.
    const asks = [
      'authorize',
      'changePassword',
      'confirmCode',
      'confirmPasskey',
      'confirmPassword',
      'decideDevice',
      'finishSetUp',
    ];
    // `explore` asks for a token that reads; that it asks before one that writes is in test/web/explore.test.ts.
    const grantsNothing = [
      'explore',
      'mailConfirmationAgain',
      'resendNotifications',
      'retryBackgroundJobs',
      'updateProfile',
    ];
    expect(named(({ anonymous, recent }) => !anonymous && !recent)).toEqual(
      [...shows, ...ends, ...asks, ...grantsNothing].sort(),
    );
  });

  test('isn’t part of the public schema', async () => {
    const { __schema } = dataOf(
      await gateway.graphql<{
        __schema: Record<'queryType' | 'mutationType' | 'subscriptionType', { fields: { name: string }[] }>;
      }>(
        `{ __schema { queryType { ...all } mutationType { ...all } subscriptionType { ...all } } }
         fragment all on __Type { fields(includeDeprecated: true) { name } }`,
        { token: gateway.tokens.root },
      ),
    );
    const served = Object.values(__schema)
      .flatMap((type) => type.fields)
      .map(({ name }) => name)
      .sort();
    const forTokens = rootFields(schema).filter(({ field }) => admissionOf(field)?.class === 'token');
    expect(served).toEqual(forTokens.map(({ field }) => field.name).sort());
  });

  test.each(titled(powerful))(
    '%s doesn’t exist at the endpoint, nor do the types that only it needs',
    async (_title, kind, field) => {
      const { data, errors } = await gateway.graphql(operationOf(kind, field), {
        token: gateway.tokens.root,
        variables: anyVariables(field),
      });
      expect(data).toBeNull();
      expect(errors!.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(new RegExp(`^Field '${field.name}' doesn't exist on type`)),
      );
      for (const { type } of field.args) {
        const { name } = getNamedType(type);
        if (name.endsWith('Input')) expect(publicSchema.getType(name)).toBeUndefined();
      }
    },
  );

  let tokens: string[];
  beforeAll(async () => {
    tokens = [
      gateway.tokens.root,
      await gateway.personalToken('root', [...scopes]),
      await gateway.accessToken('root', [...scopes]),
      await gateway.accessToken(null, [...scopes]),
    ];
  });

  // Clients of git reach theirs with tokens, which test/repository/git-http-access.test.ts tries.
  test.each(titled(powerful.filter(({ field }) => admissionOf(field)?.class !== 'git')))(
    '%s refuses every token and anonymous requests in the whole schema too, and changes nothing',
    async (_title, kind, field) => {
      const { application } = gateway.gateway;
      const operation = compileOperation(schema, operationOf(kind, field));
      const run = async (token: string | null) =>
        operation.execute(
          await createContext(application, token === null ? null : { as: 'bearer', token }, {
            origin: { address: '127.0.0.1', requestId: 'test' },
          }),
          anyVariables(field),
        );
      const before = await everything(gateway);
      const admission = admissionOf(field)!;
      // What a personal token reaches over REST is tested above.
      const refused = 'personalToken' in admission ? tokens.slice(2) : tokens;
      for (const token of refused) await expect(run(token)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      if (!('anonymous' in admission))
        await expect(run(null)).rejects.toMatchObject({ code: expect.stringMatching(/^(UNAUTHENTICATED|FORBIDDEN)$/) });
      expect(await everything(gateway)).toBe(before);
    },
  );

  test('is within the operator’s reach', async () => {
    const operation = compileOperation<{ instance: object }>(schema, '{ instance { setUpAt } }');
    expect(await operation.execute(operatorContext(gateway.gateway.application), {})).toEqual({
      instance: { setUpAt: expect.any(String) },
    });
  });
});

describe('a field that a personal access token reaches, though it grants power', () => {
  const admission: Admission = { class: 'session', recent: true, personalToken: ['api'] };
  const person = { id: 7, username: 'person', administrator: true, premium: false, external: false };
  const personal = (...given: (typeof scopes)[number][]): Viewer => ({
    person,
    credential: { kind: 'personal', tokenId: 1, scopes: given },
  });
  const oauth: Viewer = {
    person,
    credential: {
      kind: 'oauth',
      tokenId: 1,
      scopes: [...scopes],
      application: null,
      createdAt: new Date(0),
      expiresAt: null,
    },
  };

  test('takes one with the scope it names, and a person who is signed in', () => {
    expect(() => policy.admit(personal('api'), admission)).not.toThrow();
    expect(() =>
      policy.admit({ person, credential: { kind: 'session', sessionId: 1, recent: true, checkedAt: '' } }, admission),
    ).not.toThrow();
  });

  test.each<[string, Viewer, string]>([
    ['a personal token without that scope', personal('read_api', 'read_user', 'sudo'), 'INSUFFICIENT_SCOPE'],
    ['an OAuth token with every scope', oauth, 'FORBIDDEN'],
    ['an OAuth token of an application', { ...oauth, person: null }, 'FORBIDDEN'],
    ['a token that acts as another person', { ...personal(...scopes), actor: { ...person, id: 1 } }, 'FORBIDDEN'],
    [
      'a session that wasn’t confirmed lately',
      { person, credential: { kind: 'session', sessionId: 1, recent: false, checkedAt: '' } },
      'SIGN_IN_AGAIN',
    ],
    ['an anonymous request', policy.anonymous, 'UNAUTHENTICATED'],
  ])('refuses %s', (_name, viewer, code) => {
    expect(() => policy.admit(viewer, admission)).toThrow(expect.objectContaining({ code }));
  });

  test('refuses the token of a page, unless it reads', () => {
    const ofPage: Viewer = {
      person,
      credential: { kind: 'personal', tokenId: 1, scopes: ['api'], ofPage: true },
    };
    const reached = rootFields(schema).flatMap(({ field }) => {
      const one = admissionOf(field)!;
      const grants = one.class === 'session' || (one.class === 'token' && one.makesCredential);
      if (!grants) return [];
      try {
        policy.admit(ofPage, one);
        return [field.name];
      } catch {
        return [];
      }
    });
    expect(reached.sort()).toEqual([
      'currentPersonalAccessToken',
      'instanceApplications',
      'personalAccessToken',
      'personalAccessTokens',
      'revokeCurrentPersonalAccessToken',
    ]);
    const makes = rootFields(schema).flatMap(({ field }) => {
      const one = admissionOf(field)!;
      return one.class === 'token' && one.makesCredential ? [field.name] : [];
    });
    expect(makes.sort()).toEqual([
      'deployKeyCreate',
      'deployKeyEnable',
      'deployKeyUpdate',
      'pipelineTriggerCreate',
      'runnerCreate',
      'runnerResetAuthenticationToken',
      'runnersRegistrationTokenReset',
    ]);
  });

  test('isn’t served at the endpoint for all that', () => {
    const served = new Set(rootFields(publicSchema).map(({ field }) => field.name));
    const named = rootFields(schema)
      .filter(({ field }) => 'personalToken' in admissionOf(field)!)
      .map(({ field }) => field.name);
    expect(named.filter((name) => served.has(name))).toEqual([]);
  });
});

describe('a scope', () => {
  const queries = rootFields(publicSchema).filter(({ kind }) => kind === 'query');
  const mutations = rootFields(publicSchema).filter(({ kind }) => kind === 'mutation');
  /** About the token itself and the authorization server: for every token. */
  const ofAnyToken = ['authorizationServer', 'tokenInfo'];
  const everyQuery = queries.map(({ field }) => field.name).sort();

  /** What the decisions say, plus the version, which clients ask for before anything else. */
  const reach: Record<string, readonly string[]> = {
    api: everyQuery,
    read_api: everyQuery,
    read_repository: ['repository', ...ofAnyToken],
    write_repository: ofAnyToken,
    read_user: [
      'currentUser',
      'furtherEmailsOfUser',
      'metadata',
      'sshKey',
      'sshKeys',
      'statusOfUser',
      'user',
      'userEvents',
      'users',
      ...ofAnyToken,
    ],
    profile: ['currentUser', ...ofAnyToken],
    email: ['currentUser', ...ofAnyToken],
    sudo: ofAnyToken,
  };

  /** As many in a request as it may hold. */
  const batchesOf = (fields: typeof queries) =>
    Array.from({ length: Math.ceil(fields.length / limits.batch) }, (_, index) =>
      fields.slice(index * limits.batch, (index + 1) * limits.batch),
    );
  type Answers = readonly Pick<GraphQLAnswer<Record<string, unknown>>, 'data' | 'errors'>[];
  /** The answers to root fields, asked for in few requests. */
  async function answersTo(fields: typeof queries, token: string) {
    const all: { name: string; answer: Answers[number] }[] = [];
    for (const batch of batchesOf(fields)) {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(
          batch.map(({ kind, field }) => ({ query: shortOperationOf(kind, field), variables: anyVariables(field) })),
        ),
      });
      const answers = (await response.json()) as Answers;
      expect(answers).toHaveLength(batch.length);
      all.push(...batch.map(({ field: { name } }, index) => ({ name, answer: answers[index]! })));
    }
    return all;
  }

  test.each(Object.entries(reach))('%s reaches exactly the queries that it shall', async (scope, expected) => {
    for (const token of [
      await gateway.personalToken('maintainer', [scope]),
      await gateway.accessToken('maintainer', [scope]),
    ]) {
      const reached = (await answersTo(queries, token)).filter(
        ({ answer: { errors = [] } }) =>
          !errors.some(({ path, extensions }) => path?.length === 1 && extensions?.code === 'INSUFFICIENT_SCOPE'),
      );
      expect(reached.map(({ name }) => name).sort()).toEqual(expected.toSorted());
    }
  });

  const without = scopes.filter((scope) => scope !== 'api');
  /** Each scope besides `api`, and all of them. */
  const sets = [...without.map((scope) => [scope]), without];
  /** A personal and an OAuth token. */
  const tokensWith = (set: (typeof sets)[number]) =>
    Promise.all([gateway.personalToken('root', set), gateway.accessToken('root', set)]);
  const expectRefusal = (name: string, { data, errors }: Answers[number]) => {
    expect(data).toEqual({ [name]: null });
    expect(errors).toMatchObject([{ path: [name], extensions: { code: 'INSUFFICIENT_SCOPE', accepted: ['api'] } }]);
  };

  test.each(sets.map((set) => [set.join(' '), set] as const))(
    '%s reaches no mutation, and changes nothing',
    async (_title, set) => {
      const withoutApi = await tokensWith(set);
      const before = await everything(gateway);
      for (const token of withoutApi)
        for (const { name, answer } of await answersTo(mutations, token)) expectRefusal(name, answer);
      expect(await everything(gateway)).toBe(before);
    },
  );

  test('reaches no mutation without api in a request of its own, which is read in another way', async () => {
    const withoutApi = (await Promise.all(sets.map(tokensWith))).flat();
    const before = await everything(gateway);
    for (const [turn, { kind, field }] of mutations.entries())
      expectRefusal(
        field.name,
        await gateway.graphql(shortOperationOf(kind, field), {
          token: withoutApi[turn % withoutApi.length]!,
          variables: anyVariables(field),
        }),
      );
    expect(await everything(gateway)).toBe(before);
  });

  test.each(titled(mutations))('api alone reaches the %s', async (_title, kind, field) => {
    // Another mutation may have archived it, and an archived project refuses every change.
    await gateway.sql('update projects set archived = false');
    const { errors = [] } = await gateway.graphql(operationOf(kind, field), {
      token: gateway.tokens.root,
      variables: anyVariables(field),
    });
    for (const { extensions } of errors)
      expect(['NOT_FOUND', 'INVALID_INPUT', 'BAD_REQUEST', 'CONFLICT', 'PRECONDITION_FAILED']).toContain(
        extensions?.code,
      );
  });

  const user = publicSchema.getType('User');
  const nested = isObjectType(user)
    ? Object.values(user.getFields()).filter(({ type }) => isCompositeType(getNamedType(type)))
    : [];

  test.each(nested.map((field) => [field.name, field] as const))(
    'that suffices for a person doesn’t suffice for User.%s, which declares its own scopes',
    (_name, field) => {
      const admission = admissionOf(field as RootField);
      expect(admission).toMatchObject({ class: 'token' });
      // The person's own addresses are part of their record; anything else needs more than to know who they are.
      const allowed = ['emails', 'furtherEmails'].includes(field.name)
        ? ['api', 'read_api', 'read_user']
        : ['api', 'read_api'];
      const { scopes: declared } = admission as Admission & { class: 'token' };
      expect(declared).not.toBe('any');
      expect(allowed).toEqual(expect.arrayContaining([...declared]));
    },
  );

  test('for people only shows their own record, and no other', async () => {
    const everyField = operationOf('query', publicSchema.getQueryType()!.getFields().user! as RootField);
    for (const scope of ['read_user', 'profile', 'email']) {
      const token = await gateway.personalToken('developer', [scope]);
      const { data, errors = [] } = await gateway.graphql<{ user: null }>(everyField, {
        token,
        variables: { username: 'maintainer' },
      });
      expect(data).toEqual({ user: null });
      expect(errors.map(({ extensions }) => extensions?.code)).toContain('INSUFFICIENT_SCOPE');
    }
    const token = await gateway.personalToken('developer', ['read_user']);
    const ask = async (username: string) =>
      dataOf(
        await gateway.graphql<{ user: object }>(
          'query ($username: String!) { user(username: $username) { email confirmedAt isAdministrator emails { nodes { email } } } }',
          { token, variables: { username } },
        ),
      ).user;
    expect(await ask('maintainer')).toEqual({
      email: null,
      confirmedAt: null,
      isAdministrator: null,
      emails: { nodes: [] },
    });
    expect(await ask('developer')).toMatchObject({
      email: 'developer@example.com',
      isAdministrator: false,
      emails: { nodes: [{ email: 'developer@example.com' }] },
    });
  });
});
