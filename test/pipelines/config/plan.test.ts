import { describe, expect, test } from 'vitest';
import { compiled, errorsOf, firstError, jobOf, namesOf, planned, planOf } from './support.ts';

describe('a plan', () => {
  test('has the stages, and the jobs in their order', async () => {
    const plan = await planOf('b: {stage: deploy, script: [make deploy]}\na:\n  script: make test\n');
    expect(plan.stages).toEqual(['.pre', 'build', 'test', 'deploy', '.post']);
    expect(plan.jobs.map(({ name, stage, stageIndex }) => [name, stage, stageIndex])).toEqual([
      ['a', 'test', 2],
      ['b', 'deploy', 3],
    ]);
    expect(plan.jobs[0]).toMatchObject({
      when: 'on_success',
      allowFailure: false,
      needs: null,
      dependencies: null,
      script: ['make test'],
      afterScript: [],
      image: null,
      artifacts: null,
      retry: { max: 0, when: [] },
    });
  });

  test('takes defaults where a job says nothing', async () => {
    const text = `
default: {image: node:20, before_script: [echo before], tags: [linux], timeout: 1h 30m, retry: 1}
a: {script: [one, [two, [three]]], after_script: [bye]}
b: {script: b, before_script: [], tags: [mac], image: {name: ruby, entrypoint: [""]}, timeout: 90}
`;
    expect(await jobOf(text, 'a')).toMatchObject({
      image: { name: 'node:20' },
      script: ['echo before', 'one', 'two', 'three'],
      afterScript: ['bye'],
      tags: ['linux'],
      timeout: 5_400,
      retry: { max: 1, when: ['always'] },
    });
    expect(await jobOf(text, 'b')).toMatchObject({
      image: { name: 'ruby', entrypoint: [''] },
      script: ['b'],
      tags: ['mac'],
      timeout: 90,
    });
  });

  test('names the codes after which a job is tried again, and what runs before the commit is there', async () => {
    const text = `
default: {hooks: {pre_get_sources_script: [one, [two]]}, retry: {max: 2, exit_codes: 137}}
a: {script: a}
b: {script: b, hooks: {}, retry: {max: 1, when: script_failure, exit_codes: [1, 2]}}
c: {script: c, inherit: {default: false}}
`;
    expect(await jobOf(text, 'a')).toMatchObject({
      hooks: { preGetSourcesScript: ['one', 'two'] },
      retry: { max: 2, when: [], exitCodes: [137] },
    });
    const b = await jobOf(text, 'b');
    expect([b.hooks, b.retry]).toEqual([{}, { max: 1, when: ['script_failure'], exitCodes: [1, 2] }]);
    expect(await jobOf(text, 'c')).not.toHaveProperty('hooks');
  });

  test('has a report on coverage by its format', async () => {
    const text = `
a: {script: a, artifacts: {reports: {coverage_report: {coverage_format: cobertura, path: c.xml}, junit: j.xml}}}
b: {script: b, artifacts: {reports: {coverage_report: {coverage_format: jacoco, path: target/*.xml}}}}
`;
    expect((await jobOf(text, 'a')).artifacts!.reports).toEqual({ cobertura: ['c.xml'], junit: ['j.xml'] });
    expect((await jobOf(text, 'b')).artifacts!.reports).toEqual({ jacoco: ['target/*.xml'] });
  });

  test('gives runners what it says of containers', async () => {
    const text = `
image: {name: ruby, pull_policy: if-not-present, docker: {platform: linux/arm64, user: dave}}
services:
  - {name: postgres:16, alias: db, pull_policy: [always, never], variables: {POSTGRES_DB: app, PORT: 5432}}
a: {script: a}
`;
    expect(await jobOf(text, 'a')).toMatchObject({
      image: {
        name: 'ruby',
        pullPolicy: ['if-not-present'],
        executors: { docker: { platform: 'linux/arm64', user: 'dave' } },
      },
      services: [
        {
          name: 'postgres:16',
          alias: 'db',
          pullPolicy: ['always', 'never'],
          variables: [
            { key: 'POSTGRES_DB', value: 'app' },
            { key: 'PORT', value: '5432' },
          ],
        },
      ],
    });
    expect(await errorsOf('a: {script: a, image: {name: x, pull_policy: often, docker: {size: 1}}}')).toEqual([
      'jobs:a:image pull policy contains unknown values: often',
      'jobs:a:image:docker config contains unknown keys: size',
    ]);
  });

  test('has keys of caches that follow the contents of files', async () => {
    const cache = (key: string) => `a: {script: a, cache: {key: ${key}, paths: [x]}}`;
    const keyOf = async (key: string, files: Record<string, string>) =>
      (await jobOf(cache(key), 'a', { files })).cache[0]!.key;
    const one = await keyOf('{files: [a.lock, b.lock]}', { 'a.lock': '1', 'b.lock': '2' });
    expect(one).toMatch(/^[0-9a-f]{40}$/);
    expect(await keyOf('{files: [b.lock, a.lock]}', { 'a.lock': '1', 'b.lock': '2', c: '3' })).toBe(one);
    expect(await keyOf('{files: [a.lock, b.lock]}', { 'a.lock': '1', 'b.lock': '3' })).not.toBe(one);
    const prefixed = await keyOf('{files: [a.lock, b.lock], prefix: $CI_JOB_NAME}', { 'a.lock': '1', 'b.lock': '2' });
    expect(prefixed).toBe(`$CI_JOB_NAME-${one}`);
    expect(await keyOf('{files: [a.lock]}', {})).toBe('default');
    expect(await keyOf('npm', {})).toBe('npm');
    expect(await errorsOf(cache('{files: [a, b, c]}'))).toEqual([
      'jobs:a:cache:key files has too many items (maximum is 2)',
    ]);
  });

  test('has tags with values in place of variables', async () => {
    const text = `
variables: {SIZE: large}
a: {script: a, tags: [linux, "$SIZE", "for-$CI_JOB_NAME", $ARCH, $NONE], parallel: {matrix: [{ARCH: [arm, amd]}]}}
`;
    expect((await jobOf(text, 'a: [amd]')).tags).toEqual(['linux', 'large', 'for-a: [amd]', 'amd', '$NONE']);
    expect((await jobOf(text, 'a: [arm]', { given: { SIZE: 'linux' } })).tags).toEqual([
      'linux',
      'for-a: [arm]',
      'arm',
      '$NONE',
    ]);
  });

  test('leaves out of the root what a job doesn’t inherit', async () => {
    const text = `
default: {image: node, tags: [linux], before_script: [echo before]}
variables: {A: a, B: b}
none: {script: x, inherit: {default: false, variables: false}}
some: {script: x, inherit: {default: [image, before_script], variables: [B]}}
all: {script: x, inherit: {default: true}}
own: {script: x, tags: [mac], inherit: {default: false}, rules: [{if: $A == "a"}]}
not: {script: x, inherit: {variables: false}, rules: [{if: $A}]}
`;
    expect(await namesOf(text)).toEqual(['none', 'some', 'all', 'own']);
    expect(await jobOf(text, 'none')).toMatchObject({ image: null, tags: [], script: ['x'], variables: [] });
    expect(await jobOf(text, 'some')).toMatchObject({
      image: { name: 'node' },
      tags: [],
      script: ['echo before', 'x'],
      variables: [{ key: 'B', value: 'b' }],
    });
    expect(await jobOf(text, 'all')).toMatchObject({ image: { name: 'node' }, tags: ['linux'] });
    expect(await jobOf(text, 'own')).toMatchObject({ image: null, tags: ['mac'] });
    expect(await errorsOf('a: {script: a, inherit: {default: [size], variables: x, other: 1}}')).toEqual([
      'jobs:a:inherit config contains unknown keys: other',
      'jobs:a:inherit:default config contains unknown values: size',
      'jobs:a:inherit:variables config should be a bool or array of strings',
    ]);
  });

  test('has what is canceled without a person: the rule of the workflow wins, key by key', async () => {
    const text = `
workflow:
  auto_cancel: {on_new_commit: interruptible, on_job_failure: all}
  rules: [{if: $QUIET, auto_cancel: {on_new_commit: none}}, {when: always}]
a: {script: a}
`;
    expect((await planOf(text)).autoCancel).toEqual({ onNewCommit: 'interruptible', onJobFailure: 'all' });
    expect((await planOf(text, { predefined: { QUIET: '1' } })).autoCancel).toEqual({
      onNewCommit: 'none',
      onJobFailure: 'all',
    });
    expect((await planOf('a: {script: a}')).autoCancel).toEqual({});
    expect(await errorsOf('workflow: {auto_cancel: {on_new_commit: sometimes, then: x}}\na: {script: a}')).toEqual([
      'workflow:auto_cancel config contains unknown keys: then',
      'workflow:auto_cancel on new commit should be one of: conservative, interruptible, none',
    ]);
    expect(await errorsOf('workflow: {auto_cancel: never}\na: {script: a}')).toEqual([
      'workflow:auto_cancel config should be a hash',
    ]);
  });

  test('has the variables of root, workflow, job and rule: later ones win', async () => {
    const text = `
variables: {A: root, B: root, C: root, D: 1, RAW: {value: $A, expand: false, description: d}}
workflow: {name: 'Run of $A on $CI_COMMIT_BRANCH', rules: [{if: $CI, variables: {B: workflow, C: workflow}}]}
a: {script: a, variables: {C: job, E: job}, rules: [{if: '$E == "job"', variables: {E: rule}}]}
`;
    const plan = await planOf(text, { predefined: { CI_COMMIT_BRANCH: 'main', A: 'weak' } });
    expect(plan.name).toBe('Run of root on main');
    expect(plan.jobs[0]?.variables).toEqual([
      { key: 'A', value: 'root' },
      { key: 'B', value: 'workflow' },
      { key: 'C', value: 'job' },
      { key: 'D', value: '1' },
      { key: 'RAW', value: '$A', raw: true },
      { key: 'E', value: 'rule' },
    ]);
  });

  test('becomes of parallel jobs', async () => {
    const text = `
build: {stage: build, script: b, parallel: 2}
test:
  script: t
  parallel: {matrix: [{OS: [linux, mac], ARCH: amd64}, {OS: bsd}]}
all: {stage: deploy, script: d, needs: [build, {job: test, parallel: {matrix: [{OS: mac, ARCH: amd64}]}, artifacts: false}]}
one: {stage: deploy, script: d, needs: ['build 2/2']}
`;
    expect(await namesOf(text)).toEqual([
      'build 1/2',
      'build 2/2',
      'test: [linux, amd64]',
      'test: [mac, amd64]',
      'test: [bsd]',
      'all',
      'one',
    ]);
    expect((await jobOf(text, 'build 2/2')).parallel).toEqual({ index: 2, total: 2 });
    expect((await jobOf(text, 'test: [mac, amd64]')).variables).toEqual([
      { key: 'OS', value: 'mac' },
      { key: 'ARCH', value: 'amd64' },
    ]);
    expect((await jobOf(text, 'all')).needs).toEqual([
      { job: 'build 1/2', artifacts: true, optional: false },
      { job: 'build 2/2', artifacts: true, optional: false },
      { job: 'test: [mac, amd64]', artifacts: false, optional: false },
    ]);
    expect((await jobOf(text, 'one')).needs).toEqual([{ job: 'build 2/2', artifacts: true, optional: false }]);
  });

  test('lets manual jobs fail unless they have rules', async () => {
    const text = `
a: {script: a, when: manual}
b: {script: b, rules: [{when: manual}]}
c: {script: c, when: manual, rules: [{if: $CI}]}
d: {script: d, rules: [{when: manual, allow_failure: true}]}
e: {script: e, allow_failure: {exit_codes: [3, 4]}}
f: {script: f, when: delayed, start_in: 30 minutes}
`;
    const plan = await planOf(text);
    expect(plan.jobs.map((job) => [job.name, job.when, job.allowFailure, job.allowedExitCodes, job.startIn])).toEqual([
      ['a', 'manual', true, [], undefined],
      ['b', 'manual', false, [], undefined],
      ['c', 'manual', false, [], undefined],
      ['d', 'manual', true, [], undefined],
      ['e', 'on_success', false, [3, 4], undefined],
      ['f', 'delayed', false, [], 1_800],
    ]);
  });

  test('is none if the workflow, or the rules of all jobs, say so', async () => {
    expect(await planned('workflow: {rules: [{if: $NO}]}\na: {script: a}')).toEqual({
      filtered: 'Pipeline filtered out by workflow rules.',
    });
    expect(await planned('a: {script: a, rules: [{if: $NO}]}\nb: {stage: .pre, script: b}')).toEqual({
      filtered: expect.stringMatching(/^Pipeline will not run for the selected trigger\. The rules configuration/),
    });
  });

  test('refuses a need that the rules leave out, unless it is optional', async () => {
    const text = (optional: string) => `
a: {stage: build, script: a, rules: [{when: never}]}
b: {script: b, needs: [{job: a${optional}}]}
`;
    expect(await planned(text(''))).toEqual({
      errors: [
        {
          message: expect.stringMatching(/^'b' job needs 'a' job, but 'a' does not exist in the pipeline\./),
          place: { file: undefined, line: 3 },
        },
      ],
    });
    expect((await jobOf(text(', optional: true'), 'b')).needs).toEqual([]);
  });
});

