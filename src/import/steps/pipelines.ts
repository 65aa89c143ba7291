import { flagIn, idIn, idOf, textIn, timeIn } from '../fields.ts';
import type { Importer } from '../importer.ts';

/** What pipelines need: triggers and variables. Pipelines themselves stay where they ran. */

const hasPipelines = ({ record }: Importer['projects'][number]) =>
  textIn(record, 'builds_access_level') !== 'disabled' && record.jobs_enabled !== false;

export async function importTriggers(importer: Importer): Promise<void> {
  await importer.each(
    importer.projects.filter(hasPipelines),
    ({ key: projectKey, path }) =>
      importer.copy('triggers', 'triggers of pipelines', [`/projects/${projectKey}/triggers`], (record) => {
        const key = idIn(record);
        const ownerKey = idOf(record, 'owner');
        const createdAt = timeIn(record, 'created_at');
        if (key === undefined || ownerKey === undefined || createdAt === undefined) return undefined;
        const description = textIn(record, 'description') ?? '';
        const name = `${path}, ${description || key}`;
        return { key, name, record: { key, projectKey, ownerKey, description, createdAt } };
      }),
    'triggers of pipelines',
  );
}

export async function importVariables(importer: Importer): Promise<void> {
  await importVariablesOf(importer, 'group');
  await importVariablesOf(importer, 'project');
}

async function importVariablesOf(importer: Importer, scope: 'group' | 'project'): Promise<void> {
  const places = scope === 'group' ? importer.groups : importer.projects.filter(hasPipelines);
  await importer.each(
    places,
    ({ key: placeKey, path }) =>
      importer.copy('variables', 'variables of pipelines', [`/${scope}s/${placeKey}/variables`], (record) => {
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
      }),
    `variables of pipelines of ${scope}s`,
  );
}
