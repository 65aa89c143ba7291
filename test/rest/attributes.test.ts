import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  attributeInput,
  attributeNames,
  attributeParameters,
  attributeSchemas,
  presentAttributes,
} from '../../src/rest/engine/attributes.ts';
import { coerce, parametersOf } from '../../src/rest/engine/parameters.ts';
import { routes } from '../../src/rest/routes.ts';
import {
  attributeProblems,
  someOf,
  storedAttributes,
  withoutMarkup,
  writtenBy,
  type Attributes,
} from '../../src/values/attributes/attributes.ts';
import { groupAttributes } from '../../src/values/attributes/group-attributes.ts';
import { projectAttributes } from '../../src/values/attributes/project-attributes.ts';
import { userAttributes, userPreferences } from '../../src/values/attributes/user-attributes.ts';

/** What a table of attributes says, from the parameters of version 4 to what is stored and shown. */

const base = { description: 'An attribute.', shownTo: 'everyone' } as const;
const table = {
  title: { ...base, type: 'text', unset: '', longest: 5, clean: withoutMarkup },
  method: { ...base, type: 'choice', values: ['merge', 'ff'], unset: 'merge' },
  runners: { ...base, type: 'choice', values: ['enabled', 'off_now'], unset: 'enabled', enum: 'Runners', obeyed: true },
  level: { ...base, type: 'integer', values: [0, 2], unset: 2 },
  mails: { ...base, type: 'boolean', unset: true, wire: 'emailsEnabled', opposite: 'emailsDisabled' },
  claims: { ...base, type: 'list', unset: ['path'], problem: (list) => (list.length > 2 ? 'is too long' : undefined) },
  policy: { ...base, type: 'object', unset: { on: false }, wire: 'policyAttributes', readAs: 'policy' },
  jobs: { ...base, type: 'boolean', unset: null, alsoWritten: ['builds'] },
  storage: { ...base, type: 'text', unset: null, writtenBy: 'administrators' },
} as const satisfies Attributes;

const sent = (body: Record<string, unknown>) => {
  const { values, problems } = coerce(attributeParameters(table), body);
  const given = Object.entries(attributeInput(table, values)).filter(([, value]) => value !== undefined);
  return { given: Object.fromEntries(given), problems };
};

describe('what is sent over version 4', () => {
  test.each<[Record<string, unknown>, object]>([
    [{ method: 'ff' }, { method: 'ff' }],
    [{ runners: 'off_now' }, { runners: 'OFF_NOW' }],
    [{ runners: null }, { runners: null }],
    [{ level: '2' }, { level: 2 }],
    [{ emails_enabled: false }, { mails: false }],
    [{ emails_disabled: 'true' }, { mails: false }],
    [{ emails_disabled: false }, { mails: true }],
    [{ emails_disabled: '' }, { mails: null }],
    [{ emails_enabled: true, emails_disabled: true }, { mails: true }],
    [{ claims: 'a,b' }, { claims: ['a', 'b'] }],
    [{ policy_attributes: { on: true } }, { policy: { on: true } }],
    [{ builds: true }, { jobs: true }],
    [{ jobs: false, builds: true }, { jobs: false }],
    [{ policy: { on: true } }, {}],
  ])('%j', (body, given) => {
    expect(sent(body)).toEqual({ given, problems: [] });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ method: 'squash' }, 'method does not have a valid value'],
    [{ method: '' }, 'method does not have a valid value'],
    [{ level: 1 }, 'level does not have a valid value'],
    [{ level: 'x' }, 'level is invalid'],
    [{ emails_disabled: 'perhaps' }, 'emails_disabled is invalid'],
    [{ builds: 7 }, 'builds is invalid'],
    [{ policy_attributes: 'on' }, 'policy_attributes is invalid'],
    [{ claims: { a: 1 } }, 'claims is invalid'],
  ])('%j is refused', (body, problem) => {
    expect(sent(body).problems).toEqual([problem]);
  });
});

test('what is refused, by name', () => {
  expect(attributeProblems(table, { title: 'längs', method: 'ff', level: 0, claims: ['a'] })).toEqual([]);
  expect(attributeProblems(table, { title: 'länger', method: 'FF', level: 1, claims: ['a', 'b', 'c'] })).toEqual([
    ['title', ['is too long (maximum is 5 characters)']],
    ['method', ['does not have a valid value']],
    ['level', ['does not have a valid value']],
    ['claims', ['is too long']],
  ]);
  for (const policy of ['on', 1, [{}]] as unknown[] as object[])
    expect(attributeProblems(table, { policy: policy as {} })).toEqual([['policy', ['is invalid']]]);
  expect(attributeNames(table)).toEqual({ mails: 'emails_enabled', policy: 'policy_attributes' });
});

