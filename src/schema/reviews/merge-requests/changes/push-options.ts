/** The options of a push that are about merge requests: `git push -o merge_request.create`. */

/** What options ask for. */
export interface AskedByPush {
  readonly creates: boolean;
  readonly target: string | undefined;
  /** Full path. */
  readonly targetProject: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly draft: boolean;
  readonly removesSource: boolean;
  readonly squash: boolean;
  /** Whether it is merged by itself, once its pipeline succeeds. */
  readonly mergesItself: boolean;
  /** The rest, as commands of a description. */
  readonly commands: readonly string[];
}

/** Options without a value, and those with one. */
const flags = [
  'create',
  'draft',
  'remove_source_branch',
  'squash',
  'auto_merge',
  'merge_when_pipeline_succeeds',
] as const;
const texts = ['target', 'target_project', 'title', 'description'] as const;
const quoted = (sign: string) => (value: string) => `${sign}"${value.replaceAll('"', '')}"`;
const person = (value: string) => `@${value.replace(/^@/, '')}`;
const commands = {
  label: quoted('~'),
  unlabel: quoted('~'),
  milestone: quoted('%'),
  assign: person,
  unassign: person,
} as const;

const prefix = 'merge_request.';
const isOne = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

/**
 * Reads the options of a push.
 * @returns what they ask for, undefined if none is about merge requests; and those that no one knows
 */
export function readPushOptions(options: readonly string[]): {
  readonly asked: AskedByPush | undefined;
  readonly unknown: readonly string[];
} {
  const given = new Map<string, string>();
  const lines: string[] = [];
  const unknown: string[] = [];
  const ours = options.filter((option) => option.startsWith(prefix));
  for (const option of ours) {
    const [, name, value] = /^([^=]*)=?(.*)$/s.exec(option.slice(prefix.length)) as unknown as [string, string, string];
    if (isOne(flags, name) || (isOne(texts, name) && value !== '')) given.set(name, value);
    else if (name in commands && value !== '')
      lines.push(`/${name} ${commands[name as keyof typeof commands](value.replaceAll(/\s+/g, ' '))}`);
    else unknown.push(option);
  }
  const has = (name: (typeof flags)[number]) => given.has(name) && given.get(name) !== 'false';
  const asked: AskedByPush = {
    creates: has('create'),
    target: given.get('target'),
    targetProject: given.get('target_project'),
    title: given.get('title'),
    // An option is one line: clients write the others as `\n`.
    description: given.get('description')?.replaceAll('\\n', '\n'),
    draft: has('draft'),
    removesSource: has('remove_source_branch'),
    squash: has('squash'),
    mergesItself: has('auto_merge') || has('merge_when_pipeline_succeeds'),
    commands: lines,
  };
  return { asked: ours.length > unknown.length ? asked : undefined, unknown };
}
