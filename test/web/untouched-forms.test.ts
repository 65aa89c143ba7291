import { beforeAll, describe, expect, inject, test } from 'vitest';
import { eventNames, notificationEvents } from '../../src/values/kinds/notification-events.ts';
import { levels } from '../../src/values/kinds/notification-levels.ts';
import { snakeCase } from '../../src/values/text/snake-case.ts';
import type { Attribute, Attributes } from '../../src/values/attributes/attributes.ts';
import { userAttributes } from '../../src/values/attributes/user-attributes.ts';
import { attributeNames as attributesOfUsers } from '../../src/web/accounts/users/administration-form.tsx';
import { attributesOf } from '../../src/web/places/settings/view.tsx';
import { namesOf } from '../../src/web/site/forms/attributes.tsx';
import { signIn, type BrowserSession, type WebPage } from '../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';

/**
 * Every value that REST accepts, on every page with a form for it: the page shows the value, nothing counts as
 * changed, and saving the untouched form changes nothing.
 */
let gateway: TestGateway;
let mary: BrowserSession;
let root: BrowserSession;
let maintainerId: string;

beforeAll(async () => {
  gateway = await testGateway();
  mary = await signIn(gateway, 'maintainer');
  root = await signIn(gateway, 'root', inject('passwords').root);
  const [row] = await gateway.sql<{ id: number }>(`select id from users where username = 'maintainer'`);
  maintainerId = String(row!.id);
});

const api = async (method: string, path: string, body?: object, token = gateway.tokens.maintainer) => {
  const answer = await gateway.rest(method, `/api/v4${path}`, { token, ...(body && { json: body }) });
  expect([path, body, answer.status, answer.status < 300 ? '' : answer.body]).toEqual([path, body, answer.status, '']);
  return answer.body as Record<string, unknown>;
};

/** Stored rows without their times. Lists (scopes, grants) are compared as sets. */
const tables = [
  'global_notification_settings',
  'group_notification_settings',
  'project_notification_settings',
  'error_tracking_settings',
  'users',
  'emails',
  'namespaces',
  'routes',
  'instance',
  'applications',
];
const stored = async (): Promise<unknown> =>
  await Promise.all(
    tables.map(async (table) =>
      (
        await gateway.sql<{ row: Record<string, unknown> }>(
          `select to_jsonb(t) - 'updated_at' as row from ${table} t order by 1`,
        )
      ).map(({ row }) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]),
        ),
      ),
    ),
  );

/** Without a selected option a browser selects the first one, and the form would count as changed. */
function expectClean({ html }: WebPage): void {
  const selects = [...html.matchAll(/<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs)].map(([, name, options]) => [
    name,
    options!.match(/<option[^>]* selected/g)?.length ?? 0,
  ]);
  expect(selects).toEqual(selects.map(([name]) => [name, 1]));
  expect(/data-unsaved(?:="true")?(?! hidden|=)/.test(html)).toBe(false);
}

/** Opens the page and saves it untouched. @returns the fields of its form */
async function savedUntouched(
  browser: BrowserSession,
  path: string,
  button: string,
): Promise<Readonly<Record<string, string>>> {
  const page = await browser.get(path);
  expect([path, page.status]).toEqual([path, 200]);
  expectClean(page);
  const before = await stored();
  const form = page.form(button);
  const answer = await browser.press(form);
  expect([path, answer.status, answer.status === 303 ? '' : answer.text]).toEqual([path, 303, '']);
  expect(await stored()).toEqual(before);
  // The notice is shown once.
  await browser.get(answer.location!);
  return form.fields;
}

