import type { TestCase } from '../../../ci/junit.ts';
import type { Context } from '../../../context.ts';
import { batchedLists } from '../../engine/batched.ts';
import { builder, type Types } from '../../engine/builder.ts';
import { connectionOf, offsetArg, resolvePositions } from '../../engine/page.ts';
import { numberIn } from '../jobs/ids.ts';
import { readsJobsIn } from '../jobs/read.ts';
import type { PipelineRecord } from '../pipelines/read.ts';
import { Pipeline } from '../pipelines/types.ts';
import { testReportsOf } from './statements.ts';

/** The tests that the jobs of a pipeline reported. Those of jobs in whose place a later one counts are left out. */

interface Counts {
  readonly totalTime: number;
  readonly totalCount: number;
  readonly successCount: number;
  readonly failedCount: number;
  readonly skippedCount: number;
  readonly errorCount: number;
}

interface Suite extends Counts {
  readonly jobId: number;
  readonly name: string;
  readonly suiteError: string | null;
  readonly cases: readonly TestCase[];
}

const lists = batchedLists(
  (context, pipelines) => context.database.rows(testReportsOf, [pipelines]),
  ({ pipelineId }: { readonly pipelineId: number }) => pipelineId,
);

function countsOf(cases: readonly TestCase[]): Counts {
  const having = (status: TestCase['status']) => cases.filter((one) => one.status === status).length;
  return {
    totalTime: cases.reduce((sum, { executionTime }) => sum + executionTime, 0),
    totalCount: cases.length,
    successCount: having('success'),
    failedCount: having('failed'),
    skippedCount: having('skipped'),
    errorCount: having('error'),
  };
}

const fieldsOfCounts = (t: PothosSchemaTypes.ObjectFieldBuilder<Types, Counts>) => ({
  totalTime: t.exposeFloat('totalTime', { description: 'In seconds.' }),
  totalCount: t.exposeInt('totalCount'),
  successCount: t.exposeInt('successCount'),
  failedCount: t.exposeInt('failedCount'),
  skippedCount: t.exposeInt('skippedCount'),
  errorCount: t.exposeInt('errorCount'),
});

const TestCaseStatus = builder.enumType('TestCaseStatus', {
  description: 'How a test ended.',
  values: ['success', 'failed', 'error', 'skipped'] as const,
});

const TestCaseType = builder.objectRef<TestCase>('TestCase').implement({
  description: 'A test that a job reported.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    classname: t.exposeString('classname', { nullable: true }),
    file: t.exposeString('file', { nullable: true }),
    status: t.field({ type: TestCaseStatus, nullable: true, direct: true, resolve: ({ status }) => status }),
    executionTime: t.exposeFloat('executionTime', { nullable: true, description: 'In seconds.' }),
    systemOutput: t.exposeString('output', { nullable: true, description: 'What was wrong, or why it was left out.' }),
  }),
});

const TestSuite = builder.objectRef<Suite>('TestSuite').implement({
  description: 'The tests that a job reported.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'The name of the job.' }),
    ...fieldsOfCounts(t as never),
    suiteError: t.exposeString('suiteError', { nullable: true, description: 'Why its report can’t be read.' }),
    testCases: t.connection(
      {
        type: TestCaseType,
        nullable: true,
        args: offsetArg,
        resolve: async ({ cases }, args, _context, info) =>
          (await resolvePositions(
            args,
            info,
            async ({ skip, count }) => cases.slice(skip, skip + count),
            async () => cases.length,
          )) as never,
      },
      connectionOf(TestCaseType) as never,
    ),
    cases: t.field({
      type: 'JSON',
      description: 'All of them at once, as plain data.',
      direct: true,
      resolve: ({ cases }) => cases,
    }),
  }),
});

/** All tests of a pipeline, and those of each job. */
interface Report extends Counts {
  readonly suites: readonly Suite[];
}

const TestReport = builder.objectRef<Report>('PipelineTestReport').implement({
  description: 'The tests that the jobs of a pipeline reported.',
  fields: (t) => ({
    ...fieldsOfCounts(t as never),
    testSuites: t.field({
      type: [TestSuite],
      description: 'One of each job that reported some.',
      direct: true,
      resolve: ({ suites }) => suites as Suite[],
    }),
  }),
});

