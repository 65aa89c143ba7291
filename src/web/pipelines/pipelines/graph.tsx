import { toneOf, type ShownStatus } from './status.tsx';

/** A pipeline as a picture: a column for each stage, its jobs below each other, and lines to the jobs that a job needs. */

export interface DrawnJob {
  readonly name: string;
  /** Whether a script reported it: then it has no page. */
  readonly external: boolean;
  readonly webPath: string;
  readonly detailedStatus: ShownStatus;
  readonly needs: { readonly nodes: readonly { readonly name: string }[] };
}

export interface DrawnStage {
  readonly name: string;
  readonly jobs: { readonly nodes: readonly DrawnJob[] };
}

/** Sizes in pixels. */
const box = { width: 208, height: 32 } as const;
const gap = { across: 56, down: 10 } as const;
const head = 34;
const edge = 2;

/** So many letters fit into a box. */
const letters = 22;
const short = (name: string) => {
  const all = [...name];
  return all.length > letters ? `${all.slice(0, letters - 1).join('')}…` : name;
};

/** What stands for a status, so that colour isn’t their only difference. */
const signs: { readonly [group: string]: string } = {
  success: '✓',
  'success-with-warnings': '!',
  failed: '✕',
  running: '●',
  pending: '○',
  canceled: '⊘',
  skipped: '»',
  manual: '▷',
  scheduled: '◷',
};

interface Placed {
  readonly job: DrawnJob;
  readonly x: number;
  readonly y: number;
}

const left = (column: number) => edge + column * (box.width + gap.across);

function place(stages: readonly DrawnStage[]): Placed[] {
  return stages.flatMap(({ jobs }, column) =>
    jobs.nodes.map((job, row) => ({ job, x: left(column), y: head + row * (box.height + gap.down) })),
  );
}

/** A curve from the right side of a box to the left side of another one. */
function curve(from: Placed, to: Placed): string {
  const [x1, y1] = [from.x + box.width, from.y + box.height / 2];
  const [x2, y2] = [to.x, to.y + box.height / 2];
  // Within a stage it leaves the column and comes back.
  const bend = x2 > x1 ? (x2 - x1) / 2 : gap.across / 2;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/**
 * The picture. It is hidden from screen readers, and the keyboard only scrolls it: the list of jobs that follows says the same.
 */
export function PipelineGraph({ stages }: { readonly stages: readonly DrawnStage[] }) {
  const placed = place(stages);
  const byName = new Map(placed.map((one) => [one.job.name, one]));
  const width = left(stages.length) - gap.across + edge;
  const height = Math.max(...placed.map(({ y }) => y)) + box.height + edge;
  const lines = placed.flatMap((to) =>
    to.job.needs.nodes.flatMap(({ name }) => {
      const from = byName.get(name);
      return from ? [curve(from, to)] : [];
    }),
  );
  return (
    <div class="pipeline-graph" tabIndex={0} role="region" aria-label="Stages as a picture">
      <svg aria-hidden="true" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {stages.map(({ name }, column) => (
          <>
            <text class="stage" x={left(column)} y={18}>
              {short(name)}
            </text>
            {column > 0 && <path class="order" d={`M${left(column) - gap.across + 8} 14h${gap.across - 16}`} />}
          </>
        ))}
        <g>
          {lines.map((d) => (
            <path class="need" d={d} />
          ))}
        </g>
        {placed.map((one) =>
          one.job.external ? (
            <Box {...one} />
          ) : (
            <a href={one.job.webPath} tabindex={-1}>
              <Box {...one} />
            </a>
          ),
        )}
      </svg>
    </div>
  );
}

function Box({ job: { name, detailedStatus }, x, y }: Placed) {
  return (
    <g class={`job ${toneOf(detailedStatus) ?? 'plain'}`}>
      <title>{`${name}: ${detailedStatus.text}`}</title>
      <rect x={x} y={y} width={box.width} height={box.height} rx={6} />
      <text class="sign" x={x + 10} y={y + 21}>
        {signs[detailedStatus.group] ?? '·'}
      </text>
      <text x={x + 30} y={y + 21}>
        {short(name)}
      </text>
    </g>
  );
}
