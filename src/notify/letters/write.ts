import { readMarkdown } from '../../markdown/markdown.ts';
import { shownLength, type Content, type Person } from '../content.ts';
import { toHtml, toText, type Shown } from './document.tsx';
import { headersOf, type Headers } from './headers.ts';
import type { Letter } from './letter.ts';
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

/** Longest subject, without its number: further characters help nobody who reads a list of mails. */
const longestTitle = 255;

/** `project | title (#iid)`, and `Re: ` before it but for the first message about an item. */
function subjectOf({ content: { place, issue, epic, snippet, pipeline }, message, language }: Letter): string {
  const title = (text: string) => isolated(text.slice(0, longestTitle));
  if (pipeline) {
    const ended = texts[language].pipelines[message.cause as 'FAILED_PIPELINE'](title(pipeline.ref));
    return `${isolated(place.name)} | ${ended} | ${pipeline.sha.slice(0, 8)}`;
  }
  const about = issue
    ? `${title(issue.title)} (#${issue.iid})`
    : epic
      ? `${title(epic.title)} (&${epic.iid})`
      : snippet
        ? `${title(snippet.title)} ($${snippet.id})`
        : texts[language].projectMoved;
  const first = ['NEW_ISSUE', 'NEW_EPIC', 'MOVED_PROJECT'].includes(message.cause);
  return `${first ? '' : 'Re: '}${isolated(place.name)} | ${about}`;
}

/** The pages of what a message is about. */
function placesOf({ content: { place, issue, epic, snippet, pipeline, note }, baseUrl }: Letter) {
  const page = `${baseUrl}/${place.kind === 'Group' ? 'groups/' : ''}${place.path}`;
  const item = issue
    ? `${page}/-/issues/${issue.iid}`
    : epic
      ? `${page}/-/epics/${epic.iid}`
      : snippet
        ? `${page}/-/snippets/${snippet.id}`
        : pipeline
          ? `${page}/-/pipelines/${pipeline.id}`
          : page;
  return { item, here: note ? `${item}#note_${note.id}` : item };
}

/** HTML of what somebody wrote, made once for all who get it. */
const rendered = new WeakMap<object, string>();
function htmlOf(source: object, text: string, base: string): string {
  let html = rendered.get(source);
  if (html === undefined) {
    html = readMarkdown(text).mailHtml(base);
    rendered.set(source, html);
  }
  return html;
}

/** The comment, or the description where the message shows it. */
function bodyOf({ note, issue, epic }: Content, base: string) {
  const [source, whole] = note ? [note, note.body] : [issue ?? epic, (issue ?? epic)?.description ?? ''];
  if (source === null || whole === '') return { body: null, isWhole: true };
  const text = whole.slice(0, shownLength);
  return { body: { text, html: () => htmlOf(source, text, base) }, isWhole: whole.length <= shownLength };
}

function factsOf({ content: { issue, epic, pipeline }, message: { cause }, language }: Letter): Shown['facts'] {
  if (pipeline) {
    const { facts } = texts[language];
    const failed = pipeline.failed.map(isolated).join(', ');
    const about = [[facts.ref, isolated(pipeline.ref)] as const, [facts.commit, pipeline.sha] as const];
    return failed === '' ? about : [...about, [facts.failed, failed]];
  }
  if (epic?.author) return [[texts[language].facts.author, shownAs(epic.author)]];
  if (!issue || (cause !== 'NEW_ISSUE' && cause !== 'RELABELLED' && cause !== 'MENTIONED')) return [];
  const { facts } = texts[language];
  const labels = issue.labels.map(isolated).join(', ');
  const all: readonly (readonly [string, string | null])[] = [
    [facts.author, orNull(issue.author, shownAs)],
    [facts.assignee, orNull(issue.assignee, shownAs)],
    [facts.milestone, orNull(issue.milestone, isolated)],
    [facts.labels, labels || null],
    [facts.dueDate, issue.dueDate],
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
    target: orNull(target, ({ path, iid }) => `${path}#${iid}`),
    subjectKind: message.subjectKind,
    internal: note?.internal ?? false,
    pipeline: orNull(pipeline, ({ iid }) => `#${iid}`),
  });
}

/** Writes a message: its headers, its text and its HTML. */
export function write(letter: Letter): Written {
  const { content, message, language, baseUrl, unsubscribeUrl } = letter;
  const { actor, issue, epic, snippet, pipeline, place } = content;
  const words = texts[language];
  const { item, here } = placesOf(letter);
  const { body, isWhole } = bodyOf(content, item);
  const subject = subjectOf(letter);
  const shown: Shown = {
    language,
    subject,
    happened: happenedIn(letter),
    title: issue
      ? `${isolated(issue.title)} (#${issue.iid})`
      : epic
        ? `${isolated(epic.title)} (&${epic.iid})`
        : snippet
          ? `${isolated(snippet.title)} ($${snippet.id})`
          : pipeline
            ? `#${pipeline.iid} · ${isolated(pipeline.ref)}`
            : isolated(place.name),
    url: here,
    facts: factsOf(letter),
    body,
    shortened: isWhole ? null : words.shortened,
    why: message.reason ? words.reasons[message.reason] : words.vias[message.via](new URL(baseUrl).host),
    links: [
      [words.links[message.subjectKind], here],
      ...(unsubscribeUrl === null ? [] : [[words.links.unsubscribe, unsubscribeUrl] as const]),
      [words.links.manage, `${baseUrl}/profile/notifications`],
    ],
  };
  return {
    kind: `notification ${message.cause}`,
    sender: actor && `${oneLine(actor.name)} (@${actor.username})`,
    subject,
    text: toText(shown),
    html: toHtml(shown),
    ...headersOf(letter),
  };
}