describe('notification settings', () => {
  const scopes = [
    ['everywhere', '', 'global', [] as string[]],
    ['of a group', '/groups/demo', 'g', ['/groups/demo']],
    ['of a project', '/projects/demo%2Fstorefront', 'p', ['/demo/storefront']],
  ] as const;

  async function keyOf(kind: string): Promise<string> {
    if (kind === 'global') return kind;
    const path = kind === 'g' ? 'demo' : 'demo/storefront';
    const [row] = await gateway.sql<{ id: number }>(
      'select coalesce(project_id, namespace_id) as id from routes where path = $1',
      [path],
    );
    return `${kind}${row!.id}`;
  }

  const everyPage = [
    ['/profile/notifications', 'Save changes'],
    ['/groups/demo', 'Save'],
    ['/demo/storefront', 'Save'],
  ] as const;

  describe.each(scopes)('%s', (_where, place, kind, own) => {
    test.each(levels.map((level) => level.toLowerCase()))('the level %s', async (level) => {
      await api('PUT', `${place}/notification_settings`, { level });
      const key = await keyOf(kind);
      for (const [path, button] of everyPage) {
        const fields = await savedUntouched(mary, path, button);
        if (path === '/profile/notifications' || (own as readonly string[]).includes(path))
          expect(fields[`level.${key}`]).toBe(level.toUpperCase());
      }
      expect(await api('GET', `${place}/notification_settings`)).toMatchObject({ level });
    });

    test.each([true, false, null])('every event as %s', async (enabled) => {
      await api('PUT', `${place}/notification_settings`, {
        level: 'custom',
        ...Object.fromEntries(eventNames.map((event) => [event.toLowerCase(), enabled])),
      });
      const before = await api('GET', `${place}/notification_settings`);
      const key = await keyOf(kind);
      for (const [path, button] of everyPage) {
        const fields = await savedUntouched(mary, path, button);
        if (path !== '/profile/notifications' && !(own as readonly string[]).includes(path)) continue;
        for (const event of eventNames) {
          // Pages show effective values; the API omits some that were never set.
          const isOn =
            enabled === null
              ? notificationEvents[event].unset === 'on'
              : (before.events as Record<string, boolean>)[event.toLowerCase()];
          expect([event, fields[`on.${key}.${event}`]]).toEqual([event, isOn ? 'on' : undefined]);
        }
      }
      expect(await api('GET', `${place}/notification_settings`)).toEqual(before);
    });
  });

  test.each(['maintainer@work.example.com', 'MAINTAINER@work.example.com', 'maintainer@example.com', ''])(
    'the address “%s”',
    async (address) => {
      await api('PUT', '/notification_settings', { notification_email: address });
      const before = await api('GET', '/notification_settings');
      const fields = await savedUntouched(mary, '/profile/notifications', 'Save changes');
      expect(['', before.notification_email]).toContain(fields.email);
      expect(await api('GET', '/notification_settings')).toEqual(before);
    },
  );
});

describe('error tracking', () => {
  test.each([
    [{ active: true, api_url: 'https://tracker.example.com/api/0/projects/demo/storefront' }],
    [{ active: false, api_url: 'http://tracker.example.com:8080/sub/api/0/projects/demo/my-shop/' }],
    [
      {
        active: true,
        api_url: 'https://tracker.example.com/api/0/projects/demo/storefront?a=b&c=%20',
        project_name: 'A “shop” & <more>',
      },
    ],
    [{ active: true, api_url: 'https://Tracker.example.com/x', project_name: '  spaced  ' }],
    [{ active: false, api_url: 'https://bücher.example/x', project_name: '' }],
  ])('%j', async (settings) => {
    await gateway.rest('PUT', '/api/v4/projects/demo%2Fstorefront/error_tracking/settings', {
      token: gateway.tokens.maintainer,
      json: settings,
    });
    const before = await api('GET', '/projects/demo%2Fstorefront/error_tracking/settings');
    const fields = await savedUntouched(mary, '/demo/storefront/-/settings/error_tracking', 'Save changes');
    expect(fields).toMatchObject({ api_url: before.api_url, project_name: before.project_name });
    expect(await api('GET', '/projects/demo%2Fstorefront/error_tracking/settings')).toEqual(before);
  });
});

