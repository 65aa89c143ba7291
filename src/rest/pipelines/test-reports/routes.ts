import { objectSchema, recordOf, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

/** The tests that the jobs of a pipeline reported. */

interface Counts {
  readonly totalTime: number;
  readonly totalCount: number;
  readonly successCount: number;
  readonly failedCount: number;
  readonly skippedCount: number;
  readonly errorCount: number;
}

interface Suite extends Counts {
  readonly name: string;
  readonly suiteError: string | null;
  readonly cases?: readonly {
    readonly status: string;
    readonly name: string;
    readonly classname: string;
    readonly file: string | null;
    readonly executionTime: number;
    readonly output: string | null;
  }[];
}

interface Report extends Counts {
  readonly testSuites: readonly Suite[];
}

const counts = 'totalTime totalCount successCount failedCount skippedCount errorCount';

const wireCounts = (of: Counts) => ({
  total_time: of.totalTime,
  total_count: of.totalCount,
  success_count: of.successCount,
  failed_count: of.failedCount,
  skipped_count: of.skippedCount,
  error_count: of.errorCount,
});

const TestReport: Record<Report> = {
  name: 'TestReport',
  schema: objectSchema({
    total_time: { type: 'number' },
    total_count: { type: 'integer' },
    success_count: { type: 'integer' },
    failed_count: { type: 'integer' },
    skipped_count: { type: 'integer' },
    error_count: { type: 'integer' },
    test_suites: { type: 'array', items: { type: 'object' } },
  }),
  present: (report) => ({
    ...wireCounts(report),
    test_suites: report.testSuites.map((suite) => ({
      name: suite.name,
      ...wireCounts(suite),
      suite_error: suite.suiteError,
      test_cases: suite.cases!.map((one) => ({
        status: one.status,
        name: one.name,
        classname: one.classname,
        file: one.file,
        execution_time: one.executionTime,
        system_output: one.output,
        stack_trace: null,
        recent_failures: null,
        attachment_url: null,
      })),
    })),
  }),
};

const TestReportSummary: Record<Report> = {
  name: 'TestReportSummary',
  schema: objectSchema({
    total: { type: 'object' },
    test_suites: { type: 'array', items: { type: 'object' } },
  }),
  present: (report) => ({
    total: {
      time: report.totalTime,
      count: report.totalCount,
      success: report.successCount,
      failed: report.failedCount,
      skipped: report.skippedCount,
      error: report.errorCount,
      suite_error: null,
    },
    test_suites: report.testSuites.map((suite) => ({
      name: suite.name,
      ...wireCounts(suite),
      suite_error: suite.suiteError,
    })),
  }),
};

interface Data {
  readonly pipeline: { readonly testReport: Report };
}

const reportRoute = (path: string, summary: string, selection: string, record: Record<Report>) =>
  route<Data>({
    method: 'GET',
    path: `/api/v4/projects/:id/pipelines/:pipeline_id/${path}`,
    summary,
    tag: 'Pipelines',
    parameters: [{ name: 'pipeline_id', type: 'integer', required: true, description: 'Its number.' }],
    operation: `query ($project: ID!, $id: CiPipelineID!) {
      pipeline(project: $project, id: $id) { testReport { ${counts} testSuites { name suiteError ${counts} ${selection} } } }
    }`,
    variables: ({ id, pipeline_id: pipeline }) => ({ project: id, id: pipeline }),
    missing: { Pipeline: '404 Not found' },
    record: recordOf(record, ({ pipeline }) => pipeline.testReport),
    refusals: [404],
    dialect: 'version 4',
  });

export const testReportRoutes: readonly AnyRoute[] = [
  reportRoute('test_report', 'Get the tests that a pipeline reported', 'cases', TestReport),
  reportRoute('test_report_summary', 'Count the tests that a pipeline reported', '', TestReportSummary),
];
