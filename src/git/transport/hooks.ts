import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { checkedObject, isRef, noObject } from '../names/refs.ts';
import type { RefChange } from '../refs/transaction.ts';

/**
 * The hooks of a push: a few lines of shell that write what git says to descriptor 3 and wait for a line from
 * descriptor 4. So they need no network, port or token, and no file of a repository decides what runs.
 */

/** A push, as the hook before anything changes sees it. */
export interface ReceivedPush {
  readonly changes: readonly RefChange[];
  /** Where the objects are until the push is accepted: `repository.within`. Undefined if none came. */
  readonly quarantine: string | undefined;
  /** `git push -o`. */
  readonly options: readonly string[];
}

/** What the gateway decides about a push. */
export interface PushPolicy {
  /**
   * Decides, before anything changes. It writes nothing: git may still fail.
   * @returns the refusal, in lines for the person who pushes; undefined to accept
   */
  accept(push: ReceivedPush): Promise<string | undefined>;
  /**
   * Git holds the locks of these references and has compared their values: record them now, and they happen. Called
   * for each reference by itself, or once with `--atomic`. What it throws makes git let go of the locks.
   */
  prepared(changes: readonly RefChange[]): Promise<void>;
  /** The changes that `prepared` recorded have happened. Git goes on meanwhile, and ends after it. */
  committed(changes: readonly RefChange[]): Promise<void>;
  /** They have not. */
  aborted?(changes: readonly RefChange[]): Promise<void>;
  /** @returns lines for the person who pushes, after the changes */
  farewell?(): Promise<string | undefined>;
}

const ask = `# The answer: a line that begins with + or -; then lines for the person, until a single dot.
IFS= read -r answer <&4 || exit 1
while IFS= read -r line <&4; do
  [ "$line" = . ] && break
  printf '%s\\n' "$line" >&2
done
[ "$answer" = + ]
`;

const scripts: Readonly<Record<string, string>> = {
  'pre-receive': `#!/bin/sh
{
  echo pre-receive
  echo "\${GIT_QUARANTINE_PATH##*/}"
  count=\${GIT_PUSH_OPTION_COUNT:-0}
  index=0
  while [ "$index" -lt "$count" ]; do
    eval "option=\\$GIT_PUSH_OPTION_$index"
    printf '=%s\\n' "$option" | tr '\\n' ' '
    echo
    index=$((index + 1))
  done
  cat
  echo .
} >&3
${ask}`,
  'reference-transaction': `#!/bin/sh
{
  echo "$1"
  cat
  echo .
} >&3
# What has happened needs no answer; the next hook is answered after it.
[ "$1" = committed ] && exit
${ask}`,
  'post-receive': `#!/bin/sh
{
  echo post-receive
  echo .
} >&3
${ask}`,
};

/** Writes the hooks. @param folder private to this process */
export async function writeHooks(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, script] of Object.entries(scripts)) await writeFile(join(folder, name), script, { mode: 0o700 });
}

const changeLine = /^(?<old>[0-9a-f]{40}) (?<new>[0-9a-f]{40}) (?<ref>refs\/\S+)$/;

/** The changes that lines of a hook name; symbolic and pseudo references are left out. */
function changesOf(lines: readonly string[]): RefChange[] {
  return lines.flatMap((line) => {
    const found = changeLine.exec(line)?.groups;
    if (!found || !isRef(found.ref!) || (found.old === noObject && found.new === noObject)) return [];
    const value = (id: string) => (id === noObject ? undefined : checkedObject(id));
    return [{ ref: found.ref!, old: value(found.old!), new: value(found.new!) }];
  });
}

/** Bytes that a hook may send at most: its references, and long options. */
const longest = 2 ** 20;

/**
 * Answers the hooks of one push until git ends.
 * @param socket the hooks' descriptors 3 and 4
 * @param report receives what a policy threw
 */
export function answerHooks(
  socket: Socket,
  policy: PushPolicy,
  { mostRefs, report }: { mostRefs: number; report: (error: unknown) => void },
): void {
  let text = '';
  let flooded = false;
  let working = Promise.resolve();
  const decide = deciderOf(policy, mostRefs);
  const work = async (said: string | undefined) => {
    const [name, ...lines] = said?.split('\n').slice(0, -1) ?? [];
    const answer = await (said === undefined ? tooMany(mostRefs, 'more') : decide(name, lines).catch(failed(name)));
    // The hook doesn't wait for that.
    if (name !== 'committed') send(socket, answer);
  };
  const failed = (name: string | undefined) => (error: unknown) => {
    report(error);
    const message = name === 'pre-receive' ? 'The push could not be checked. Try again later.' : undefined;
    return { accepted: false, message };
  };
  socket.setEncoding('utf8').on('data', (chunk: unknown) => {
    text += chunk as string;
    for (let end = text.indexOf('\n.\n'); end >= 0; end = text.indexOf('\n.\n')) {
      const said = flooded ? undefined : text.slice(0, end + 1);
      flooded = false;
      text = text.slice(end + 3);
      working = working.then(() => work(said));
    }
    // Only its end is still waited for: the hook gets no answer before it has sent everything.
    flooded ||= text.length > longest;
    if (flooded) text = text.slice(-2);
  });
  socket.on('error', () => undefined);
  socket.on('end', () => socket.destroy());
}

/** What a hook is answered. A message of one that is accepted is shown, too. */
interface HookAnswer {
  readonly accepted: boolean;
  readonly message?: string | undefined;
}

const tooMany = (mostRefs: number, count: number | 'more'): HookAnswer => ({
  accepted: false,
  message: `A push may change ${mostRefs} references, this one changes ${count}.`,
});

function send(socket: Socket, { accepted, message = '' }: HookAnswer): void {
  const lines = message.split(/\r?\n/).filter((line) => line !== '' && line !== '.');
  if (socket.writable) socket.write(`${accepted ? '+' : '-'}\n${lines.map((line) => `${line}\n`).join('')}.\n`);
}

/** Decides about the hooks of one push, in the order in which git runs them. */
function deciderOf(policy: PushPolicy, mostRefs: number) {
  // The values before, by reference: git leaves them out where it had none to compare.
  const known = new Map<string, RefChange>();
  return async (name: string | undefined, lines: readonly string[]): Promise<HookAnswer> => {
    if (name === 'pre-receive') {
      const push = pushOf(lines);
      if (push.changes.length > mostRefs) return tooMany(mostRefs, push.changes.length);
      for (const change of push.changes) known.set(change.ref, change);
      const refusal = await policy.accept(push);
      return { accepted: refusal === undefined, message: refusal };
    }
    if (name === 'post-receive') return { accepted: true, message: await policy.farewell?.() };
    // The states of a transaction of references. Git has others, which change nothing.
    const changes = changesOf(lines).map((change) => known.get(change.ref) ?? change);
    const isKnown = name === 'prepared' || name === 'committed' || name === 'aborted';
    if (isKnown && changes.length > 0) await policy[name]?.(changes);
    return { accepted: true };
  };
}

function pushOf([quarantine, ...lines]: readonly string[]): ReceivedPush {
  return {
    quarantine: quarantine || undefined,
    options: lines.filter((line) => line.startsWith('=')).map((line) => line.slice(1).trimEnd()),
    changes: changesOf(lines.filter((line) => !line.startsWith('='))),
  };
}