describe('rules', () => {
  const rule = (text: string) => `a: {script: a, rules: [${text}]}`;

  test.each([
    ['$A == "x"', true],
    [`$A != 'x'`, false],
    ['$A', true],
    ['$EMPTY', false],
    ['$MISSING == null', true],
    ['$EMPTY == null', false],
    ['$EMPTY == ""', true],
    ['$A =~ /^X$/i', true],
    ['$A =~ /^X$/', false],
    ['$A !~ /y/', true],
    ['$PATH_LIKE =~ /^a\\/b/', true],
    ['$MISSING =~ /x/', false],
    ['$A =~ $PATTERN', true],
    ['$A =~ $A', false],
    ['$A !~ $A', false],
    ['$A == "x" && $MISSING || $A', true],
    ['$A == "x" && ($MISSING || $EMPTY)', false],
    ['$MISSING || $A && $A', true],
    ['"x" == $A', true],
    ['$NESTED == "x-x"', true],
    ['$JOB == "job"', true],
  ])('%s', async (condition, expected) => {
    const text = `a: {script: a, variables: {NESTED: $A-$A, JOB: job}, rules: [{if: '${condition.replaceAll("'", "''")}'}]}`;
    const names = await namesOf(text, { given: { A: 'x', EMPTY: '', PATTERN: '/x/', PATH_LIKE: 'a/b/c' } });
    expect(names).toEqual(expected ? ['a'] : []);
  });

  test.each(['$A ==', '&& $A', '${A}', '$A $B', '(', '$A =~ "x"', '$A =~ /(/', '$A == x', '', '$A =~ /(?=x)/'])(
    'refuse %s',
    async (condition) => {
      expect(await firstError(`a:\n  script: a\n  rules:\n    - if: '${condition}'\n`)).toEqual({
        message: 'jobs:a:rules:rule if invalid expression syntax',
        line: 4,
        file: undefined,
      });
    },
  );

  test('find changed and existing paths', async () => {
    const changes = rule('{changes: [docs/**/*.md, "*.{js,ts}"]}');
    expect(await namesOf(changes, { changed: ['docs/a/b/c.md'] })).toEqual(['a']);
    expect(await namesOf(changes, { changed: ['docs/c.md'] })).toEqual(['a']);
    expect(await namesOf(changes, { changed: ['x.ts'] })).toEqual(['a']);
    expect(await namesOf(changes, { changed: ['src/x.ts', 'docs/c.txt'] })).toEqual([]);
    expect(await namesOf(changes, { changed: null })).toEqual(['a']);
    const exists = rule('{exists: [Dockerfile]}');
    expect(await namesOf(exists, { paths: ['Dockerfile'] })).toEqual(['a']);
    expect(await namesOf(exists, { paths: ['src/Dockerfile'] })).toEqual([]);
  });

  test('know which of several equal jobs they are for', async () => {
    const text = `a: {script: a, parallel: 3, rules: [{if: $CI_NODE_INDEX == "2" && $CI_NODE_TOTAL == "3"}]}
b: {script: b, rules: [{if: $CI_JOB_NAME == "b" && $CI_JOB_STAGE == "test" && $CI_NODE_INDEX == null}]}`;
    expect(await namesOf(text)).toEqual(['a 2/3', 'b']);
  });

  test('say what a job needs, and whether it may be interrupted, in place of the job', async () => {
    const text = `
a: {stage: build, script: a}
b: {stage: build, script: b}
c:
  script: c
  needs: [a]
  interruptible: true
  rules:
    - {if: $FAST, needs: [], interruptible: false}
    - {if: $BOTH, needs: [a, {job: b, artifacts: false}]}
    - {if: $GONE, needs: [{job: never, optional: true}]}
    - {if: $LOST, needs: [never]}
    - {if: $CI}
never: {stage: build, script: d, rules: [{when: never}]}
`;
    const of = async (name?: string) => {
      const { needs, interruptible } = await jobOf(text, 'c', { given: name === undefined ? {} : { [name]: '1' } });
      return [needs?.map(({ job, artifacts }) => [job, artifacts]), interruptible];
    };
    expect(await of()).toEqual([[['a', true]], true]);
    expect(await of('FAST')).toEqual([[], false]);
    expect(await of('BOTH')).toEqual([
      [
        ['a', true],
        ['b', false],
      ],
      true,
    ]);
    expect(await of('GONE')).toEqual([[], true]);
    expect(await planned(text, { given: { LOST: '1' } })).toEqual({
      errors: [
        {
          message: expect.stringMatching(/^'c' job needs 'never' job, but 'never' does not exist in the pipeline\./),
          place: { file: undefined, line: 8 },
        },
      ],
    });
  });

  test('make no pipeline of jobs that wait for each other', async () => {
    const text = `
a: {script: a, rules: [{if: $AROUND, needs: [b]}, {if: $CI, needs: []}]}
b: {script: b, rules: [{if: $AROUND, needs: [a]}, {if: $CI, needs: [a]}]}
`;
    expect((await jobOf(text, 'b')).needs).toMatchObject([{ job: 'a' }]);
    expect(await planned(text, { given: { AROUND: '1' } })).toEqual({
      errors: [{ message: 'The pipeline has circular dependencies: topological sort failed: ["a", "b"]' }],
    });
  });

  test('know the group that a copy of a job belongs to', async () => {
    const text = 'a: {script: a, parallel: {matrix: [{OS: [linux, mac]}]}, rules: [{if: $CI_JOB_GROUP_NAME == "a"}]}';
    expect(await namesOf(text)).toEqual(['a: [linux]', 'a: [mac]']);
  });

  test('are tried in order, and `when` of a rule wins over that of the job', async () => {
    const text = `a: {script: a, when: always, rules: [{if: $NO, when: never}, {if: $CI, when: on_failure}, {when: manual}]}`;
    expect(await jobOf(text, 'a')).toMatchObject({ when: 'on_failure' });
  });
});

