import { hash } from 'node:crypto';
import type { CauseName } from '../causes.ts';
import type { Content } from '../content.ts';
import type { Letter } from './letter.ts';
import { oneLine } from './names.ts';

/**
 * The headers by which clients filter messages and put them into threads. Their names are GitLab's, and each `X-GitLab-…`
 * is there as `X-Causeway-…`, too.
 */
export interface Headers {
  readonly messageId: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** RFC 2919 §3 bounds the length of a List-Id. */
const longestListId = 255;

/** A value in one line; nodemailer encodes and folds it. */
const value = (text: string | number | boolean): string => oneLine(String(text));

/** The host of the gateway, for identifiers: without port, and without the brackets of IPv6. */
const hostOf = (baseUrl: string): string => new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, '$1').replaceAll(':', '-');

/** `a/b/c <7.c.b.a.host>`; just the id if that is too long. */
function listIdOf({ id, path }: Content['place'], host: string): string {
  const parts = path.split('/').map((part) => part.replace(/[^A-Za-z0-9]/g, '-'));
  const name = `<${[id, ...parts.toReversed(), host].join('.')}>`;
  const short = `<${id}.${host}>`;
  if (path.length + 1 + name.length <= longestListId) return `${path} ${name}`;
  return name.length <= longestListId ? name : short;
}

/** What becomes `X-GitLab-…` and `X-Causeway-…`. */
function facts({ content, message, replyKey }: Letter): Record<string, string | number | boolean> {
  const { place, issue, mergeRequest, epic, snippet, pipeline, commit, note } = content;
  return {
    ...(place.kind === 'Project' && { Project: place.name }),
    [`${place.kind}-Id`]: place.id,
    [`${place.kind}-Path`]: place.path,
    ...(issue && {
      'Issue-ID': issue.id,
      'Issue-IID': issue.iid,
      'Issue-State': issue.state.toLowerCase(),
      ConfidentialIssue: issue.confidential,
    }),
    ...(mergeRequest && {
      'MergeRequest-ID': mergeRequest.id,
      'MergeRequest-IID': mergeRequest.iid,
      'MergeRequest-State': mergeRequest.state.toLowerCase(),
    }),
    ...(epic && { 'Epic-ID': epic.id, 'Epic-IID': epic.iid }),
    ...(snippet && { 'ProjectSnippet-ID': snippet.id }),
    ...(commit && { 'Commit-ID': commit.sha }),
    ...(pipeline && {
      'Pipeline-Id': pipeline.id,
      'Pipeline-Ref': pipeline.ref,
      'Pipeline-Status': pipeline.status,
    }),
    ...(note?.threadId && { 'Discussion-ID': note.threadId }),
    ...(replyKey !== null && { 'Reply-Key': replyKey }),
    // What is about no item has no reason, as in GitLab: a moved project, a pipeline, and the limit of a day.
    ...(message.subjectKind !== 'Project' &&
      message.subjectKind !== 'Group' &&
      message.subjectKind !== 'Pipeline' && { NotificationReason: message.reason?.toLowerCase() ?? '' }),
  };
}

/** The name of the first message about an item; null where messages make no thread. */
function threadOf({ issue, mergeRequest, epic, snippet, commit }: Content): string | null {
  if (issue) return `issue_${issue.id}`;
  if (mergeRequest) return `merge_request_${mergeRequest.id}`;
  if (epic) return `epic_${epic.id}`;
  if (commit) return `commit_${commit.sha}`;
  return snippet ? `project_snippet_${snippet.id}` : null;
}

/** Causes of the first message about an item. */
const opening: ReadonlySet<CauseName> = new Set(['NEW_ISSUE', 'NEW_MERGE_REQUEST', 'NEW_EPIC']);
export const isOpening = (cause: CauseName): boolean => opening.has(cause);

export function headersOf(letter: Letter): Headers {
  const { content, message, baseUrl, unsubscribeUrl } = letter;
  const host = hostOf(baseUrl);
  const id = (name: string) => `<${name}@${host}>`;
  const { commit, note, place } = content;
  const subject = threadOf(content);
  const thread = subject === null ? null : id(subject);
  // Comments on commits are counted apart. A plain comment becomes one of a thread with its first answer: both have one name, so
  // that an answer refers to what was sent.
  const ofNote = (one: number) => id(`${commit ? 'commit_' : note?.place ? 'diff_' : ''}note_${one}`);
  const earlier = (note?.earlier ?? []).map(ofNote);
  // The same bytes at each attempt: a mailbox that gets a message twice drops the copy.
  const followUp = () => id(hash('sha256', `${message.occurrence} ${message.userId}`).slice(0, 40));
  const isFirst = isOpening(message.cause) && thread !== null;
  const messageId = note ? ofNote(note.id) : isFirst ? thread : followUp();
  return {
    messageId,
    inReplyTo: isFirst ? null : (earlier.at(-1) ?? thread),
    references: isFirst || thread === null ? [] : [thread, ...earlier],
    headers: {
      'List-Id': listIdOf(place, host),
      ...(unsubscribeUrl !== null && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...Object.fromEntries(
        Object.entries(facts(letter)).flatMap(([name, fact]) =>
          ['GitLab', 'Causeway'].map((brand) => [`X-${brand}-${name}`, value(fact)]),
        ),
      ),
    },
  };
}
