// The data model of prisma/schema.prisma, in blocks: `build.mjs` makes Prisma's client of the models that operations query,
// and a second one of all models, which only the export of personal data loads.

/**
 * Models that operations query by Prisma. Each further one costs memory and time of a start: a client has a graph of
 * every filter, order and nested write of its models, whether it uses them or not. With all models that was 11 MB.
 */
const queried = new Set([
  'Instance',
  'User',
  'Email',
  'Identity',
  'SshKey',
  'PersonalAccessToken',
  'GlobalNotificationSetting',
  'Application',
  'Namespace',
  'Route',
  'FormerPath',
  'AuditEvent',
]);

/**
 * @param {string} schema the text of schema.prisma
 * @returns {Map<string, string[]>} the lines of each model, by its name
 */
export function modelsOf(schema) {
  const blocks = schema.matchAll(/^model (\w+) \{\n(.*?)^\}\n/gms);
  return new Map([...blocks].map(([, name, body]) => [name, body.trimEnd().split('\n')]));
}

/**
 * The column or relation that a line of a model declares.
 *
 * @param {string} line
 * @returns {{ name: string, type: string, from: string[] } | undefined} `from`: the columns that refer to the other table
 */
export function fieldOf(line) {
  const [, name, type] = /^ +(\w+) +(\w+)/.exec(line) ?? [];
  const [, from] = /fields: \[([^\]]+)\]/.exec(line) ?? [];
  return name && { name, type, from: from?.split(', ') ?? [] };
}

/**
 * The schema with the queried models only, and the relations between them.
 *
 * @param {string} schema
 * @returns {string}
 */
export function queriedOf(schema) {
  const models = modelsOf(schema);
  const isLeftOut = (name) => models.has(name) && !queried.has(name);
  return schema.replace(/^model (\w+) \{\n.*?^\}\n/gms, (_block, name) =>
    isLeftOut(name)
      ? ''
      : `model ${name} {\n${models
          .get(name)
          .filter((line) => !isLeftOut(fieldOf(line)?.type))
          .join('\n')}\n}\n`,
  );
}