describe('only and except', () => {
  const policy = (text: string) => `a: {script: a, ${text}}`;

  test('have branches and tags as their default, not merge requests', async () => {
    expect(await namesOf('a: {script: a}')).toEqual(['a']);
    expect(await namesOf('a: {script: a}', { tag: true, ref: 'v1' })).toEqual(['a']);
    expect(await namesOf('a: {script: a}', { source: 'merge_request_event', mergeRequest: true })).toEqual([]);
  });

  test.each([
    ['only: [main]', true],
    ['only: [other]', false],
    ['only: [/^ma/]', true],
    ['only: [/^MA/]', false],
    ['only: [/^MA/i]', true],
    ['only: [tags]', false],
    ['only: [pushes]', true],
    ['only: [schedules, web]', false],
    ['only: [branches@group/app]', true],
    ['only: [main@other/app]', false],
    ['except: [main]', false],
    ['except: [tags]', true],
    ['except: {variables: [$CI]}', false],
    ['only: {variables: [$CI]}', true],
    ['only: {refs: [main], variables: [$NO]}', false],
    ['only: {changes: [README.md]}', true],
    ['only: {changes: [other.md]}', false],
  ])('%s', async (text, expected) => {
    expect(await namesOf(policy(text), { changed: ['README.md'] })).toEqual(expected ? ['a'] : []);
  });

  test('have no default where the workflow has rules', async () => {
    const facts = { source: 'merge_request_event', mergeRequest: true } as const;
    const text = `workflow: {rules: [{when: always}]}
a: {script: a}
b: {script: b, only: [branches]}
c: {script: c, except: [merge_requests]}`;
    expect(await namesOf(text, facts)).toEqual(['a']);
    expect(await namesOf(text)).toEqual(['a', 'b', 'c']);
  });

  test('know merge requests', async () => {
    const facts = { source: 'merge_request_event', mergeRequest: true } as const;
    expect(await namesOf(policy('only: [merge_requests]'), facts)).toEqual(['a']);
    expect(await namesOf(policy('only: [main]'), facts)).toEqual([]);
  });
});