describe('settings of places', () => {
  test.each([
    [
      '/groups/demo',
      '/groups/demo',
      { description: ' A\n<b>group</b> ', mentions_disabled: true, request_access_enabled: false },
    ],
    [
      '/groups/demo',
      '/groups/demo',
      { project_creation_level: 'noone', two_factor_grace_period: 0, emails_enabled: false },
    ],
    ['/groups/demo', '/groups/demo', { description: '', mentions_disabled: null, project_creation_level: null }],
    [
      '/groups/demo',
      '/groups/demo',
      {
        default_branch: 'trunk<1>',
        default_branch_protection: 3,
        shared_runners_setting: 'disabled_and_overridable',
        project_creation_level: 'owner',
      },
    ],
    [
      '/groups/demo',
      '/groups/demo',
      { default_branch: null, default_branch_protection: null, shared_runners_setting: null, emails_enabled: null },
    ],
    ['/projects/demo%2Fstorefront', '/demo/storefront', { topics: ['b c', 'a'], issues_access_level: 'private' }],
    [
      '/projects/demo%2Fstorefront',
      '/demo/storefront',
      {
        merge_method: 'rebase_merge',
        squash_option: 'always',
        merge_commit_template: ' Merge\r\n\n%{title} <b>&',
        allow_merge_on_skipped_pipeline: null,
        ci_config_path: 'a b.yml',
        ci_default_git_depth: 0,
        build_timeout: 600,
        emails_enabled: false,
        auto_cancel_pending_pipelines: 'disabled',
      },
    ],
    [
      '/projects/demo%2Fstorefront',
      '/demo/storefront',
      { topics: [], issues_enabled: false, forking_access_level: 'enabled' },
    ],
  ])('%s %s %j', async (path, page, change) => {
    await api('PUT', path, change, gateway.tokens.root);
    const before = await api('GET', path, undefined, gateway.tokens.root);
    await savedUntouched(root, `${page}/-/edit`, 'Save changes');
    expect(await api('GET', path, undefined, gateway.tokens.root)).toEqual(before);
  });
});

describe('every attribute that has a field', () => {
  interface Record {
    readonly at: string;
    readonly page: string;
    readonly read: string;
    readonly table: Attributes;
    readonly names: readonly string[];
  }
  const records: { readonly [kind: string]: () => Promise<Record> } = {
    'of a group': async () => {
      const { id } = await api('POST', '/groups', { name: 'Fields', path: 'fields' }, gateway.tokens.root);
      return {
        at: `/groups/${String(id)}`,
        page: '/groups/fields/-/edit',
        read: 'group(fullPath: "fields")',
        ...offered('group', 'fields'),
      };
    },
    'of a project': async () => {
      const { id } = await api('POST', '/projects', { name: 'Fields' }, gateway.tokens.root);
      return {
        at: `/projects/${String(id)}`,
        page: '/root/fields/-/edit',
        read: 'project(fullPath: "root/fields")',
        ...offered('project', 'root/fields'),
      };
    },
    'of a person': async () => ({
      at: `/users/${maintainerId}`,
      page: `/admin/users/${maintainerId}/edit`,
      read: `user(id: "${maintainerId}")`,
      table: userAttributes,
      names: ['external', ...attributesOfUsers.filter((name) => name !== 'external')],
    }),
  };
  const offered = (kind: 'group' | 'project', fullPath: string) => {
    const { table, sections } = attributesOf(kind, { fullPath, permissions: { edits: true, owns: true } });
    return { table, names: namesOf(sections) };
  };

  /** A value that isn’t the default. */
  const another = (name: string, attribute: Attribute): string | number | boolean => {
    if (attribute.type === 'boolean') return attribute.unset !== true;
    if (attribute.type === 'integer') return attribute.values?.at(-1) ?? (attribute.unset ?? 0) + 1;
    // Without a repository, records show less.
    if (attribute.type === 'choice')
      return attribute.values.find((one) => one !== attribute.unset && one !== 'disabled') ?? 'disabled';
    return `other-${name.toLowerCase()}`;
  };
  const typed = (value: unknown) =>
    typeof value === 'boolean' ? (value ? 'on' : '') : value === null ? '' : String(value);

  test.each(Object.keys(records))(
    '%s is read alike over REST, GraphQL and the page, and written there',
    async (kind) => {
      const { at, page, read, table, names } = await records[kind]!();
      expect(names.length).toBeGreaterThan(4);
      const keyOf = (name: string) => snakeCase(table[name]!.wire ?? name);
      const put = (change: object) => api('PUT', at, change, gateway.tokens.root);
      const shown = async () => await api('GET', at, undefined, gateway.tokens.root);
      const before = await shown();
      const values = Object.fromEntries(names.map((name) => [name, another(name, table[name]!)]));
      // Jobs and merge requests are no more visible than the repository.
      const last: readonly string[] = ['repositoryAccessLevel'].filter((name) => names.includes(name));
      for (const name of [...names.filter((one) => !last.includes(one)), ...last])
        await put({ [keyOf(name)]: values[name] });
      const unlisted = names.filter((name) => table[name]!.unlisted);
      const kept = await shown();
      for (const name of names.filter((one) => !unlisted.includes(one)))
        expect([name, kept[keyOf(name)]]).toEqual([name, values[name]]);

      const fields = names.map((name) => (name.endsWith('AccessLevel') ? `${name} { stringValue }` : name)).join(' ');
      const { data } = await gateway.graphql(`{ record: ${read} { ${fields} } }`, { token: gateway.tokens.root });
      for (const [name, value] of Object.entries((data as { record: object }).record)) {
        const plain = (value as { stringValue?: string } | null)?.stringValue ?? (value as unknown);
        const word = typeof plain === 'string' && table[name]!.type === 'choice' ? plain.toLowerCase() : plain;
        expect([name, word]).toEqual([name, values[name]]);
      }

      const { form } = await root.get(page);
      const save = form('Save changes');
      for (const name of names) expect([name, save.fields[name] ?? '']).toEqual([name, typed(values[name])]);
      const usual = Object.fromEntries(names.map((name) => [name, typed(table[name]!.unset)]));
      const answer = await root.press(save, usual);
      expect([answer.status, answer.status === 303 ? '' : answer.text]).toEqual([303, '']);
      await root.get(answer.location!);
      const { updated_at: _, last_activity_at: _at, ...after } = await shown();
      expect(before).toMatchObject(after);
      const again = (await root.get(page)).form('Save changes');
      for (const name of names) expect([name, again.fields[name] ?? '']).toEqual([name, usual[name]]);
    },
  );
});

