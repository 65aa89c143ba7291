import { describe, expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { newCi } from './support/ci.ts';

const gateway = await testGateway();
const { rest, graphql, tokens } = gateway;
const token = tokens.maintainer;

const valid = 'include: ci/base.yml\ntest: { extends: .base, script: make test, needs: [] }\n';
const base = '.base: { tags: [linux], resource_group: one }\n';

/** A project with a valid configuration that includes a file. */
async function withIncluded(yaml = valid) {
  const ci = await newCi(gateway, yaml);
  await ci.commit({ 'ci/base.yml': base });
  return { ...ci, lint: `${ci.path}/ci/lint` };
}

describe('the configuration of a project', () => {
  test('is checked with the files of its repository', async () => {
    const ci = await withIncluded();
    const { status, body } = await rest('GET', ci.lint, { token });
    expect([status, body]).toEqual([
      200,
      {
        valid: true,
        errors: [],
        warnings: ['jobs:test:resource_group has no effect here (ci/base.yml, line 1)'],
        merged_yaml: [
          '---',
          '.base:',
          '  tags:',
          '    - linux',
          '  resource_group: one',
          'test:',
          '  tags:',
          '    - linux',
          '  resource_group: one',
          '  script: make test',
          '  needs: []',
          '',
        ].join('\n'),
        includes: [
          {
            type: 'local',
            location: 'ci/base.yml',
            blob: expect.stringMatching(/\/-\/blob\/[0-9a-f]{40}\/ci\/base\.yml$/),
            raw: expect.stringMatching(/\/-\/raw\/[0-9a-f]{40}\/ci\/base\.yml$/),
            extra: {},
            context_project: ci.fullPath,
            context_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
          },
        ],
      },
    ]);
    const { body: withJobs } = await rest('GET', `${ci.lint}?include_jobs=true`, { token });
    expect(withJobs.jobs).toEqual([
      {
        name: 'test',
        stage: 'test',
        before_script: [],
        script: ['make test'],
        after_script: [],
        tag_list: ['linux'],
        only: { refs: ['branches', 'tags'] },
        except: null,
        environment: null,
        when: 'on_success',
        allow_failure: false,
        needs: [],
      },
    ]);
  });

  test('is asked of a commit', async () => {
    const ci = await withIncluded();
    const before = (await rest('GET', `${ci.path}/repository/branches/main`, { token })).body.commit.id as string;
    await ci.configure('test: {}');
    const answer = async (query: string) => (await rest('GET', `${ci.lint}${query}`, { token })).body;
    expect(await answer('')).toMatchObject({
      valid: false,
      errors: ['jobs:test config should implement a script: or a trigger: keyword'],
      merged_yaml: null,
      includes: [],
    });
    for (const name of ['sha', 'content_ref']) expect((await answer(`?${name}=${before}`)).valid).toBe(true);
    const gone = await rest('GET', `${ci.lint}?sha=gone`, { token });
    expect([gone.status, gone.body]).toEqual([404, { message: '404 Commit Not Found' }]);
  });

  test('may be missing; a repository may not', async () => {
    const ci = await withIncluded();
    const actions = [{ action: 'delete', file_path: '.gitlab-ci.yml' }];
    const json = { branch: 'main', commit_message: 'Remove', actions };
    await rest('POST', `${ci.path}/repository/commits`, { token, json });
    const { status, body } = await rest('GET', ci.lint, { token });
    expect([status, body.valid, body.errors]).toEqual([200, false, ['Please provide content of .gitlab-ci.yml']]);
    const { body: empty } = await rest('POST', '/api/v4/projects', { token, json: { name: `Empty ${Date.now()}` } });
    const none = await rest('GET', `/api/v4/projects/${empty.id}/ci/lint`, { token });
    expect([none.status, none.body]).toEqual([404, { message: '404 Repository Not Found' }]);
  });

  test('is checked for a pipeline of a branch by a dry run', async () => {
    const ci = await withIncluded('test: { script: a, rules: [{ if: $NO }] }\nother: { script: b, only: [topic] }');
    await ci.branch('topic');
    const answer = async (query: string) =>
      (await rest('GET', `${ci.lint}?dry_run=true&include_jobs=true${query}`, { token })).body;
    expect(await answer('')).toMatchObject({
      valid: false,
      errors: [expect.stringMatching(/^Pipeline will not run for the selected trigger\./)],
    });
    for (const name of ['ref', 'dry_run_ref'])
      expect(await answer(`&${name}=topic`)).toMatchObject({ valid: true, jobs: [{ name: 'other' }] });
    const { body } = await rest('POST', ci.lint, {
      token,
      json: { content: 'a: {script: a}', dry_run: true, ref: 'no' },
    });
    expect(body).toMatchObject({ valid: false, errors: ['Reference not found'] });
    const pipelines = await rest('GET', `${ci.path}/pipelines?source=api`, { token });
    expect(pipelines.body).toEqual([]);
  });
});

describe('a text', () => {
  test('is checked with the files of a project', async () => {
    const ci = await withIncluded();
    const answer = async (content: string) => {
      const { status, body } = await rest('POST', ci.lint, { token, json: { content } });
      expect(status).toBe(200);
      return body;
    };
    expect(await answer(valid)).toMatchObject({ valid: true, errors: [] });
    expect(await answer('a: [')).toMatchObject({ valid: false, errors: [expect.stringMatching(/^\(<unknown>\): /)] });
    expect(await answer('')).toMatchObject({ valid: false, errors: ['Please provide content of .gitlab-ci.yml'] });
    expect(await answer('include: nope.yml')).toMatchObject({ errors: ['Local file `nope.yml` does not exist!'] });
    expect(await answer('a:\n  trigger: b\n')).toMatchObject({
      errors: [expect.stringMatching(/^jobs:a:trigger is not supported \(line 2\): /)],
    });
    const missing = await rest('POST', ci.lint, { token, json: {} });
    expect([missing.status, missing.body]).toEqual([400, { error: 'content is missing' }]);
  });

  test('is checked without a project, which includes nothing', async () => {
    const answer = async (json: Record<string, unknown>, as = token) => {
      const { status, body } = await rest('POST', '/api/v4/ci/lint', { token: as, json });
      return [status, body];
    };
    expect(await answer({ content: 'a: { script: a }' })).toEqual([
      200,
      { status: 'valid', errors: [], warnings: [], valid: true, includes: [] },
    ]);
    expect(await answer({ content: 'a: {}', include_merged_yaml: true, include_jobs: true })).toEqual([
      200,
      {
        status: 'invalid',
        errors: ['jobs:a config should implement a script: or a trigger: keyword'],
        warnings: [],
        valid: false,
        merged_yaml: null,
        includes: [],
        jobs: [],
      },
    ]);
    expect(await answer({ content: 'include: a.yml' })).toMatchObject([
      200,
      { errors: ['Local file `a.yml` does not have project!'] },
    ]);
    expect(await answer({})).toEqual([400, { error: 'content is missing' }]);
    expect((await rest('POST', '/api/v4/ci/lint', { json: { content: 'a: {}' } })).status).toBe(401);
  });

  test('is checked for those who may read, or write', async () => {
    const ci = await withIncluded();
    const reporter = await newUser(gateway, 'reporting-lint');
    await addMember(gateway, reporter, 'REPORTER', { project: String(ci.id) });
    const status = async (method: 'GET' | 'POST', as: string | undefined) =>
      (
        await rest(method, ci.lint, {
          ...(as && { token: as }),
          ...(method === 'POST' && { json: { content: valid } }),
        })
      ).status;
    expect(await status('POST', tokens.developer)).toBe(200);
    expect(await status('POST', reporter.token)).toBe(403);
    expect(await status('GET', reporter.token)).toBe(200);
    expect([await status('GET', undefined), await status('POST', undefined)]).toEqual([404, 401]);
  });
});

test('over GraphQL it has GitLab’s names, and the lines of what is wrong', async () => {
  const ci = await withIncluded();
  const { data, errors } = await graphql(
    `
      query ($path: ID!, $content: String!) {
        ciConfig(projectPath: $path, content: $content) {
          status
          errors
          warnings
          mergedYaml
          includes {
            type
            location
            contextProject
          }
          jobs {
            name
            needs {
              nodes {
                name
              }
            }
          }
          stages {
            nodes {
              name
              groups {
                nodes {
                  name
                  size
                  jobs {
                    nodes {
                      name
                      groupName
                      stage
                    }
                  }
                }
              }
            }
          }
        }
      }
    `,
    {
      token,
      variables: {
        path: ci.fullPath,
        content: 'a: { stage: build, script: a, parallel: 2 }\nb: { script: b, needs: [a] }',
      },
    },
  );
  expect(errors).toBeUndefined();
  expect(data!['ciConfig']).toMatchObject({
    status: 'VALID',
    errors: [],
    warnings: [],
    includes: [],
    jobs: [{ name: 'a 1/2', needs: null }, { name: 'a 2/2' }, { name: 'b', needs: { nodes: [{ name: 'a' }] } }],
    stages: {
      nodes: [
        {
          name: 'build',
          groups: { nodes: [{ name: 'a', size: 2, jobs: { nodes: [{ name: 'a 1/2' }, { name: 'a 2/2' }] } }] },
        },
        {
          name: 'test',
          groups: { nodes: [{ name: 'b', size: 1, jobs: { nodes: [{ name: 'b', groupName: 'b', stage: 'test' }] } }] },
        },
      ],
    },
  });
  const linted = await graphql(
    `
      mutation ($input: CiLintInput!) {
        ciLint(input: $input) {
          errors
          config {
            status
            problems {
              message
              line
              file
              isError
            }
          }
        }
      }
    `,
    { token, variables: { input: { projectPath: ci.fullPath, content: '# x\na:\n  script: a\n  when: never\n' } } },
  );
  expect(linted.data!['ciLint']).toEqual({
    errors: [],
    config: {
      status: 'INVALID',
      problems: [
        {
          message: 'jobs:a when should be one of: on_success, on_failure, always, manual, delayed',
          line: 4,
          file: null,
          isError: true,
        },
      ],
    },
  });
});

test('the variables of a configuration are offered to those who start pipelines', async () => {
  const ci = await newCi(
    gateway,
    [
      'include: ci/base.yml',
      'variables:',
      '  WHERE: { value: staging, description: Where to, options: [staging, live] }',
      '  PLAIN: text',
      '  RAW: { value: $PLAIN, expand: false, description: As it is }',
      'test: { script: make }',
    ].join('\n'),
  );
  await ci.commit({ 'ci/base.yml': 'variables: { SHARED: one }' });
  const offered = async (ref: string, as = token) =>
    (
      await graphql<{ project: { ciConfigVariables: readonly { key: string }[] | null } }>(
        'query ($path: ID!, $ref: String!) { project(fullPath: $path) { ciConfigVariables(ref: $ref) { key value description valueOptions } } }',
        { token: as, variables: { path: ci.fullPath, ref } },
      )
    ).data!.project.ciConfigVariables;
  expect(await offered('main')).toEqual([
    { key: 'SHARED', value: 'one', description: null, valueOptions: null },
    { key: 'WHERE', value: 'staging', description: 'Where to', valueOptions: ['staging', 'live'] },
    { key: 'PLAIN', value: 'text', description: null, valueOptions: null },
    { key: 'RAW', value: '$PLAIN', description: 'As it is', valueOptions: null },
  ]);
  // Jobs are stored without the words about their variables.
  const { body } = await ci.run();
  const [stored] = await gateway.sql<{ spec: string }>(
    'select row_to_json(j)::text as spec from ci_jobs j where j.pipeline_id = $1',
    [body.id],
  );
  expect(stored!.spec).not.toContain('Where to');
  expect(await offered('gone')).toEqual([]);
  await ci.configure('test: {}');
  expect(await offered('main')).toEqual([]);
  const guest = await newUser(gateway, 'guest-of-offers');
  await addMember(gateway, guest, 'REPORTER', { project: String(ci.id) });
  expect(await offered('main', guest.token)).toBeNull();
});
