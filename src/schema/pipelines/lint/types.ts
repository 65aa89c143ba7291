import type { LintedJob } from '../../../ci/config/index.ts';
import { withLine, type Problem } from '../../../ci/config/problems.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, resolveArrayPage, within, type PageArgs } from '../../engine/page.ts';
import type { CheckedConfig } from './check.ts';

/** What a check of a configuration of pipelines finds, under GitLab's names. */

const CiConfigStatus = builder.enumType('CiConfigStatus', {
  description: 'Whether pipelines can be made with a configuration.',
  values: ['VALID', 'INVALID'] as const,
});

interface ShownProblem extends Problem {
  readonly isError: boolean;
}

const CiConfigProblem = builder.objectRef<ShownProblem>('CiConfigProblem').implement({
  description: 'An error or a warning about a configuration, with its place.',
  fields: (t) => ({
    message: t.exposeString('message'),
    isError: t.exposeBoolean('isError', { description: 'Whether no pipeline can be made; otherwise it is a warning.' }),
    line: t.int({
      nullable: true,
      description: 'The line where it is, from 1; null for what is about the whole.',
      resolve: ({ place }) => place?.line ?? null,
    }),
    file: t.string({
      nullable: true,
      description: 'The path of an included file; null for the configuration itself.',
      resolve: ({ place }) => place?.file ?? null,
    }),
  }),
});

interface Include {
  readonly path: string;
  readonly of: NonNullable<CheckedConfig['of']>;
  readonly baseUrl: string;
}

const urlOf = ({ path, of: { repository, sha }, baseUrl }: Include, kind: 'blob' | 'raw') =>
  `${baseUrl}/${repository.fullPath}/-/${kind}/${sha}/${path.split('/').map(encodeURIComponent).join('/')}`;

const CiConfigIncludeType = builder.enumType('CiConfigIncludeType', {
  description: 'Where an included file is.',
  values: { local: { description: 'In the same repository.' } },
});

const CiConfigInclude = builder.objectRef<Include>('CiConfigInclude').implement({
  description: 'A file that a configuration includes.',
  fields: (t) => ({
    type: t.field({ type: CiConfigIncludeType, resolve: () => 'local' as const }),
    location: t.exposeString('path', { description: 'Its path.' }),
    blob: t.string({ description: 'The page that shows it.', resolve: (include) => urlOf(include, 'blob') }),
    raw: t.string({ description: 'Its content alone.', resolve: (include) => urlOf(include, 'raw') }),
    contextProject: t.string({
      description: 'The project with the file.',
      resolve: ({ of }) => of.repository.fullPath,
    }),
    contextSha: t.string({ description: 'The commit with the file.', resolve: ({ of }) => of.sha }),
  }),
});

/** A page of parts of a configuration, which have names. */
const paged = <T extends { readonly name: string }>(args: PageArgs, items: readonly T[]) =>
  resolveArrayPage(args, items, ({ name }) => name) as never;

const CiConfigNeed = builder.objectRef<{ readonly name: string }>('CiConfigNeed').implement({
  description: 'A job that another one needs.',
  fields: (t) => ({ name: t.exposeString('name') }),
});

const CiConfigJobRestriction = builder.objectRef<readonly string[]>('CiConfigJobRestriction').implement({
  description: 'The refs of `only` or `except`.',
  fields: (t) => ({ refs: t.stringList({ resolve: (refs) => [...refs] }) }),
});

