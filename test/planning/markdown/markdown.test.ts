import { beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from '../../support/requests/answers.ts';
import { sentBy } from '../../support/databases/statements.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';

/** Markdown as HTML: references become links for those who see what they lead to, and nothing in a text runs. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
/** A public project, and a private one beside it. */
let open: string;
let shut: string;
beforeAll(async () => {
  const shop = await makeShop();
  ({ gateway, tokens, api } = shop);
  open = await shop.aProject('PUBLIC');
  shut = await shop.aProject('PRIVATE');
  for (const [project, title] of [
    [open, 'Leak <b>&'],
    [open, 'Secret'],
    [shut, 'Hidden'],
  ] as const) {
    const json = {
      title,
      confidential: title === 'Secret',
      labels: 'bug,two words',
      description: 'See #1, #2 and #3.',
    };
    expect((await api('POST', at(project, '/issues'), tokens.reporter, { json })).status).toBe(201);
  }
  expect((await api('POST', at(open, '/milestones'), tokens.reporter, { json: { title: 'Spring 1' } })).status).toBe(
    201,
  );
  const group = { json: { title: 'Wide' } };
  expect((await api('POST', 'groups/shop/milestones', tokens.reporter, group)).status).toBe(201);
  const json = { title: 'Adder', visibility: 'private', file_name: 'a', content: 'A' };
  expect((await api('POST', at(open, '/snippets'), tokens.reporter, { json })).status).toBe(201);
});

const html = async (
  text: string,
  more: object = { gfm: true, project: open },
  token: string | undefined = tokens.reporter,
) => {
  const { status, body } = await api('POST', 'markdown', token, { json: { text, ...more } });
  return status === 201 ? (body.html as string).trim() : [status, body.error ?? body.message];
};
const link = (path: string, title: string, kind: string, text: string) =>
  `<a href="${gateway.url}${path}" data-reference-type="${kind}" title="${title}" class="gfm gfm-${kind}" rel="nofollow noreferrer noopener">${text}</a>`;

describe('POST /markdown', () => {
  test('shows references as text without gfm, and with it as links', async () => {
    expect(await html('*#1* :tada:', {})).toBe('<p><em>#1</em> :tada:</p>');
    const issue = link(`/${open}/-/issues/1`, 'Leak &lt;b&gt;&amp;', 'issue', '#1');
    expect(await html('*#1* `#1` \\#1')).toBe(`<p><em>${issue}</em> <code>#1</code> #1</p>`);
    expect(await html(':tada: :nonsense:')).toBe(
      '<p><gl-emoji title="tada" data-name="tada">🎉</gl-emoji> :nonsense:</p>',
    );
  });

  test.each([
    ['~bug', () => link(`/${open}/-/issues?label_name[]=bug`, 'bug', 'label', '~bug')],
    ['~"two words"', () => link(`/${open}/-/issues?label_name[]=two%20words`, 'two words', 'label', '~"two words"')],
    ['%"Spring 1"', () => link(`/${open}/-/milestones/1`, 'Spring 1', 'milestone', '%"Spring 1"')],
    ['%Wide', () => link('/groups/shop/-/milestones/1', 'Wide', 'milestone', '%Wide')],
    ['@The-Reporter', () => link('/the-reporter', 'the-reporter', 'user', '@The-Reporter')],
    ['@shop', () => link('/groups/shop', 'shop', 'user', '@shop')],
    ['~none %none @nobody-here #99 !1', () => '~none %none @nobody-here #99 !1'],
  ])('shows %s', async (text, shown) => {
    expect(await html(text)).toBe(`<p>${shown()}</p>`);
  });

  test('finds what is in other projects, by their path or their last part', async () => {
    const issue = (text: string) => link(`/${shut}/-/issues/1`, 'Hidden', 'issue', text);
    const name = shut.split('/').at(-1)!;
    expect(await html(`${shut}#1 ${name}#1 closed/nothing#1`)).toBe(
      `<p>${issue(`${shut}#1`)} ${issue(`${name}#1`)} closed/nothing#1</p>`,
    );
    const nowhere = { gfm: true };
    expect(await html(`${shut}#1 #1`, nowhere)).toBe(`<p>${issue(`${shut}#1`)} #1</p>`);
  });

  test('says nothing of what the reader doesn’t see', async () => {
    const snippet = Number((await gateway.sql<{ id: number }>('select id from snippets'))[0]!.id);
    const text = `#2 ${shut}#1 $${snippet} @closed`;
    expect(await html(text, { gfm: true, project: open }, tokens.stranger)).toBe(`<p>${text}</p>`);
    expect(await html('#2', { gfm: true, project: open }, tokens.guest)).toBe('<p>#2</p>');
    expect(await html('#2')).toContain('title="Secret"');
    expect(await html(`$${snippet}`)).toContain('title="Adder"');
    await gateway.sql(`update projects set attributes = '{"issuesAccessLevel": "private"}' where full_path = $1`, [
      open,
    ]);
    expect(await html('#1', { gfm: true, project: open }, tokens.stranger)).toBe('<p>#1</p>');
    expect(await html('#1', { gfm: true, project: open }, tokens.guest)).toContain('title="Leak');
    await gateway.sql(`update projects set attributes = '{}'`);
  });

  test('refuses a hidden project, no text, and nobody', async () => {
    expect(await html('x', { project: shut }, tokens.stranger)).toEqual([404, '404 Project Not Found']);
    expect(await html('x', { project: 'no/where' })).toEqual([404, '404 Project Not Found']);
    const { status, body } = await api('POST', 'markdown', tokens.reporter, { json: {} });
    expect([status, body.error]).toEqual([400, 'text is missing']);
    expect((await gateway.rest('POST', '/api/v4/markdown', { json: { text: 'x' } })).status).toBe(401);
    const readOnly = await gateway.personalToken('the-reporter', ['read_api']);
    expect(await html('x', {}, readOnly)).toBe('<p>x</p>');
  });

  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '<a href="jav&#x09;ascript:alert(1)">x</a>',
    '<svg><script>alert(1)</script></svg>',
    '~"<img src=x onerror=alert(1)>"',
    '%"\\" onmouseover=\\"alert(1)"',
    '@"><script>alert(1)</script>',
    ':"><script>:',
    '<gl-emoji data-name="x" onclick="alert(1)">x</gl-emoji>',
    '<style>*{display:none}</style><form action="//evil"><input name=a></form>',
    '<a class="gfm" data-reference-type="issue" style="position:fixed">x</a>',
  ];
  test.each(hostile)('lets nothing run of %s', async (text) => {
    const shown = (await html(text)) as string;
    // Only what a browser would take for a tag counts: the rest is text.
    const tags = shown.match(/<[^>]*>/g) ?? [];
    for (const tag of tags) {
      expect(tag).not.toMatch(/<\/?(script|svg|style|form|iframe|object)/i);
      expect(tag).not.toMatch(/\son\w+\s*=|javascript:|style=/i);
    }
  });

  test('shows hostile titles as texts', async () => {
    const title = '"><script>alert(1)</script>';
    const json = { title };
    const { body } = await api('POST', at(open, '/issues'), tokens.reporter, { json });
    const shown = (await html(`#${body.iid}`)) as string;
    expect(shown).not.toContain('<script');
    expect(shown).toContain('title="&quot;&gt;&lt;script&gt;');
  });

  test('takes a thousand references, of which the first become links, with one statement', async () => {
    const text = Array.from({ length: 1_000 }, (_each, number) => `#${number + 1}`).join(' ');
    const many = await sentBy(() => html(text));
    const one = await sentBy(() => html('#1'));
    expect(many.length).toBe(one.length);
  });
});

test('issues, milestones and snippets have the same HTML over GraphQL, for all of a page with one statement', async () => {
  const query = `query ($path: ID!) { project(fullPath: $path) {
    issues { nodes { title titleHtml descriptionHtml } } } }`;
  interface Data {
    project: { issues: { nodes: { title: string; titleHtml: string; descriptionHtml: string }[] } };
  }
  const ask = (token: string | undefined) => gateway.graphql<Data>(query, { token, variables: { path: open } });
  const ofFirst = (data: Data) => data.project.issues.nodes.find(({ title }) => title.startsWith('Leak'))!;
  const seen = ofFirst(dataOf(await ask(tokens.reporter)));
  expect(seen.titleHtml).not.toContain('<p>');
  expect(seen.descriptionHtml).toContain('title="Secret"');
  const unseen = ofFirst(dataOf(await ask(undefined)));
  expect(unseen.descriptionHtml).toContain('#1</a>, #2 and');
  const sent = await sentBy(() => ask(tokens.reporter));
  expect(sent.filter(({ text }) => text.includes('json_to_recordset'))).toHaveLength(1);
});