describe('people', () => {
  test.each([
    [{ name: 'Mary Maintainer' }],
    [{ name: '  Mary  of  the   spaces ' }],
    [{ name: 'Mary “M” <b>&amp;</b> ’ \u{1f600}' }],
    [{ name: 'x'.repeat(255) }],
    [{ public_email: 'maintainer@work.example.com' }],
    [{ public_email: 'Maintainer@Example.com' }],
    [{ public_email: '' }],
    [{ username: 'Mary.M-1_x' }],
    [{ username: 'maintainer' }],
    [
      {
        bio: ' <b>Lines\nand</b> “more” ',
        pronouns: 'they',
        website_url: 'https://a.example/?b=c&d',
        private_profile: true,
      },
    ],
    [{ bio: '', pronouns: '', website_url: '', private_profile: false }],
    [{ admin: true }],
    [{ admin: false }],
    [{ external: true, note: ' Lines\nand “more” & < ' }],
    [{ projects_limit: 0, can_create_group: true }],
    [{ external: false, note: '', projects_limit: null, can_create_group: null }],
  ])('%j', async (change) => {
    await api('PUT', `/users/${maintainerId}`, change, gateway.tokens.root);
    const before = await api('GET', `/users/${maintainerId}`, undefined, gateway.tokens.root);
    const own = await savedUntouched(mary, '/profile', 'Save changes');
    expect(own).toMatchObject({ name: before.name, public_email: before.public_email ?? '' });
    const edited = await savedUntouched(root, `/admin/users/${maintainerId}/edit`, 'Save changes');
    expect(edited).toMatchObject({ name: before.name, username: before.username });
    expect(edited.administrator).toBe(before.is_admin ? 'on' : undefined);
    expect(await api('GET', `/users/${maintainerId}`, undefined, gateway.tokens.root)).toEqual(before);
  });
});

describe('settings without a REST route', () => {
  test('instance settings: an unchanged one isn’t written, and keeps its default', async () => {
    expect(await gateway.sql('select settings from instance')).toEqual([{ settings: {} }]);
    await savedUntouched(root, '/admin/settings', 'Save changes');
    const { form } = await root.get('/admin/settings');
    await root.press(form('Save changes'), { greeting: 'Ask in room 12.' });
    expect(await gateway.sql('select settings from instance')).toEqual([{ settings: { greeting: 'Ask in room 12.' } }]);
    await savedUntouched(root, '/admin/settings', 'Save changes');
  });

  test('an application with every scope and every grant', async () => {
    const blank = (await mary.get('/profile/applications/new')).form('Register');
    const all = Object.fromEntries(
      blank.controls.filter(({ type }) => type === 'checkbox').map(({ name }) => [name, 'on']),
    );
    await mary.press(blank, {
      ...all,
      name: ' A <b> & “c” ',
      redirect_uris: 'https://one.example/?a=b&c\n\nhttp://127.0.0.1/',
    });
    const [made] = await gateway.sql<{ id: number }>('select max(id) as id from applications');
    await savedUntouched(mary, `/profile/applications/${made!.id}/edit`, 'Save changes');
  });
});
