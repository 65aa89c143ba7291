import type { PipelineFacts, WrittenVariable } from '../../../ci/config/index.ts';
import type { Plan } from '../../../ci/plan.ts';
import { loadPlanner } from '../../../ci/planner.ts';
import { TooLarge } from '../../../git/errors.ts';
import { contentOf, findFile, readWholeTree } from '../../../git/objects/index.ts';
import type { Repository } from '../../../git/repository.ts';
import { Filtered, NoConfiguration, WrongConfiguration } from './refused.ts';

/** The configuration of pipelines, and what becomes of it at one event. */

export const usualPath = '.gitlab-ci.yml';

/** Bytes of a file beyond which it isn’t read: the planner refuses less. */
const largest = 4 * 2 ** 20;

/** A text file of a commit; null if there is none. */
export async function readText(git: Repository, commit: string, path: string): Promise<string | null> {
  const file = await findFile(git, commit, path);
  if (!file) return null;
  if (file.size > largest) throw new TooLarge('The file', largest);
  return (await contentOf(git, file)).toString('utf8');
}

/** The paths of all files of a commit. */
export const pathsOf = async (git: Repository, commit: string): Promise<string[]> =>
  ((await readWholeTree(git, commit)) ?? []).flatMap(({ type, path }) => (type === 'blob' ? path : []));

/** Whether a commit has a configuration. @param path as the project says; the usual one if empty */
export const hasConfiguration = async (git: Repository, commit: string, path: string | null): Promise<boolean> =>
  (await findFile(git, commit, path || usualPath)) !== undefined;

/**
 * The configuration of a commit.
 * @param path as the project says; the usual one if empty
 * @param event what decides which files it includes; all, if omitted
 * @throws NoConfiguration, WrongConfiguration
 */
async function configurationAt(
  git: Repository,
  commit: string,
  path: string | null,
  event: Pick<PipelineFacts, 'paths'> & { readonly facts?: PipelineFacts },
) {
  const read = (one: string) => readText(git, commit, one);
  const text = await readable(() => read(path || usualPath));
  if (text === null) throw new NoConfiguration();
  const { compileConfig } = await loadPlanner();
  const compiled = await readable(() => compileConfig(text, { readFile: read, ...event }));
  if (!('config' in compiled)) throw new WrongConfiguration(compiled.errors.map(({ message }) => message));
  return compiled.config;
}

/** The variables that the configuration of a commit offers; none without a configuration that is right. */
export async function variablesAt(
  git: Repository,
  commit: string,
  path: string | null,
): Promise<readonly WrittenVariable[]> {
  try {
    return (await configurationAt(git, commit, path, { paths: () => pathsOf(git, commit) })).offered;
  } catch (error) {
    if (error instanceof NoConfiguration || error instanceof WrongConfiguration) return [];
    throw error;
  }
}

/**
 * Plans the pipeline of a commit.
 * @param path of the configuration, as the project says; the usual one if empty
 * @throws NoConfiguration, WrongConfiguration, Filtered
 */
export async function planAt(
  git: Repository,
  commit: string,
  path: string | null,
  facts: PipelineFacts,
): Promise<Plan> {
  const { planPipeline } = await loadPlanner();
  const config = await configurationAt(git, commit, path, { paths: facts.paths, facts });
  const planned = await planPipeline(config, facts);
  if ('errors' in planned) throw new WrongConfiguration(planned.errors.map(({ message }) => message));
  if ('filtered' in planned) throw new Filtered(planned.filtered);
  return planned.plan;
}

/** @throws WrongConfiguration for a file that is too large to be read */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooLarge) throw new WrongConfiguration(['The parsed YAML is too big']);
    throw error;
  }
}
