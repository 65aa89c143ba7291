import type { Given } from '../client.ts';
import { flagIn, idIn, idOf, textIn, timeIn } from '../fields.ts';
import type { Importer } from '../importer.ts';

/** What pipelines need: triggers and variables. Pipelines themselves stay where they ran. */

const hasPipelines = ({ record }: Importer['projects'][number]) =>
  textIn(record, 'builds_access_level') !== 'disabled' && record.jobs_enabled !== false;

export async function importTriggers(importer: Importer): Promise<void> {
  await importer.gather(
    'triggers',
    importer.projects.filter(hasPipelines),
    async ({ key: projectKey, path }) => {
      const listed = await importer.orMissing('triggers of pipelines', [], () =>
        importer.options.client.all(`/projects/${projectKey}/triggers`),
      );
      return listed.flatMap((record) => {
        const key = idIn(record);
        const ownerKey = idOf(record, 'owner');
        const createdAt = timeIn(record, 'created_at');
        if (key === undefined || ownerKey === undefined || createdAt === undefined)
          return importer.unreadable('triggers');
        const description = textIn(record, 'description') ?? '';
        const name = `${path}, ${description || key}`;
        return [{ key, name, record: { key, projectKey, ownerKey, description, createdAt } }];
      });
    },
    'projects with their triggers',
  );
}

export async function importVariables(importer: Importer): Promise<void> {
  await importVariablesOf(importer, 'group');
  await importVariablesOf(importer, 'project');
}

async function importVariablesOf(importer: Importer, scope: 'group' | 'project'): Promise<void> {
  const places = scope === 'group' ? importer.groups : importer.projects.filter(hasPipelines);
  await importer.gather(
    'variables',
    places,
    async ({ key: placeKey, path }) => {
      const listed = await importer.orMissing('variables of pipelines', [], () =>
        importer.options.client.all(`/${scope}s/${placeKey}/variables`),
      );
      return listed.flatMap(
        (record) => variableFrom(record, { scope, placeKey, path }) ?? importer.unreadable('variables'),
      );
    },
    `${scope}s with their variables`,
  );
}

interface Scope {
  readonly scope: 'group' | 'project';
  readonly placeKey: string;
  readonly path: string;
}

function variableFrom(record: Given, { scope, placeKey, path }: Scope) {
  const name = textIn(record, 'key');
  if (name === undefined) return undefined;
  const environmentScope = textIn(record, 'environment_scope') ?? '*';
  const key = `${scope}/${placeKey}/${environmentScope}/${name}`;
  const given = {
    key,
    scope,
    placeKey,
    name,
    value: flagIn(record, 'hidden') ? undefined : textIn(record, 'value'),
    variableType: textIn(record, 'variable_type') === 'file' ? 'FILE' : 'ENV_VAR',
    protected: flagIn(record, 'protected'),
    masked: flagIn(record, 'masked'),
    raw: flagIn(record, 'raw'),
    environmentScope,
    description: textIn(record, 'description'),
  };
  return { key, name: `${path}, ${name}`, record: given };
}
