/**
 * SQL for what a project `p` stores, in bytes, by its parts. Repositories are measured after writes; the others are added up
 * when someone asks.
 */

const sumOf = (column: string, from: string) => `coalesce((select sum(${column}) from ${from}), 0)`;

/** A file of a job, or its log. */
const ofJobs = (table: string, condition: string) =>
  sumOf(
    'file.size',
    `ci_jobs made join ${table} file on file.job_id = made.id where made.project_id = p.id${condition}`,
  );

export const sizesOfProject = {
  repository: `coalesce((select stored.size from repositories stored where stored.project_id = p.id), 0)`,
  artifacts: `(${ofJobs('ci_artifacts', ' and file.complete')} + ${ofJobs('ci_traces', '')})`,
  snippets: sumOf(
    'octet_length(file.content)',
    'snippets its join snippet_files file on file.snippet_id = its.id where its.project_id = p.id',
  ),
  uploads: sumOf('octet_length(picture.content)', 'avatars picture where picture.project_id = p.id'),
} as const;

/** All parts together. */
export const sizeOfProject = `(${Object.values(sizesOfProject).join(' + ')})`;
