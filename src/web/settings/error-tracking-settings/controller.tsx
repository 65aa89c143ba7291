import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../../context.ts';
import { Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { errorTrackingPath } from '../../places/place/place.ts';
import type { PlaceRoute } from '../../places/place/route.ts';
import { ErrorTracking, type ErrorTrackingDraft, type ErrorTrackingSettings } from './view.tsx';

/** The page of a project's error tracking settings, and how the page of the project reads them. */
export function errorTrackingPages(schema: GraphQLSchema) {
  const read = compileOperation<{ errorTrackingSettings: ErrorTrackingSettings }>(
    schema,
    'query ($project: ID!) { errorTrackingSettings(project: $project) { active apiUrl projectName trackerExternalUrl } }',
  );
  const configure = compileOperation<object>(
    schema,
    'mutation ($input: ConfigureErrorTrackingInput!) { configureErrorTracking(input: $input) { errorTrackingSettings { active } } }',
  );

  /** Null while nothing is configured. @throws NotFound, Forbidden, Unauthenticated */
  async function tracked(context: Context, project: string): Promise<ErrorTrackingSettings | null> {
    try {
      return (await read.execute(context, { project })).errorTrackingSettings;
    } catch (problem) {
      if (problem instanceof NotFound && problem.subject === 'Error Tracking Setting') return null;
      throw problem;
    }
  }

  /** Undefined for viewers who may not see it. */
  async function trackedForMaintainers(
    { context, site }: Visit,
    project: string,
  ): Promise<ErrorTrackingSettings | null | undefined> {
    if (!site.visitor) return undefined;
    try {
      return await tracked(context, project);
    } catch (problem) {
      if (problem instanceof Forbidden) return undefined;
      throw problem;
    }
  }

  const page: PlaceRoute = {
    of: 'project',
    path: '/settings/error_tracking',
    name: 'error tracking',
    forPeople: true,
    async get(visit, project) {
      return toAnswer(
        <ErrorTracking site={visit.site} project={project} tracked={await tracked(visit.context, project.fullPath)} />,
      );
    },
    async post(visit, project, form) {
      const { site, context } = visit;
      const before = await tracked(context, project.fullPath);
      const draft: ErrorTrackingDraft = {
        active: form.active === 'on',
        apiUrl: form.api_url?.trim() ?? '',
        projectName: form.project_name?.trim() ?? '',
      };
      // Don't send an unchanged name: if it was derived from the API URL, it then follows the new URL.
      const named = draft.projectName !== (form['was.project_name'] ?? '').trim() && {
        projectName: draft.projectName,
      };
      try {
        await configure.execute(context, {
          input: { project: project.fullPath, active: draft.active, apiUrl: draft.apiUrl, ...named },
        });
      } catch (problem) {
        if (!(problem instanceof InvalidFields)) throw problem;
        const errors = {
          apiUrl: sentences('The API URL', problem.fields.apiUrl),
          projectName: sentences('The name', problem.fields.projectName),
        };
        return toAnswer(
          <ErrorTracking site={site} project={project} tracked={before} draft={draft} errors={errors} />,
          422,
        );
      }
      return seeOtherSaying(
        draft.active ? 'error_tracking_on' : 'error_tracking_off',
        errorTrackingPath(project.fullPath),
        visit,
      );
    },
  };
  return { page, trackedForMaintainers };
}
