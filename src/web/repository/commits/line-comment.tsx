import type { ComponentChildren } from 'preact';
import { domainError } from '../../../context.ts';
import { InvalidFields } from '../../../errors.ts';
import type { HunkLine } from '../../../values/text/hunks.ts';
import type { TypedBelow } from '../../planning/notes/host.ts';
import { mistakesOf } from '../../planning/notes/mistakes.ts';
import type { CommentDraft, NotePosition } from '../../planning/notes/thread.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { Form, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import type { FileDiff, ShownDiff } from './patch.ts';

/** Comments on a line of a difference, of a merge request or of a commit: the address of the line, and the form. */

/** A line that a person comments on, as an address says it: the path of the file now, and both numbers. */
export interface ChosenLine {
  readonly file: string;
  readonly line: string;
}

/** What a person typed about a line that was refused. */
export interface LineDraft {
  readonly body: string;
  readonly errors: readonly string[];
  /** Whether there is no such line, or none anymore. */
  readonly isGone: boolean;
}

/** What a person typed on the page of a commit that was refused. */
export interface TypedOnCommit extends TypedBelow {
  readonly line?: ChosenLine & LineDraft;
}

/** A line in an address: `3-4`, both numbers or one. */
const lineName = ({ oldLine, newLine }: HunkLine): string => `${oldLine ?? ''}-${newLine ?? ''}`;

export const choiceOf = ({ newPath }: FileDiff, line: HunkLine): Record<keyof ChosenLine, string> => ({
  file: newPath,
  line: lineName(line),
});

export const isChosen = (chosen: ChosenLine, file: FileDiff, line: HunkLine): boolean =>
  file.newPath === chosen.file && lineName(line) === chosen.line;

/**
 * What was typed about a line, for the form about the whole, if no line of the page has a form for it.
 * @param files those that the page shows
 * @param reason why it isn't at its line
 */
export function aboutWhole(
  files: readonly ShownDiff[],
  { file: path, line: name, body, errors, isGone }: ChosenLine & LineDraft,
  reason: string,
): CommentDraft | undefined {
  const chosen = { file: path, line: name };
  const isShown = files.some((file) =>
    file.hunks.some(({ lines }) => lines.some((line) => isChosen(chosen, file, line))),
  );
  if (isShown && !isGone) return undefined;
  return { body, internal: false, startsThread: true, errors: [...errors, reason] };
}

/** The position that the form names, as operations take it; null if it names no line. */
export function positionIn({ file = '', line = '', ...form }: Fields) {
  const [, oldLine, newLine] = /^(\d{0,9})-(\d{0,9})$/.exec(line) ?? [];
  if (!oldLine && !newLine) return null;
  return {
    baseSha: form.base ?? '',
    headSha: form.head ?? '',
    startSha: form.start ?? '',
    paths: { oldPath: form.old_file || file, newPath: file },
    ...(oldLine && { oldLine: Number(oldLine) }),
    ...(newLine && { newLine: Number(newLine) }),
  };
}

/** Why a comment on a line was refused, in sentences, and whether there is no such line. @throws any other error */
export function lineMistakes(thrown: unknown): Pick<LineDraft, 'errors' | 'isGone'> {
  const problem = domainError(thrown) ?? thrown;
  const errors = mistakesOf(problem);
  const isGone = problem instanceof InvalidFields && Object.keys(problem.fields).some((field) => field !== 'note');
  return { errors, isGone };
}

interface LineCommentProps {
  readonly site: Site;
  readonly file: FileDiff;
  readonly line: HunkLine;
  readonly refs: NotePosition['diffRefs'];
  /** Where the form goes, with what else it says, and where its link goes. */
  readonly action: string;
  readonly carries?: Readonly<Record<string, string>>;
  readonly back: string;
  readonly draft: LineDraft | undefined;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** The form of a comment on a line, below it. */
export function LineComment({ site, file, line, refs, action, carries, back, draft, children }: LineCommentProps) {
  return (
    <div id="comment" class="line-comment">
      <Form
        csrf={site.visitor!.csrf}
        action={action}
        carries={{
          ...carries,
          ...choiceOf(file, line),
          old_file: file.oldPath,
          base: refs.baseSha,
          head: refs.headSha,
          start: refs.startSha,
        }}
      >
        <TextField
          name="body"
          label={`Comment on line ${line.newLine ?? line.oldLine} of ${file.newPath}`}
          hint="As Markdown."
          lines={4}
          value={draft?.body ?? ''}
          errors={draft?.errors}
          required
          focused
        />
        <div class="decision">
          <button class="button primary">Comment</button>
          {children}
          <a href={back}>Cancel</a>
        </div>
      </Form>
    </div>
  );
}
