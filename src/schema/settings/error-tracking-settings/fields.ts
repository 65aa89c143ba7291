import type { Context, PrefetchFor } from '../../../context.ts';
import { configureErrorTracking, readErrorTracking, switchErrorTracking } from './statements.ts';
import { BadRequest, Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { holds, isAdministrator, manageErrorTracking, reads, writes } from '../../../policy/index.ts';
import { tooLong } from '../../../values/text/lengths.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { Project } from '../../places/place/types.ts';
import { ErrorTrackingType, toErrorTracking, type ErrorTracking } from './setting.ts';

/**
 * The project with its settings, for its maintainers (R8).
 * @throws NotFound for a hidden project, Forbidden below maintainer and where monitoring is switched off
 */
async function forMaintainer(context: Context, project: string) {
  const row = await lookUp(context, readErrorTracking, 'Project', project);
  if (!row.monitored || !holds(manageErrorTracking, context.viewer, facts(row))) throw new Forbidden();
  return row;
}

const notConfigured = () => new NotFound('Error Tracking Setting');

builder.queryField('errorTrackingSettings', (t) =>
  t.field({
    type: ErrorTrackingType,
    nullable: true,
    description: 'The error tracking settings of a project, for its maintainers.',
    admission: { class: 'token', scopes: reads },
    args: { project: t.arg.id({ required: true, description: 'Id or full path.' }) },
    prefetch: ({ project }) => prefetchPlace(readErrorTracking, 'Project', project),
    resolve: async (_root, { project }, context) => {
      const row = await forMaintainer(context, project);
      if (row.active === null) throw notConfigured();
      return toErrorTracking(row);
    },
  }),
);

/** The settings of a page of projects, read in one statement; only those of projects that the viewer maintains. */
const settingsOf = batched<ErrorTracking>(async ({ database, viewer }, ids) => {
  const rows = await database.rows(readErrorTracking.many, [ids, viewer.person?.id ?? null, []]);
  return new Map(
    rows.flatMap((row) =>
      row.active !== null && row.monitored && holds(manageErrorTracking, viewer, facts(row))
        ? [[row.id, toErrorTracking(row)]]
        : [],
    ),
  );
});

builder.objectField(Project, 'errorTrackingSettings', (t) =>
  t.field({
    type: ErrorTrackingType,
    nullable: true,
    description: 'Its error tracking settings; null if nothing is configured or you don’t maintain it.',
    resolve: async ({ id }, _args, context) => {
      const { viewer } = context;
      return viewer.person || isAdministrator(viewer) ? ((await settingsOf(context, id)) ?? null) : null;
    },
  }),
);

const payload = (t: FieldsOf<{ errorTrackingSettings: ErrorTracking }>) => ({
  errorTrackingSettings: t.expose('errorTrackingSettings', { type: ErrorTrackingType }),
});

/** The input of both mutations: a project, and whether it is tracked. */
const switchFields = (t: InputsOf) => ({
  project: t.id({ required: true, description: 'Id or full path.' }),
  active: t.boolean({ required: true }),
  integrated: t.boolean({ description: 'Integrated error tracking is not supported: `true` is refused.' }),
});

/** The prefetch of a mutation whose input names a project. @param input not validated yet */
const prefetch: PrefetchFor = ({ input }) =>
  prefetchPlace(readErrorTracking, 'Project', (input as { project?: unknown } | undefined)?.project);

mutation('updateErrorTrackingSettings', {
  description: 'Switches error tracking of a configured project on or off.',
  admission: { class: 'token', scopes: writes },
  input: switchFields,
  payload,
  prefetch,
  resolve: async (context, input) => {
    const project = await forMaintainer(context, input.project);
    refuseIntegrated(input.integrated);
    const [row] = await context.database.rows(switchErrorTracking, [project.id, input.active]);
    if (!row) throw notConfigured();
    return { errorTrackingSettings: toErrorTracking(row) };
  },
});

mutation('configureErrorTracking', {
  description: 'Configures the external error tracker of a project.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...switchFields(t),
    apiUrl: t.string({
      description:
        'http or https, without credentials, at most 255 characters. Required the first time; later, omitting it keeps the stored one.',
    }),
    projectName: t.string({
      description:
        'The project’s name in the tracker, at most 255 characters. Omitted: the stored one is kept. Null or empty: derived from the address.',
    }),
  }),
  payload,
  prefetch,
  resolve: async (context, input) => {
    const project = await forMaintainer(context, input.project);
    refuseIntegrated(input.integrated);
    const problems = {
      ...problem('apiUrl', apiUrlProblems(input.apiUrl, project.active !== null)),
      ...problem('projectName', (input.projectName?.length ?? 0) > 255 ? [tooLong(255)] : []),
    };
    if (Object.keys(problems).length > 0) throw new InvalidFields(problems);
    const [row] = await context.database.rows(configureErrorTracking, [
      project.id,
      input.active,
      input.apiUrl ?? null,
      input.projectName !== undefined,
      input.projectName || null,
    ]);
    // Only if a concurrent request removed the settings.
    if (!row) throw notConfigured();
    return { errorTrackingSettings: toErrorTracking(row) };
  },
});

function refuseIntegrated(integrated: boolean | null | undefined): void {
  if (integrated) throw new BadRequest('integrated error tracking is not offered');
}

const problem = (field: string, messages: string[]) => (messages.length > 0 ? { [field]: messages } : {});

/** Why an address of a tracker’s API is refused. @param configured whether it may be omitted */
export function apiUrlProblems(given: string | null | undefined, configured: boolean): string[] {
  if (given === undefined && configured) return [];
  if (!given) return ["can't be blank"];
  if (given.length > 255) return [tooLong(255)];
  // ASCII only: an address that imitates another one is refused.
  if (!/^[\x21-\x7e]+$/.test(given) || !URL.canParse(given)) return ['must be a valid URL'];
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return ['must be an http or https URL'];
  if (url.username || url.password) return ['must not contain a user or a password'];
  return [];
}