describe('files', () => {
  test('are included, and the including file wins', async () => {
    const files = {
      'ci/a.yml': 'include: ci/b.yml\n.base: {image: a, variables: {A: a, B: a}}\nx: {script: from a}',
      'ci/b.yml': '.base: {image: b, tags: [b]}\nx: {script: from b}\ny: {script: y}',
    };
    const text = `
include: [{local: /ci/a.yml}]
x: {extends: .base, variables: {B: x}}
`;
    expect(await jobOf(text, 'x', { files })).toMatchObject({
      script: ['from a'],
      image: { name: 'a' },
      tags: ['b'],
      variables: [
        { key: 'A', value: 'a' },
        { key: 'B', value: 'x' },
      ],
    });
    expect(await namesOf(text, { files })).toEqual(['x', 'y']);
  });

  test.each([
    ['include: x.yml', 'Local file `x.yml` does not exist!'],
    ['include: [{local: ../x.yml}]', 'Local file `../x.yml` does not exist!'],
    ['include: empty.yml', 'Local file `empty.yml` is empty!'],
    ['include: a.txt', 'Included file `a.txt` does not have YAML extension!'],
    ['include: list.yml', 'Included file `list.yml` does not have valid YAML syntax!'],
    ['include: self.yml', 'Include `self.yml` includes itself: self.yml → self.yml'],
    ['include: https://example.com/a.yml', /^include:remote is not supported \(line 2\): /],
    ['include: {remote: "https://example.com/a.yml"}', /^include:remote is not supported \(line 2\): /],
    ['include: {project: a/b, file: c.yml}', /^include:project is not supported \(line 2\): /],
    ['include: {template: Ruby.gitlab-ci.yml}', /^include:template is not supported \(line 2\): /],
    ['include: [{component: a/b@1}]', /^include:component is not supported \(line 2\): /],
    ['include: [{local: a.yml, rules: 1}]', 'include:rules config should be an array of hashes'],
  ])('%s', async (text, message) => {
    const files = { 'empty.yml': ' \n', 'list.yml': '- a', 'self.yml': 'include: self.yml' };
    const error = await firstError(`a: {script: a}\n${text}\n`, files);
    expect(error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(error.line).toBe(text.includes('self') ? 1 : 2);
  });

  test('are chosen by wildcards, in the order of their names', async () => {
    const files = {
      'ci/b.yml': 'b: {script: b}\nsame: {script: from b}',
      'ci/a.yaml': 'a: {script: a}\nsame: {script: from a}',
      'ci/a.txt': 'no',
      'ci/deep/c.yml': 'c: {script: c}',
      'other/d.yml': 'd: {script: d}',
      'self/e.yml': 'include: self/*.yml\ne: {script: e}',
    };
    expect(await namesOf('include: ci/*.yml', { files })).toEqual(['b', 'same']);
    expect((await namesOf('include: [{local: /ci/**.yml}, ci/*.yaml]', { files })).toSorted()).toEqual([
      'a',
      'b',
      'c',
      'same',
    ]);
    expect((await namesOf('include: "**/*.yml"', { files })).toSorted()).toEqual(['b', 'c', 'd', 'e', 'same']);
    expect(await errorsOf('include: none/*.yml\na: {script: a}', files)).toEqual([
      'Local file `none/*.yml` does not exist!',
    ]);
  });

  test('are included as their rules say; a check without an event includes what is there', async () => {
    const files = { 'a.yml': 'a: {script: a}', 'b.yml': 'b: {script: b}', 'c.yml': 'c: {script: c}' };
    const text = `
include:
  - {local: a.yml, rules: [{if: $WANTED}]}
  - {local: b.yml, rules: [{exists: [Dockerfile], when: never}, {changes: ["*.md"]}]}
  - {local: "*.yml", rules: [{if: $ALL == "yes", when: always}]}
  - {local: none.yml, rules: [{if: $NONE}]}
x: {script: x}
`;
    expect(await namesOf(text, { files, changed: [] })).toEqual(['x']);
    expect(await namesOf(text, { files, changed: [], given: { WANTED: '1' } })).toEqual(['a', 'x']);
    expect(await namesOf(text, { files, changed: ['a.md'], predefined: { WANTED: '' } })).toEqual(['b', 'x']);
    expect(await namesOf(text, { files, changed: ['a.md'], paths: ['Dockerfile'] })).toEqual(['x']);
    expect(await namesOf(text, { files, changed: [], given: { ALL: 'yes' } })).toEqual(['a', 'b', 'c', 'x']);
    expect(await errorsOf(text, files)).toEqual([]);
  });

  test('of a hundred are enough', async () => {
    const files = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`${index}.yml`, `.a${index}: 1`]));
    const text = (count: number) =>
      `include: [${Array.from({ length: count }, (_, index) => `${index}.yml`).join(', ')}]\na: {script: a}`;
    expect(await errorsOf(text(100), files)).toEqual([]);
    expect(await errorsOf(text(101), files)).toEqual(['Maximum of 100 nested includes are allowed!']);
  });

  test('name their path in errors', async () => {
    const files = { 'a.yml': 'x:\n  script: x\n  bar: 1\n' };
    expect(await firstError('include: a.yml', files)).toEqual({
      message: 'jobs:x config contains unknown keys: bar',
      line: 3,
      file: 'a.yml',
    });
  });
});

