import { describe, expect, test } from 'vitest';
import { errorsOf, firstError, jobOf, namesOf } from './support.ts';

describe('the errors that clients know', () => {
  test.each([
    ['', 'Please provide content of .gitlab-ci.yml'],
    ['# nothing', 'Please provide content of .gitlab-ci.yml'],
    ['- a', 'Invalid configuration format'],
    ['.a: {script: a}', 'jobs config should contain at least one visible job'],
    ['foo: {stage: test}', 'jobs:foo config should implement a script: or a trigger: keyword'],
    ['foo: 1', 'jobs:foo config should implement a script: or a trigger: keyword'],
    ['foo: {script: a, bar: 1}', 'jobs:foo config contains unknown keys: bar'],
    [
      'foo: {script: a, stage: x}',
      'foo job: chosen stage x does not exist; available stages are .pre, build, test, deploy, .post',
    ],
    ['foo: {script: a, needs: [bar]}', 'foo job: undefined need: bar'],
    ['foo: {script: a, dependencies: [bar]}', 'foo job: undefined dependency: bar'],
    [
      'bar: {script: a, stage: deploy}\nfoo: {script: a, needs: [bar]}',
      'foo job: need bar is not defined in current or prior stages',
    ],
    [
      'bar: {script: a, stage: build}\nfoo: {script: a, needs: [bar, bar]}',
      'foo has the following needs duplicated: bar.',
    ],
    [
      'a: {script: a, needs: [b]}\nb: {script: a, needs: [c]}\nc: {script: a, needs: [b]}',
      'The pipeline has circular dependencies: topological sort failed: ["b", "c"]',
    ],
    ['foo: {script: a, environment: {name: a, on_stop: bar}}', 'foo job: on_stop job bar is not defined'],
    [
      'foo: {script: a, environment: {name: a, on_stop: bar}}\nbar: {script: a}',
      'foo job: on_stop job bar does not have environment defined',
    ],
    [
      'foo: {script: a, environment: {name: a, on_stop: bar}}\nbar: {script: a, environment: {name: b, action: stop}}',
      'foo job: on_stop job bar have different environment name',
    ],
    [
      'foo: {script: a, environment: {name: a, on_stop: bar}}\nbar: {script: a, environment: a}',
      'foo job: on_stop job bar needs to have action stop defined',
    ],
    [
      'foo: {script: a, when: never}',
      'jobs:foo when should be one of: on_success, on_failure, always, manual, delayed',
    ],
    ['foo: {script: a, rules: [], only: [main]}', 'jobs:foo config key may not be used with `rules`: only'],
    ['foo: {script: 1}', 'jobs:foo:script config should be a string or a nested array of strings up to 10 levels deep'],
    ['foo: {script: []}', "jobs:foo script can't be blank"],
    ['foo: {script: a, timeout: soon}', 'jobs:foo timeout should be a duration'],
    ['foo: {script: a, when: delayed}', 'jobs:foo start in should be a duration'],
    ['foo: {script: a, start_in: 1 day}', 'jobs:foo start in must be blank'],
    ['foo: {script: a, tags: linux}', 'jobs:foo:tags config should be an array of strings'],
    ['foo: {script: a, retry: 3}', 'jobs:foo:retry config must be less than or equal to 2'],
    ['foo: {script: a, retry: {when: bad}}', 'jobs:foo:retry when contains unknown values: bad'],
    [
      'foo: {script: a, retry: {exit_codes: [a]}}',
      'jobs:foo:retry exit codes should be an array of integers or an integer',
    ],
    [
      'foo: {script: a, allow_failure: {exit_codes: }}',
      'jobs:foo:allow_failure exit codes should be an array of integers or an integer',
    ],
    ['foo: {script: a, hooks: {post: b}}', 'jobs:foo:hooks config contains unknown keys: post'],
    [
      'foo: {script: a, hooks: {pre_get_sources_script: 1}}',
      'jobs:foo:hooks:pre_get_sources_script config should be a string or a nested array of strings up to 10 levels deep',
    ],
    ['foo: {script: a, rules: [{needs: [bar]}]}', 'foo job: undefined need: bar'],
    ['foo: {script: a, rules: [{interruptible: 1}]}', 'jobs:foo:rules:rule interruptible should be a boolean value'],
    [
      'bar: {script: a, stage: deploy}\nfoo: {script: a, needs: [], rules: [{needs: [bar]}]}',
      'foo job: need bar is not defined in current or prior stages',
    ],
    ['foo: {script: a, parallel: 201}', 'jobs:foo:parallel config must be less than or equal to 200'],
    ['foo: {script: a, artifacts: {paths: x}}', 'jobs:foo:artifacts paths should be an array of strings'],
    ['foo: {script: a, artifacts: {expire_in: x}}', 'jobs:foo:artifacts expire in should be a duration'],
    ['foo: {script: a, artifacts: {reports: {x: y}}}', 'jobs:foo:artifacts:reports config contains unknown keys: x'],
    [
      'foo: {script: a, artifacts: {reports: {coverage_report: x.xml}}}',
      'jobs:foo:artifacts:reports:coverage_report config should be a hash',
    ],
    [
      'foo: {script: a, artifacts: {reports: {coverage_report: {path: x.xml}}}}',
      "jobs:foo:artifacts:reports:coverage_report coverage format can't be blank",
    ],
    [
      'foo: {script: a, artifacts: {reports: {coverage_report: {coverage_format: x, path: x.xml}}}}',
      'jobs:foo:artifacts:reports:coverage_report coverage format should be one of: cobertura, jacoco',
    ],
    [
      'foo: {script: a, artifacts: {reports: {coverage_report: {coverage_format: jacoco}}}}',
      "jobs:foo:artifacts:reports:coverage_report path can't be blank",
    ],
    ['foo: {script: a, environment: {url: x}}', "jobs:foo:environment name can't be blank"],
    [
      'foo: {script: a, environment: {name: x, action: y}}',
      'jobs:foo:environment action should be start, stop, prepare, verify, or access',
    ],
    ['foo: {script: a, variables: [1]}', 'jobs:foo:variables config should be a hash of key value pairs'],
    [
      'foo: {script: a, variables: {A: true}}',
      'jobs:foo:variables:A variable definition must be either a string or a hash',
    ],
    ['foo: {script: a, coverage: x}', 'jobs:foo:coverage config must be a regular expression'],
    ['stages: [{}]\nfoo: {script: a}', 'stages config should be an array of strings'],
    ['default: {bar: 1}\nfoo: {script: a}', 'default config contains unknown keys: bar'],
    ['image: a\ndefault: {image: b}\nfoo: {script: a}', 'image is defined in top-level and `default:` entry'],
    ['workflow: {bar: 1}\nfoo: {script: a}', 'workflow config contains unknown keys: bar'],
  ])('%s', async (text, message) => {
    expect(await errorsOf(text)).toContain(message);
  });

  test('are all told, not only the first', async () => {
    expect(await errorsOf('a: {stage: test}\nb: {script: b, bar: 1}')).toEqual([
      'jobs:a config should implement a script: or a trigger: keyword',
      'jobs:b config contains unknown keys: bar',
    ]);
  });
});

