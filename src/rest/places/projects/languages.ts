import type { Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

interface LanguagesData {
  readonly project: { readonly languages: readonly { readonly name: string; readonly share: number }[] | null };
}

const Languages: Record<LanguagesData> = {
  name: 'Languages',
  schema: {
    type: 'object',
    description: 'Shares in per cent by language.',
    additionalProperties: { type: 'number' },
  },
  present: ({ project }) => Object.fromEntries((project.languages ?? []).map(({ name, share }) => [name, share])),
};

export const languageRoute: AnyRoute = route<LanguagesData>({
  method: 'GET',
  path: '/api/v4/projects/:id/languages',
  summary: 'Get the programming languages of a project with their shares',
  tag: 'Projects',
  parameters: [],
  operation: 'query ($id: ID!) { project(fullPath: $id) { languages { name share } } }',
  variables: ({ id }) => ({ id }),
  subject: 'Project',
  record: Languages,
  dialect: 'version 4',
});