describe('calls that make a record take what calls that change it take', () => {
  const taken = (route: string) => {
    const { parameters } = routes.find(({ method, path }) => `${method} ${path}` === route)!;
    return parametersOf(parameters).map(({ name }) => name);
  };
  const ofNewProjects = ['initialize_with_readme', 'repository_object_format', 'template_name', 'template_project_id'];
  test.each([
    {
      make: 'POST /api/v4/users',
      change: 'PUT /api/v4/users/:id',
      making: ['confirm', 'force_random_password', 'reset_password', 'skip_confirmation'],
      changing: ['skip_reconfirmation'],
    },
    { make: 'POST /api/v4/groups', change: 'PUT /api/v4/groups/:id', making: ['parent_id'], changing: [] },
    {
      make: 'POST /api/v4/projects',
      change: 'PUT /api/v4/projects/:id',
      making: ['namespace_id', ...ofNewProjects],
      changing: [],
    },
    {
      make: 'POST /api/v4/projects/user/:user_id',
      change: 'PUT /api/v4/projects/:id',
      making: ofNewProjects,
      changing: [],
    },
  ])('$make', ({ make, change, making, changing }) => {
    const [made, changed] = [taken(make), taken(change)];
    expect(made.filter((name) => !changed.includes(name)).sort()).toEqual([...making].sort());
    expect(changed.filter((name) => !made.includes(name))).toEqual(changing);
  });
});

test('what is stored: no defaults, obeyed ones apart, lists and objects by their contents', () => {
  const given = { title: '<b>a', method: null, runners: null, claims: ['path'], policy: { on: true }, mails: false };
  expect(storedAttributes(table, given)).toEqual({
    columns: { runners: 'enabled' },
    values: { title: 'a', policy: { on: true }, mails: false },
    unset: ['method', 'claims'],
  });
});

test('who writes: what others send is ignored', () => {
  const given = { title: 'a', storage: 'b' };
  expect(writtenBy(table, given, () => true)).toEqual(given);
  expect(writtenBy(table, given, (audience) => audience === 'owners')).toEqual({ title: 'a' });
});

test('what is shown: both opposites, names for readers, and values in small letters', () => {
  const shown = someOf(table, ['mails', 'policy', 'runners', 'jobs']);
  expect(
    Object.entries(
      presentAttributes(shown)({ id: 1 }, { mails: false, policy: { on: true }, runners: 'OFF_NOW', jobs: null }),
    ),
  ).toEqual([
    ['id', 1],
    ['emails_disabled', true],
    ['emails_enabled', false],
    ['policy', { on: true }],
    ['runners', 'off_now'],
    ['jobs', null],
  ]);
  expect(attributeSchemas(shown)).toMatchObject({
    emails_disabled: { type: 'boolean' },
    policy: { type: 'object' },
    runners: { type: 'string', enum: ['enabled', 'off_now'] },
    jobs: { type: ['boolean', 'null'] },
  });
});

describe('docs/attributes.md', () => {
  const page = readFileSync('docs/attributes.md', 'utf8');
  const tables: Record<string, Attributes> = {
    People: { ...userAttributes, ...userPreferences },
    Groups: groupAttributes,
    Projects: projectAttributes,
  };
  const section = (title: string) => page.split(/^## /m).find((part) => part.startsWith(`${title}\n`))!;
  const namesIn = (text: string) => [...text.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!);
  const wireNames = (table: Attributes) =>
    Object.fromEntries(
      Object.keys(table).map((name) => [attributeParameters({ [name]: table[name]! })[0]!.name, table[name]!]),
    );

  test.each(Object.keys(tables))('lists every attribute of %s once, as obeyed or as kept', (title) => {
    const [rows, kept] = section(title).split(/^Kept: /m) as [string, string];
    const obeyed = rows.split('\n').flatMap((row) => namesIn(/^\| (`[^|]+)\|/.exec(row)?.[1] ?? ''));
    const keptNames = namesIn(kept.replaceAll('`PUT /user/preferences`', ''));
    const all = wireNames(tables[title]!);
    const isKept = ([, { description }]: [string, { description: string }]) => description.includes('Kept for clients');
    const named = (wanted: boolean) => Object.entries(all).flatMap((one) => (isKept(one) === wanted ? [one[0]] : []));
    const keptOnes = named(true).sort();
    expect(obeyed.sort()).toEqual(named(false).sort());
    expect(keptNames.sort()).toEqual(keptOnes);
  });

  test('nothing but the list itself reads what is kept', () => {
    // Groups and projects share some names. Only what one kind obeys may be read for it.
    const shared = ['max_artifacts_size'];
    const names = Object.values(tables)
      .flatMap((table) => Object.entries(table))
      .flatMap(([name, { description }]) =>
        description.includes('Kept for clients') && !shared.includes(name) ? [name] : [],
      );
    const sources = ['database', 'jobs', 'notify', 'policy', 'schema'].flatMap((room) =>
      readdirSync(join('src', room), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join('src', room, file)),
    );
    // What merges, derives, exports or filters by a value for its readers obeys nothing; types of the database are generated.
    const itself =
      /^src\/(schema\/places\/projects\/attributes\/|schema\/engine\/prisma-types|database\/client\/|schema\/accounts\/personal-data\/)/;
    const filtered = new RegExp('^src/schema/places/projects/(list|statements/lists).ts: repositoryStorage$');
    const readers = sources
      .filter((file) => !itself.test(file))
      .flatMap((file) => {
        const text = readFileSync(file, 'utf8');
        return names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${file}: ${name}`);
      });
    expect(readers.filter((one) => !filtered.test(one))).toEqual([]);
  });
});
