import type { PlannedArtifacts } from '../../plan.ts';
import { isMapping } from '../yaml/values.ts';
import type { Fields } from './fields.ts';

const keys = new Set([
  'name',
  'paths',
  'exclude',
  'untracked',
  'when',
  'expire_in',
  'expose_as',
  'public',
  'access',
  'reports',
]);
const whens = ['on_success', 'on_failure', 'always'] as const;
const accesses = ['all', 'developer', 'none'] as const;

/** Kinds of reports: those that are read, and those that are stored for downloads alone. */
const readReports = new Set(['junit', 'dotenv']);
const storedReports = new Set([
  'accessibility',
  'annotations',
  'api_fuzzing',
  'browser_performance',
  'cluster_image_scanning',
  'codequality',
  'container_scanning',
  'coverage_fuzzing',
  'coverage_report',
  'cyclonedx',
  'dast',
  'dependency_scanning',
  'license_scanning',
  'load_performance',
  'lsif',
  'metrics',
  'performance',
  'repository_xray',
  'requirements',
  'requirements_v2',
  'sast',
  'secret_detection',
  'terraform',
]);
const reportKeys = new Set([...readReports, ...storedReports]);

function readPaths(fields: Fields, key: string): readonly string[] {
  const value = fields.get(key);
  if (typeof value === 'string') return [value];
  if (isMapping(value)) return [];
  return fields.strings(key) ?? [];
}

/** What a report on coverage may be written in: runners send it as a report of that kind. */
const coverageFormats = ['cobertura', 'jacoco'] as const;

/** The format and the path of a report on coverage. */
function readCoverageReport(reports: Fields): readonly [format: string, paths: readonly string[]] | undefined {
  const fields = reports.inner('coverage_report');
  if (!fields) return undefined;
  fields.allow(new Set(['coverage_format', 'path']));
  const format = fields.has('coverage_format')
    ? fields.oneOf('coverage_format', coverageFormats)
    : fields.refuse('coverage_format', "can't be blank");
  const path = fields.string('path') || fields.refuse('path', "can't be blank");
  return format && path ? [format, [path]] : undefined;
}

function readReportsOf(artifacts: Fields): Record<string, readonly string[]> {
  const fields = artifacts.inner('reports');
  if (!fields) return {};
  fields.allow(reportKeys);
  const reports: [string, readonly string[]][] = [];
  for (const key of fields.mapping.entries.keys()) {
    if (!reportKeys.has(key)) continue;
    const [kind, paths] =
      key === 'coverage_report' ? (readCoverageReport(fields) ?? [key, []]) : [key, readPaths(fields, key)];
    if (storedReports.has(key)) fields.report.warn(`${fields.where}:${key} has no effect here`, fields.placeOf(key));
    if (paths.length > 0) reports.push([kind, paths]);
  }
  return Object.fromEntries(reports);
}

export function readArtifacts(job: Fields): PlannedArtifacts | undefined {
  const fields = job.inner('artifacts');
  if (!fields) return undefined;
  fields.allow(keys);
  const expireIn = fields.get('expire_in') === 'never' ? 'never' : fields.duration('expire_in');
  const exposeAs = fields.string('expose_as');
  if (exposeAs !== undefined && !/^[\w\- ]{1,100}$/.test(exposeAs))
    fields.refuse('expose_as', "can contain only letters, digits, '-', '_' and spaces");
  const paths = fields.strings('paths');
  if (exposeAs !== undefined && !paths?.length) fields.refuse('paths', "can't be blank");
  const name = fields.string('name');
  const access = fields.oneOf('access', accesses);
  return {
    ...(name !== undefined && { name }),
    paths: paths ?? [],
    exclude: fields.strings('exclude') ?? [],
    untracked: fields.boolean('untracked') ?? false,
    when: fields.oneOf('when', whens) ?? 'on_success',
    ...(expireIn !== undefined && { expireIn }),
    ...(exposeAs !== undefined && { exposeAs }),
    public: fields.boolean('public') ?? (access === undefined || access === 'all'),
    reports: readReportsOf(fields),
  };
}