describe('extends, anchors and references', () => {
  test('merge deeply, and replace lists', async () => {
    const text = `
.one: {script: [one], variables: {A: one, B: one}, tags: [one]}
.two: {extends: .one, variables: {B: two}, tags: [two]}
.three: {variables: {C: three}}
a: {extends: [.two, .three], variables: {D: a}}
`;
    expect(await jobOf(text, 'a')).toMatchObject({ script: ['one'], tags: ['two'] });
    expect((await jobOf(text, 'a')).variables.map(({ key, value }) => key + value)).toEqual([
      'Aone',
      'Btwo',
      'Cthree',
      'Da',
    ]);
  });

  test('follow references and merge keys', async () => {
    const text = `
.setup: {script: [one, two], rules: [{if: $CI}]}
.base: &base {tags: [x], image: a}
a:
  <<: *base
  image: b
  script: [first, !reference [.setup, script]]
  rules: [!reference [.setup, rules]]
`;
    expect(await jobOf(text, 'a')).toMatchObject({
      script: ['first', 'one', 'two'],
      tags: ['x'],
      image: { name: 'b' },
    });
  });

  test.each([
    ['foo: {extends: bar, script: x}', 'foo: unknown keys in `extends` (bar)'],
    ['foo: {extends: foo, script: x}', 'foo: circular dependency detected in `extends`'],
    ['.a: {extends: foo}\nfoo: {extends: .a, script: x}', /circular dependency detected in `extends`$/],
    ['foo: {extends: [1], script: x}', 'jobs:foo extends should be an array of strings or a string'],
    ['foo: {script: [!reference [bar, script]]}', '!reference ["bar", "script"] could not be found'],
    ['foo: {script: !reference [foo, script]}', '!reference ["foo", "script"] is part of a circular chain'],
  ])('%s', async (text, message) => {
    const [error] = await errorsOf(text);
    expect(error).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  test('nest eleven levels', async () => {
    const text = (levels: number) =>
      Array.from({ length: levels }, (_, index) =>
        index === 0 ? '.l0: {script: x}' : `${index === levels - 1 ? 'job' : `.l${index}`}: {extends: .l${index - 1}}`,
      ).join('\n');
    expect(await errorsOf(text(11))).toEqual([]);
    expect(await errorsOf(text(12))).toEqual(['job: nesting too deep in `extends`']);
    expect((await errorsOf(text(3_000)))[0]).toMatch(/nesting too deep in `extends`$/);
  });
});

test('warnings name what has no effect', async () => {
  const result = await compiled('a:\n  script: a\n  resource_group: x\n  release: {tag_name: v1}\n');
  expect('config' in result && result.config.warnings).toEqual([
    { message: 'jobs:a:resource_group has no effect here', place: { file: undefined, line: 3 } },
    { message: 'jobs:a:release has no effect here', place: { file: undefined, line: 4 } },
  ]);
});
