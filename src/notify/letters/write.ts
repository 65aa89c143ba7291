import { readMarkdown } from '../../markdown/markdown.ts';
import { mailLook } from '../../values/mail-look.ts';
import { shownLength, type Content, type Person } from '../content.ts';
import { coverOf, isReview } from './digest.ts';
import { toHtml, toText, type Part, type Shown } from './document.tsx';
import { headersOf, isOpening, type Headers } from './headers.ts';
import type { Letter, Letters } from './letter.ts';
import { isolated, oneLine } from './names.ts';
import { texts } from './texts.ts';

/** A message to one person, written. */
export interface Written extends Headers {
  readonly kind: string;
  /** The name of the person who did it; null if there is none. */
  readonly sender: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const shownAs = ({ name, username }: Person): string => `${isolated(name)} (@${username})`;
const orNull = <T, R>(given: T | null, make: (given: T) => R): R | null => (given === null ? null : make(given));

/** Longest subject, without its number: further characters help no one who reads a list of mails. */
const longestTitle = 255;

/** The title of an item with its number; null for what is none. */
function titleOf(
  { issue, mergeRequest, epic, snippet, commit }: Content,
  show: (title: string) => string = isolated,
): string | null {
  if (issue) return `${show(issue.title)} (#${issue.iid})`;
  if (mergeRequest) return `${show(mergeRequest.title)} (!${mergeRequest.iid})`;
  if (epic) return `${show(epic.title)} (&${epic.iid})`;
  if (commit) return `${show(commit.title)} (${commit.sha.slice(0, 8)})`;
  return snippet ? `${show(snippet.title)} ($${snippet.id})` : null;
}

/** `project | title (#iid)`, and `Re: ` before it but for the first message about an item. */
function subjectOf({ content, message, language }: Letter): string {
  const { place, pipeline } = content;
  const title = (text: string) => isolated(text.slice(0, longestTitle));
  const access = texts[language].access[message.cause];
  if (access) return access.subject(title(place.name), place.kind);
  if (pipeline) {
    const ended = texts[language].pipelines[message.cause as 'FAILED_PIPELINE'](title(pipeline.ref));
    return `${isolated(place.name)} | ${ended} | ${pipeline.sha.slice(0, 8)}`;
  }
  const named = titleOf(content, title);
  const { limitReached, projectMoved } = texts[language];
  const about = named ?? (message.cause === 'DAILY_LIMIT' ? limitReached : projectMoved);
  const isReply = named !== null && !isOpening(message.cause);
  return `${isReply ? 'Re: ' : ''}${isolated(place.name)} | ${about}`;
}

/** The path of what a message is about, below its place. */
function pathOf({ issue, mergeRequest, epic, snippet, pipeline, commit }: Content): string {
  if (issue) return `/-/issues/${issue.iid}`;
  if (mergeRequest) return `/-/merge_requests/${mergeRequest.iid}`;
  if (epic) return `/-/epics/${epic.iid}`;
  if (snippet) return `/-/snippets/${snippet.id}`;
  if (pipeline) return `/-/pipelines/${pipeline.id}`;
  return commit ? `/-/commit/${commit.sha}` : '';
}

/** The pages of what a message is about. */
function placesOf({ content, message, baseUrl }: Letter) {
  const { place, note } = content;
  const page = `${baseUrl}/${place.kind === 'Group' ? 'groups/' : ''}${place.path}`;
  if (message.cause === 'ACCESS_REQUESTED') return { item: page, here: `${page}/-/members#access-requests` };
  const item = `${page}${pathOf(content)}`;
  return { item, here: note ? `${item}#note_${note.id}` : item };
}

/** HTML of what someone wrote, made once for all who get it. */
const rendered = new WeakMap<object, string>();
function htmlOf(source: object, text: string, base: string): string {
  let html = rendered.get(source);
  if (html === undefined) {
    // A mail has no style sheet. Without lines, cells can't be distinguished.
    const lined = '<table border="1" cellpadding="5" cellspacing="0">';
    html = readMarkdown(text)
      .mailHtml(base)
      .replaceAll('<table>', lined)
      .replaceAll('<pre>', `<pre style="${mailLook.pre}">`);
    rendered.set(source, html);
  }
  return html;
}

/** Marks that take a sign of Markdown for itself: CommonMark §2.4. */
const escapes = /\\([!-/:-@[-`{-~])/g;

/** The comment, the commits of a push, or the description where the message shows it. */
function bodyOf({ note, commits, issue, mergeRequest, epic }: Content, base: string) {
  const item = issue ?? mergeRequest ?? epic;
  const [source, whole] = note
    ? [note, note.body]
    : commits
      ? [commits, commits.body]
      : [item, item?.description ?? ''];
  if (source === null || whole === '') return { body: null, isWhole: true };
  const shown = whole.slice(0, shownLength);
  // The system wrote the titles of commits so that they are no Markdown; people see what they wrote themselves.
  const text = source === commits ? shown.replace(escapes, '$1') : shown;
  return { body: { text, html: () => htmlOf(source, shown, base) }, isWhole: whole.length <= shownLength };
}

function factsOf({
  content: { issue, mergeRequest, epic, pipeline, note },
  message: { cause },
  language,
}: Letter): Part['facts'] {
  if (pipeline) {
    const { facts } = texts[language];
    const failed = pipeline.failed.map(isolated).join(', ');
    const about = [[facts.ref, isolated(pipeline.ref)] as const, [facts.commit, pipeline.sha] as const];
    return failed === '' ? about : [...about, [facts.failed, failed]];
  }
  if (note?.place) {
    const { path, newLine, oldLine } = note.place;
    const { facts, line: lineOf } = texts[language];
    const line = newLine ?? oldLine;
    return [[facts.file, line === null ? isolated(path) : lineOf(isolated(path), line, newLine === null)]];
  }
  if (epic?.author) return [[texts[language].facts.author, shownAs(epic.author)]];
  const item = issue ?? mergeRequest;
  if (!item || !['NEW_ISSUE', 'NEW_MERGE_REQUEST', 'RELABELLED', 'MENTIONED'].includes(cause)) return [];
  const { facts } = texts[language];
  const labels = item.labels.map(isolated).join(', ');
  const branches = orNull(
    mergeRequest,
    ({ sourceBranch, targetBranch }) => `${isolated(sourceBranch)} → ${isolated(targetBranch)}`,
  );
  const all: readonly (readonly [string, string | null])[] = [
    [facts.branches, branches],
    [facts.author, orNull(item.author, shownAs)],
    [facts.assignee, orNull(item.assignee, shownAs)],
    [facts.reviewer, orNull(mergeRequest?.reviewer ?? null, shownAs)],
    [facts.milestone, orNull(item.milestone, isolated)],
    [facts.labels, labels || null],
    [facts.dueDate, issue?.dueDate ?? null],
  ];
  return all.filter((fact): fact is readonly [string, string] => fact[1] !== null);
}

function happenedIn({ content, message, language }: Letter): string {
  const { actor, place, issue, note, target, pipeline } = content;
  return texts[language].happened[message.cause]({
    who: actor ? shownAs(actor) : texts[language].someone,
    project: isolated(place.name),
    path: place.path,
    former: orNull(content.formerAssignee, shownAs),
    assignee: orNull(content.assignee, shownAs),
    milestone: orNull(content.milestone, isolated),
    dueDate: issue?.dueDate ?? null,
    target,
    subjectKind: message.subjectKind,
    internal: note?.internal ?? false,
    pipeline: orNull(pipeline, ({ iid }) => `#${iid}`),
  });
}

/** How much of a digest a message shows. */
const mostParts = 20;

/** What is shown of a letter. @param isAlone whether the message is about nothing else */
function partOf(letter: Letter, isAlone: boolean): Part {
  const { item, here } = placesOf(letter);
  const { body, isWhole } = bodyOf(letter.content, item);
  return {
    heading: isAlone ? null : { happened: happenedIn(letter), url: here },
    facts: factsOf(letter),
    body,
    shortened: isWhole ? null : texts[letter.language].shortened,
  };
}

/** Writes a message: its headers, its text and its HTML. */
export function write(letters: Letters): Written {
  const [first, ...others] = letters;
  const isAlone = others.length === 0;
  const letter = isAlone ? first : coverOf(letters);
  const { content, message, language, baseUrl, unsubscribeUrl } = letter;
  const { actor, pipeline, place } = content;
  const words = texts[language];
  const { host } = new URL(baseUrl);
  const { here } = placesOf(letter);
  const subject = subjectOf(letter);
  const shown: Shown = {
    language,
    subject,
    happened: isAlone
      ? happenedIn(letter)
      : isReview(letters)
        ? words.reviewed(actor ? shownAs(actor) : words.someone)
        : words.several(letters.length),
    title: titleOf(content) ?? (pipeline ? `#${pipeline.iid} · ${isolated(pipeline.ref)}` : isolated(place.name)),
    url: here,
    parts: letters.slice(0, mostParts).map((one) => partOf(one, isAlone)),
    more: letters.length > mostParts ? words.more(letters.length - mostParts) : null,
    why:
      words.access[message.cause]?.why(host) ??
      (message.reason ? words.reasons[message.reason] : words.vias[message.via](host)),
    links: [
      [words.links[message.cause === 'ACCESS_REQUESTED' ? 'requests' : message.subjectKind], here],
      ...(message.cause === 'DAILY_LIMIT'
        ? [[words.links.sent, `${baseUrl}/profile/notifications/sent`] as const]
        : []),
      ...(unsubscribeUrl === null ? [] : [[words.links.unsubscribe, unsubscribeUrl] as const]),
      [words.links.manage, `${baseUrl}/profile/notifications`],
    ],
  };
  return {
    kind: `notification ${isAlone || isReview(letters) ? message.cause : 'DIGEST'}`,
    sender: actor && `${oneLine(actor.name)} (@${actor.username})`,
    subject,
    text: toText(shown),
    html: toHtml(shown),
    ...headersOf(letter),
  };
}
