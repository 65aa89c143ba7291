import type { Given } from '../client.ts';
import { flagIn, idIn, innerList, numberIn, textIn } from '../fields.ts';
import type { Importer, Place } from '../importer.ts';

/** What git has, and who may change it. */

/** Whether a project has something in a part that can be switched off. */
const hasCode = ({ record }: Place) => textIn(record, 'repository_access_level') !== 'disabled';

/** One after the other: git already uses what there is of the network. */
export async function importRepositories(importer: Importer): Promise<void> {
  const { progress, signal, token } = importer.options;
  const { aborted, forget } = untilAborted(signal);
  try {
    const projects = importer.projects.filter((one) => hasCode(one) && !flagIn(one.record, 'empty_repo'));
    for (const [index, { key, path, record }] of projects.entries()) {
      const given = { key, path, defaultBranch: textIn(record, 'default_branch') };
      // A fetch may take hours.
      await Promise.race([importer.write('repositories', [{ key, name: path, record: given }], { token }), aborted]);
      progress('repositories', index + 1, projects.length);
    }
  } finally {
    forget();
  }
}

/** A promise that is rejected when a signal is aborted. */
function untilAborted(signal: AbortSignal): { readonly aborted: Promise<never>; readonly forget: () => void } {
  let forget = () => undefined as void;
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    forget = () => signal.removeEventListener('abort', abort);
  });
  aborted.catch(() => undefined);
  return { aborted, forget };
}

export async function importProtectedBranches(importer: Importer): Promise<void> {
  await importer.gather(
    'protectedBranches',
    importer.projects.filter(hasCode),
    async (project) => {
      const what = 'rules of protected branches';
      const path = `/projects/${project.key}/protected_branches`;
      const rules = await importer.orMissing(what, undefined, () => importer.options.client.all(path));
      return rules?.flatMap((record) => ruleFrom(project, record) ?? importer.unreadable(what)) ?? usualRule(project);
    },
    'projects with their protected branches',
  );
}

export async function importProtectedTags(importer: Importer): Promise<void> {
  await importer.gather(
    'protectedTags',
    importer.projects.filter(hasCode),
    async (project) => {
      const what = 'rules of protected tags';
      const path = `/projects/${project.key}/protected_tags`;
      const rules = await importer.orMissing(what, undefined, () => importer.options.client.all(path));
      return (rules ?? []).flatMap((record) => tagRuleFrom(project, record) ?? importer.unreadable(what));
    },
    'projects with their protected tags',
  );
}

function tagRuleFrom({ key: projectKey, path }: Place, record: Given) {
  const name = textIn(record, 'name');
  if (name === undefined) return undefined;
  const key = `project/${projectKey}/${name}`;
  return {
    key,
    name: `${path}, ${name}`,
    record: { key, projectKey, name, create: levelsIn(record, 'create_access_levels') },
  };
}

function ruleFrom({ key: projectKey, path }: Place, record: Given) {
  const name = textIn(record, 'name');
  if (name === undefined) return undefined;
  const key = `project/${projectKey}/${name}`;
  const push = levelsIn(record, 'push_access_levels');
  const merge = levelsIn(record, 'merge_access_levels');
  const allowForcePush = flagIn(record, 'allow_force_push');
  return {
    key,
    name: `${path}, ${name}`,
    record: { key, projectKey, id: idIn(record), name, push, merge, allowForcePush },
  };
}

/** Without a list, the default branch is protected as that of a new project: no one gets rights by an import. */
function usualRule(project: Place) {
  const name = textIn(project.record, 'default_branch');
  const maintainers = [{ access_level: 40 }];
  const rule = { name, push_access_levels: maintainers, merge_access_levels: maintainers };
  return [ruleFrom(project, rule) ?? []].flat();
}

/** The roles of a rule; -1 for a person or group. */
const levelsIn = (record: Given, name: string): readonly number[] =>
  innerList(record, name).map((level) => {
    const isRole = level.user_id == null && level.group_id == null && level.deploy_key_id == null;
    return isRole ? (numberIn(level, 'access_level') ?? -1) : -1;
  });