test.each([
  ['trigger: other/project', 'jobs:a:trigger is not supported (line 4): '],
  ['run: [{name: x}]', 'jobs:a:run is not supported (line 4): '],
  ['identity: google_cloud', 'jobs:a:identity is not supported (line 4): '],
  ['needs: [{pipeline: other}]', 'jobs:a:needs:pipeline is not supported (line 4): '],
  ['needs: [{project: a/b, job: c, ref: main}]', 'jobs:a:needs:project is not supported (line 4): '],
  ['only: {kubernetes: active}', 'jobs:a:only:kubernetes is not supported (line 4): '],
  ['rules: [{needs: [{pipeline: other}]}]', 'jobs:a:rules:rule:needs:pipeline is not supported (line 4): '],
])('%s is refused by name, with its line', async (key, message) => {
  const error = await firstError(`# A comment\na:\n  script: a\n  ${key}\n`);
  expect(error).toEqual({ message: expect.stringContaining(message), line: 4, file: undefined });
});

describe('broken YAML', () => {
  test.each([
    ['a: [', 1],
    ['a:\n  script: x\n bad: y\n', 3],
    ['a: b: c', 1],
    ['a: "x', 1],
    ['a: {script: a}\n---\nb: {script: b}', 2],
    ['a: &x {script: *y}', 1],
    ['a: !include b', 1],
  ])('%j', async (text, line) => {
    const error = await firstError(text);
    expect(error.message).toMatch(/^\(<unknown>\): /);
    expect(error.line).toBe(line);
  });

  test('begins as clients look for it', async () => {
    expect((await firstError('a:\n  script: x\n bad: y\n')).message).toMatch(
      /^\(<unknown>\): did not find expected key while parsing.* at line 3 column \d+$/,
    );
  });
});

describe('YAML of version 1.1', () => {
  test('keeps what is text to clients', async () => {
    const text = `a: {script: a, variables: {A: 12345678901234567890123, B: 2020-01-01, C: y, D: 1.5, E: ~, F: 0o7}}`;
    expect((await jobOf(text, 'a')).variables.map(({ value }) => value)).toEqual([
      '12345678901234567890123',
      '2020-01-01',
      'y',
      '1.5',
      '',
      '0o7',
    ]);
  });

  test('keeps the order of jobs, also of those with numbers for names', async () => {
    expect(await namesOf('b: {script: b}\n2: {script: b}\n1: {script: a}\n')).toEqual(['b', '2', '1']);
  });

  test('takes the last of equal keys', async () => {
    expect(await jobOf('a: {script: one}\na: {script: two}', 'a')).toMatchObject({ script: ['two'] });
  });
});

describe('names that mean something to JavaScript', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])('%s', async (name) => {
    const text = `${name}: {script: x, variables: {${name}: v}}\nb: {extends: ${name}, needs: [${name}]}\n`;
    expect(await namesOf(text)).toEqual([name, 'b']);
    expect((await jobOf(text, 'b')).variables).toEqual([{ key: name, value: 'v' }]);
    expect(({} as Record<string, unknown>)['script']).toBeUndefined();
  });

  test('aren’t found where they aren’t written', async () => {
    expect(await errorsOf('a: {script: x, needs: [constructor], stage: toString}')).toContain(
      'a job: chosen stage toString does not exist; available stages are .pre, build, test, deploy, .post',
    );
    expect(await errorsOf('a: {script: x, extends: __proto__}')).toEqual(['a: unknown keys in `extends` (__proto__)']);
    expect(await errorsOf('a: {script: x, artifacts: {reports: {__proto__: x}}}')).toEqual([
      'jobs:a:artifacts:reports config contains unknown keys: __proto__',
    ]);
  });
});
