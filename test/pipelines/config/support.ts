import { compileConfig, planPipeline, type PipelineFacts } from '../../../src/ci/config/index.ts';
import type { Plan, PlannedJob } from '../../../src/ci/plan.ts';

/** Files of the commit by path. */
export type Files = Readonly<Record<string, string>>;

export const compiled = (text: string, files: Files = {}, facts?: PipelineFacts) =>
  compileConfig(text, { readFile: async (path) => files[path] ?? null, paths: async () => Object.keys(files), facts });

/** The errors of a configuration, as clients see them; empty if it is valid. */
export async function errorsOf(text: string, files: Files = {}): Promise<string[]> {
  const result = await compiled(text, files);
  return 'errors' in result ? result.errors.map(({ message }) => message) : [];
}

/** The first error with the line where it is. */
export async function firstError(text: string, files: Files = {}) {
  const result = await compiled(text, files);
  if (!('errors' in result)) throw new Error('The configuration is valid.');
  const [error] = result.errors;
  return { message: error!.message, line: error!.place?.line, file: error!.place?.file };
}

type Given = Partial<Omit<PipelineFacts, 'variables' | 'changedPaths' | 'paths'>> & {
  readonly predefined?: Readonly<Record<string, string>>;
  readonly given?: Readonly<Record<string, string>>;
  readonly changed?: readonly string[] | null;
  readonly paths?: readonly string[];
  readonly files?: Files;
};

const listed = (variables: Readonly<Record<string, string>> = {}) =>
  Object.entries(variables).map(([key, value]) => ({ key, value }));

/** What becomes of a configuration at an event; a push to `main` unless said otherwise. */
export async function planned(text: string, { predefined, given, changed, paths, files, ...facts }: Given = {}) {
  const all: PipelineFacts = {
    ref: 'main',
    tag: false,
    source: 'push',
    projectPath: 'group/app',
    ...facts,
    variables: { predefined: listed({ CI: 'true', ...predefined }), given: listed(given) },
    changedPaths: async () => changed ?? null,
    paths: async () => paths ?? [],
    contents: async (path) => files?.[path] ?? null,
  };
  const result = await compiled(text, files, all);
  if ('errors' in result) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  return planPipeline(result.config, all);
}

/** The plan, which there must be. */
export async function planOf(text: string, given?: Given): Promise<Plan> {
  const result = await planned(text, given);
  if (!('plan' in result)) throw new Error(JSON.stringify(result));
  return result.plan;
}

export const namesOf = async (text: string, given?: Given): Promise<string[]> => {
  const result = await planned(text, given);
  return 'plan' in result ? result.plan.jobs.map(({ name }) => name) : [];
};

export async function jobOf(text: string, name: string, given?: Given): Promise<PlannedJob> {
  const job = (await planOf(text, given)).jobs.find((one) => one.name === name);
  if (!job) throw new Error(`There is no job ${name}.`);
  return job;
}
