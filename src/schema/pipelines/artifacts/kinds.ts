import { BadRequest } from '../../../errors.ts';
import type { ArtifactRow } from './statements.ts';

/** The kinds of files that a runner sends, with the formats that each may have, and its name when it is downloaded. */

type Format = ArtifactRow['format'];

interface Kind {
  readonly formats: readonly Format[];
  /** Its name without the endings of compression. */
  readonly filename: string;
}

const report = (filename: string): Kind => ({ formats: ['gzip'], filename });

const kinds: Readonly<Record<string, Kind>> = {
  archive: { formats: ['zip'], filename: 'artifacts' },
  metadata: { formats: ['gzip'], filename: 'metadata' },
  junit: report('junit.xml'),
  dotenv: report('.env'),
  cobertura: report('cobertura-coverage.xml'),
  jacoco: report('jacoco-coverage.xml'),
  coverage_report: report('coverage.xml'),
  codequality: { formats: ['raw', 'gzip'], filename: 'gl-code-quality-report.json' },
  sast: { formats: ['raw', 'gzip'], filename: 'gl-sast-report.json' },
  secret_detection: { formats: ['raw', 'gzip'], filename: 'gl-secret-detection-report.json' },
  dependency_scanning: { formats: ['raw', 'gzip'], filename: 'gl-dependency-scanning-report.json' },
  container_scanning: { formats: ['raw', 'gzip'], filename: 'gl-container-scanning-report.json' },
  cluster_image_scanning: { formats: ['raw', 'gzip'], filename: 'gl-cluster-image-scanning-report.json' },
  dast: { formats: ['raw', 'gzip'], filename: 'gl-dast-report.json' },
  license_scanning: { formats: ['raw', 'gzip'], filename: 'gl-license-scanning-report.json' },
  performance: { formats: ['raw', 'gzip'], filename: 'performance.json' },
  browser_performance: { formats: ['raw', 'gzip'], filename: 'browser-performance.json' },
  load_performance: { formats: ['raw', 'gzip'], filename: 'load-performance.json' },
  metrics: report('metrics.txt'),
  metrics_referee: report('metrics_referee'),
  network_referee: report('network_referee'),
  lsif: { formats: ['zip'], filename: 'lsif.json' },
  terraform: { formats: ['raw', 'gzip'], filename: 'tfplan.json' },
  requirements: { formats: ['raw', 'gzip'], filename: 'requirements.json' },
  requirements_v2: { formats: ['raw', 'gzip'], filename: 'requirements_v2.json' },
  repository_xray: report('gl-repository-xray.json'),
  cluster_applications: report('gl-cluster-applications.json'),
  coverage_fuzzing: { formats: ['raw', 'gzip'], filename: 'gl-coverage-fuzzing.json' },
  api_fuzzing: { formats: ['raw', 'gzip'], filename: 'gl-api-fuzzing-report.json' },
  accessibility: report('gl-accessibility.json'),
  cyclonedx: report('gl-sbom.cdx.json'),
  annotations: report('annotations.json'),
};

/** The format in which a runner is to send a report: packed, if it may be, since several files may belong to one. */
export function formatOfReport(kind: string): Format {
  const formats = Object.hasOwn(kinds, kind) ? kinds[kind]!.formats : [];
  return formats.includes('gzip') ? 'gzip' : (formats[0] ?? 'gzip');
}

const endings: Readonly<Record<Format, string>> = { zip: '.zip', gzip: '.gz', raw: '' };

/**
 * The kind, format and name of a file that a runner sends.
 * @throws BadRequest for a kind that isn’t known, or not in this format
 */
export function kindOf(
  kind = 'archive',
  format: string = kind === 'archive' ? 'zip' : kind === 'metadata' ? 'gzip' : 'raw',
): { readonly kind: string; readonly format: Format; readonly filename: string } {
  const known = Object.hasOwn(kinds, kind) ? kinds[kind]! : undefined;
  if (!known) throw new BadRequest('artifact_type does not have a valid value');
  if (!(known.formats as readonly string[]).includes(format))
    throw new BadRequest('artifact_format does not have a valid value');
  const ending = endings[format as Format];
  const filename = known.filename.endsWith(ending) ? known.filename : `${known.filename}${ending}`;
  return { kind, format: format as Format, filename };
}