const CiConfigJob = builder.objectRef<LintedJob>('CiConfigJob').implement({
  description: 'A job of a configuration.',
  fields: (t) => ({
    name: t.exposeString('name'),
    groupName: t.exposeString('groupName', { description: 'The name without what `parallel` adds.' }),
    stage: t.exposeString('stage'),
    script: t.stringList({ resolve: ({ script }) => [...script] }),
    beforeScript: t.stringList({ resolve: ({ beforeScript }) => [...beforeScript] }),
    afterScript: t.stringList({ resolve: ({ afterScript }) => [...afterScript] }),
    tags: t.stringList({ resolve: ({ tags }) => [...tags] }),
    environment: t.exposeString('environment', { nullable: true, description: 'Its name, as it is written.' }),
    when: t.exposeString('when'),
    allowFailure: t.exposeBoolean('allowFailure'),
    only: t.field({ type: CiConfigJobRestriction, nullable: true, resolve: ({ only }) => only }),
    except: t.field({ type: CiConfigJobRestriction, nullable: true, resolve: ({ except }) => except }),
    needs: t.connection(
      {
        type: CiConfigNeed,
        nullable: true,
        ...within(5),
        description: 'Null: it waits for all earlier stages.',
        resolve: ({ needs }, args) =>
          needs &&
          paged(
            args,
            needs.map((name) => ({ name })),
          ),
      },
      connectionOf(CiConfigNeed) as never,
    ),
  }),
});

interface Group {
  readonly name: string;
  readonly jobs: readonly LintedJob[];
}

const CiConfigGroup = builder.objectRef<Group>('CiConfigGroup').implement({
  description: 'A job, or the jobs that `parallel` makes of one.',
  fields: (t) => ({
    name: t.exposeString('name'),
    size: t.int({ resolve: ({ jobs }) => jobs.length }),
    jobs: t.connection(
      { type: CiConfigJob, ...within(5), resolve: ({ jobs }, args) => paged(args, jobs) },
      connectionOf(CiConfigJob) as never,
    ),
  }),
});

interface Stage {
  readonly name: string;
  readonly groups: readonly Group[];
}

const CiConfigStage = builder.objectRef<Stage>('CiConfigStage').implement({
  description: 'A stage of a configuration that has jobs.',
  fields: (t) => ({
    name: t.exposeString('name'),
    groups: t.connection(
      { type: CiConfigGroup, ...within(10), resolve: ({ groups }, args) => paged(args, groups) },
      connectionOf(CiConfigGroup) as never,
    ),
  }),
});

function stagesOf({ stages, jobs }: CheckedConfig): Stage[] {
  const byStage = new Map<string, Map<string, LintedJob[]>>(stages.map((name) => [name, new Map()]));
  for (const job of jobs) {
    const groups = byStage.get(job.stage)!;
    groups.set(job.groupName, [...(groups.get(job.groupName) ?? []), job]);
  }
  return [...byStage].map(([name, groups]) => ({
    name,
    groups: [...groups].map(([groupName, members]) => ({ name: groupName, jobs: members })),
  }));
}

export const CiConfig = builder.objectRef<CheckedConfig>('CiConfig').implement({
  description: 'A checked configuration of pipelines.',
  fields: (t) => ({
    status: t.field({ type: CiConfigStatus, resolve: ({ errors }) => (errors.length === 0 ? 'VALID' : 'INVALID') }),
    errors: t.stringList({ resolve: ({ errors }) => errors.map(({ message }) => message) }),
    warnings: t.stringList({
      description: 'What is accepted and has no effect, with its line.',
      resolve: ({ warnings }) => warnings.map(withLine),
    }),
    problems: t.field({
      type: [CiConfigProblem],
      description: 'Errors and warnings, with their places.',
      resolve: ({ errors, warnings }) => [
        ...errors.map((error) => ({ ...error, isError: true })),
        ...warnings.map((warning) => ({ ...warning, isError: false })),
      ],
    }),
    mergedYaml: t.exposeString('mergedYaml', {
      nullable: true,
      description: 'The configuration with what it includes, refers to and extends; null if it is wrong.',
    }),
    includes: t.field({
      type: [CiConfigInclude],
      resolve: ({ includes, of }, _args, { baseUrl }) => (of ? includes.map((path) => ({ path, of, baseUrl })) : []),
    }),
    stages: t.connection(
      { type: CiConfigStage, ...within(10), resolve: (config, args) => paged(args, stagesOf(config)) },
      connectionOf(CiConfigStage) as never,
    ),
    jobs: t.field({
      type: [CiConfigJob],
      description: 'All jobs; of a dry run, those that the rules let in.',
      resolve: ({ jobs }) => [...jobs],
    }),
  }),
});
