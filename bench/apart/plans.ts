import { parse } from 'yaml';
import { compileConfig, planPipeline } from '../../src/ci/config/index.ts';
import { median, type Check } from '../report.ts';

/** A plan of many jobs, beside reading its YAML alone with the same library. */

const jobs = 500;
const rounds = 15;

const job = (index: number): string => `
job ${index}:
  extends: .base
  stage: ${['build', 'test', 'deploy'][index % 3]!}
  variables: { NAME: "job ${index}", MODE: fast }
  script:
    - echo "$NAME"
    - make part-${index}
  needs: [${index < 3 ? '' : `job ${index - 3}`}]
  artifacts: { paths: [out/${index}/], expire_in: 1 week, reports: { junit: report-${index}.xml } }
  rules:
    - if: '$CI_COMMIT_BRANCH =~ /^(main|release-.*)$/ && $MODE == "fast"'
    - if: $CI_COMMIT_TAG
      when: manual
`;

const text = `
default: { image: node, before_script: [npm ci], retry: 1 }
variables: { A: a, B: b }
.base: { tags: [linux], timeout: 1h }
${Array.from({ length: jobs }, (_, index) => job(index)).join('')}`;

async function plan(): Promise<number> {
  const compiled = await compileConfig(text, { readFile: null });
  if (!('config' in compiled)) throw new Error(compiled.errors[0]?.message);
  const planned = await planPipeline(compiled.config, {
    ref: 'main',
    tag: false,
    source: 'push',
    projectPath: 'group/app',
    variables: { predefined: [{ key: 'CI_COMMIT_BRANCH', value: 'main' }], given: [] },
    changedPaths: () => Promise.resolve(null),
    paths: () => Promise.resolve([]),
    contents: () => Promise.resolve(null),
  });
  return 'plan' in planned ? planned.plan.jobs.length : 0;
}

/** Milliseconds of some work. */
async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Both in turn, so that a slow moment meets both. */
export async function measurePlans(print: (message: string) => void): Promise<Check[]> {
  const alone: number[] = [];
  const whole: number[] = [];
  if ((await plan()) !== jobs) throw new Error('The plan lacks jobs.');
  for (let round = 0; round < rounds; round++) {
    alone.push(await timed(() => parse(text, { version: '1.1' }) as unknown));
    whole.push(await timed(plan));
  }
  print(
    `${jobs} jobs: ${median(alone).toFixed(1)} ms for the YAML alone, ${median(whole).toFixed(1)} ms for the plan.`,
  );
  return [
    { name: `a plan of ${jobs} jobs`, value: median(whole), unit: 'ms' },
    {
      name: 'the same beside reading its YAML alone',
      value: median(whole) / median(alone),
      unit: 'times parsing alone',
      bound: 3,
    },
  ];
}
