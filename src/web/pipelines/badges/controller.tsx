import type { GraphQLSchema } from 'graphql';
import { render } from 'preact-render-to-string';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { filePolicy, uncached } from '../../../values/sent-files.ts';
import type { PlaceRoute } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { BadgePicture } from './badge.tsx';

/** Pictures of the last pipeline of a branch or tag: `badges/main/pipeline.svg`, `badges/main/coverage.svg`. */

interface Found {
  readonly project: {
    /** Null if the viewer doesn’t read them. */
    readonly pipelines: {
      readonly nodes: readonly { readonly status: string; readonly coverage: number | null }[];
    } | null;
  } | null;
}

interface Shown {
  readonly value: string;
  readonly colour: string;
}

const grey = '#9f9f9f';
const green = '#4c1';
const yellow = '#dfb317';
const red = '#e05d44';
const unknown: Shown = { value: 'unknown', colour: grey };

const statuses: Readonly<Record<string, Shown>> = {
  SUCCESS: { value: 'passed', colour: green },
  FAILED: { value: 'failed', colour: red },
  RUNNING: { value: 'running', colour: yellow },
  PENDING: { value: 'pending', colour: yellow },
};

const ofStatus = (status: string): Shown =>
  statuses[status] ?? { value: status.toLowerCase().replaceAll('_', ' '), colour: grey };

/** The least coverage of each colour, the best first. */
const colours = [
  [95, green],
  [90, '#a3c51c'],
  [75, yellow],
  [0, red],
] as const;

const ofCoverage = (coverage: number | null): Shown =>
  coverage === null
    ? unknown
    : { value: `${coverage.toFixed(2)}%`, colour: colours.find(([least]) => coverage >= least)?.[1] ?? grey };

/** As GitLab has them. */
const longestName = 64;
const widestName = 512;

const answerOf = (svg: string): Answer => ({
  status: 200,
  headers: { ...uncached, 'content-type': 'image/svg+xml; charset=utf-8', ...filePolicy, 'x-frame-options': 'DENY' },
  body: svg,
});

export function badgePages(schema: GraphQLSchema): PlaceRoute[] {
  const find = compileOperation<Found>(
    schema,
    `query ($path: ID!, $ref: String!, $status: PipelineStatusEnum) {
      project(fullPath: $path) { pipelines(ref: $ref, status: $status, first: 1) { nodes { status coverage } } }
    }`,
  );
  return [
    {
      path: '/badges/*',
      name: 'badge',
      of: 'project',
      async get({ context, named, exchange }, { fullPath }) {
        const { ref, kind } = /^(?<ref>.+)\/(?<kind>pipeline|coverage)\.svg$/.exec(named['*'] ?? '')?.groups ?? {};
        if (ref === undefined || kind === undefined) return null;
        // A pipeline that fails may stop before its tests have run.
        const status = kind === 'coverage' ? 'SUCCESS' : null;
        const { project } = await find.execute(context, { path: fullPath, ref, status });
        if (!project?.pipelines) return null;
        const [pipeline] = project.pipelines.nodes;
        let shown = unknown;
        if (pipeline) shown = kind === 'pipeline' ? ofStatus(pipeline.status) : ofCoverage(pipeline.coverage);
        const { key_text: name, key_width: given } = readQuery(exchange);
        const width = Number(given);
        return answerOf(
          render(
            <BadgePicture
              {...shown}
              name={name && name.length <= longestName ? name : kind}
              nameWidth={Number.isInteger(width) && width > 0 && width <= widestName ? width : undefined}
            />,
          ),
        );
      },
    },
  ];
}
