import type { Context } from '../../../context.ts';
import { PlainBadRequest } from '../../../errors.ts';
import { splitCommands, type Command } from '../../../markdown/commands.ts';
import { writeCode } from '../../../policy/index.ts';
import { maxCommands, type QuickActions } from '../../planning/quick-actions/plan.ts';
import { textOf } from '../../planning/quick-actions/table.ts';
import { createTag } from '../tags/create.ts';
import { mayOnCommit } from './look-up.ts';
import type { CommitRecord } from './types.ts';

/** Commands in comments on commits: `/tag v1.0 The first release`, the only one that GitLab has there. */

/** A comment after its commands were carried out. */
interface Commanded {
  /** The text without its commands. */
  readonly text: string;
  /** Null if it has none. */
  readonly actions: QuickActions | null;
}

/** Carries out the commands of a comment, with the rights of the viewer. A tag that can't be made is left out. */
export async function carryOutOn(context: Context, commit: CommitRecord, given: string): Promise<Commanded> {
  const { text, commands: all } = splitCommands(given, (name) => name === 'tag', textOf);
  if (all.length === 0) return { text, actions: null };
  const allowed = mayOnCommit(context, commit, writeCode);
  const made: Tagged[] = [];
  // One after the other: they may have the same name.
  if (allowed) for (const command of all.slice(0, maxCommands)) made.push(...(await tagged(context, commit, command)));
  return {
    text,
    actions: {
      names: ['tag'],
      messages: made.map(({ message }) => message),
      changes: made.at(-1)?.changes ?? {},
      only: text.trim() === '',
      allowed,
    },
  };
}

interface Tagged {
  /** What was done, in words. */
  readonly message: string;
  readonly changes: { readonly tag_name: string; readonly tag_message: string | null };
}

const argument = /^(?<name>\S+)(?:\s+(?<message>.+))?$/;

/** Makes the tag that a command names. Empty: it can't be made. */
async function tagged(context: Context, { id, repository }: CommitRecord, command: Command): Promise<Tagged[]> {
  const { name, message = null } = argument.exec(command.argument)?.groups ?? {};
  if (name === undefined) return [];
  try {
    await createTag(context, repository, { name, commit: async () => id, message });
  } catch (error) {
    if (error instanceof PlainBadRequest) return [];
    throw error;
  }
  const says = message === null ? '' : ` with "${message}"`;
  return [{ message: `Tagged this commit to ${name}${says}.`, changes: { tag_name: name, tag_message: message } }];
}