const TestSuiteSummary = builder.objectRef<Suite>('TestSuiteSummary').implement({
  description: 'How many tests a job reported.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'The name of the job.' }),
    ...fieldsOfCounts(t as never),
    suiteError: t.exposeString('suiteError', { nullable: true, description: 'Why its report can’t be read.' }),
    buildIds: t.idList({ description: 'The number of the job.', direct: true, resolve: ({ jobId }) => [jobId] }),
  }),
});

const TestReportTotal = builder.objectRef<Counts>('TestReportTotal').implement({
  description: 'How many tests the jobs of a pipeline reported.',
  fields: (t) => ({
    time: t.exposeFloat('totalTime', { nullable: true, description: 'In seconds.' }),
    count: t.exposeInt('totalCount', { nullable: true }),
    success: t.exposeInt('successCount', { nullable: true }),
    failed: t.exposeInt('failedCount', { nullable: true }),
    skipped: t.exposeInt('skippedCount', { nullable: true }),
    error: t.exposeInt('errorCount', { nullable: true }),
    suiteError: t.string({
      nullable: true,
      description: 'Null: only suites have errors.',
      direct: true,
      resolve: () => null,
    }),
  }),
});

const TestReportSummary = builder.objectRef<Report>('TestReportSummary').implement({
  description: 'How many tests the jobs of a pipeline reported, without the tests.',
  fields: (t) => ({
    total: t.field({ type: TestReportTotal, direct: true, resolve: (report) => report }),
    testSuites: t.connection(
      {
        type: TestSuiteSummary,
        nullable: true,
        description: 'One of each job that reported some.',
        args: offsetArg,
        resolve: async ({ suites }, args, _context, info) =>
          (await resolvePositions(
            args,
            info,
            async ({ skip, count }) => suites.slice(skip, skip + count),
            async () => suites.length,
          )) as never,
      },
      connectionOf(TestSuiteSummary) as never,
    ),
  }),
});

async function reportOf({ id, projectId }: PipelineRecord, context: Context): Promise<Report> {
  const reported = (await readsJobsIn(context, projectId)) ? await lists(context, id, null) : [];
  const suites = reported.map(({ jobId, name, problem, cases: read }): Suite => {
    const cases = read as readonly TestCase[];
    return { jobId, name, suiteError: problem, cases, ...countsOf(cases) };
  });
  const sum = (key: keyof Counts) => suites.reduce((total, suite) => total + suite[key], 0);
  return {
    suites,
    totalTime: sum('totalTime'),
    totalCount: sum('totalCount'),
    successCount: sum('successCount'),
    failedCount: sum('failedCount'),
    skippedCount: sum('skippedCount'),
    errorCount: sum('errorCount'),
  };
}

builder.objectFields(Pipeline, (t) => ({
  testReport: t.field({
    type: TestReport,
    description: 'The tests that its jobs reported; empty if there are none.',
    resolve: (pipeline, _args, context) => reportOf(pipeline, context),
  }),
  testSuite: t.field({
    type: TestSuite,
    nullable: true,
    description: 'The tests that some of its jobs reported, together; null if they reported none.',
    args: { buildIds: t.arg.idList({ required: true, description: 'The numbers of the jobs, or their global ids.' }) },
    resolve: async (pipeline, { buildIds }, context) => {
      const jobs = new Set(buildIds.map((id) => numberIn(String(id))));
      const [first, ...rest] = (await reportOf(pipeline, context)).suites.filter(({ jobId }) => jobs.has(jobId));
      if (!first || rest.length === 0) return first ?? null;
      const cases = [first, ...rest].flatMap((suite) => suite.cases);
      const suiteError = [first, ...rest].map((suite) => suite.suiteError).find((error) => error !== null) ?? null;
      return { ...first, suiteError, cases, ...countsOf(cases) };
    },
  }),
  testReportSummary: t.field({
    type: TestReportSummary,
    description: 'How many tests its jobs reported.',
    resolve: (pipeline, _args, context) => reportOf(pipeline, context),
  }),
}));
