import { domainError } from '../../../context.ts';
import { BadRequest } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { orNull } from '../../site/missing.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { Pager } from '../../site/records/records.tsx';
import { seeOther, type Visit } from '../../site/visit.ts';
import { mayComment, threadPath, ThreadView, WhyNot } from './conversation.tsx';
import { hostPath, type NoteHost } from './host.ts';
import type { NoteOperations, NotesPart, PartAsked } from './operations.ts';
import { worthLeavingOut, type CommentDraft, type Note, type Thread } from './thread.ts';

/** Notes of a thread on a page. Where no more than a few would be left out, the page has them too. */
const size = 20;
const atOnce = size + worthLeavingOut;

/** The pages of single threads. */
export interface ThreadPages {
  readonly routes: readonly PlaceRoute[];
  /** Shows the thread of the address; with a reply that was refused. Null if there is none that the viewer reads. */
  readonly show: (visit: Visit, place: PlaceHead, reply?: CommentDraft) => Promise<Answer | null>;
}

/** Single threads, page by page, and links to single comments, which lead to them. */
export function threadPages(host: NoteHost, operations: NoteOperations): ThreadPages {
  async function show(visit: Visit, place: PlaceHead, reply?: CommentDraft): Promise<Answer | null> {
    const { site, exchange, named } = visit;
    const hosted = await host.find(visit, place);
    if (!hosted) return null;
    const { before, after, from = '' }: Fields = reply ? {} : readQuery(exchange);
    const query = { before, after };
    const offset = /^\d{1,4}$/.test(from) ? Number(from) : undefined;
    const part = partOf(query, offset);
    const thread = await orNull(operations.thread(visit, place, named.thread!, part)).catch((thrown: unknown) => {
      if ((before || after) && domainError(thrown) instanceof BadRequest) return undefined;
      throw thrown;
    });
    // The cursor in the address was made by an earlier release.
    if (thread === undefined) return seeOther(exchange.path);
    const [first] = thread?.opening ?? [];
    if (!thread || !first) return null;
    const { title, userPermissions, head } = hosted;
    const path = hostPath(host, place, named.iid!);
    // Comments were deleted: the part of the address has none, and no links to others.
    if (thread.notes.edges.length === 0) return seeOther(threadPath({ path }, thread));
    const { nodes, pageInfo } = shownOf(thread.notes, part.last !== undefined);
    const pages = pagesAround(threadPath({ path }, thread), query, {
      ...pageInfo,
      hasPreviousPage: pageInfo.hasPreviousPage || (offset ?? 0) > 0,
    });
    const shown: Thread = {
      ...thread,
      allNotes: [first, ...nodes.filter(({ id }) => id !== first.id)],
    };
    const above = await host.above?.(visit, place, shown);
    const drafts = await host.draftsOf?.(visit, place, shown);
    const of = {
      path,
      threads: [shown],
      userPermissions,
      ...(host.isSimple && { isSimple: true }),
      ...(head !== undefined && { head }),
      above: () => above,
      ...(host.addToReview && { review: { below: () => drafts, rest: null } }),
    };
    const heading = `A thread on ${host.called(named.iid!)}`;
    return toAnswer(
      <PlaceLayout
        site={site}
        place={place}
        title={`${reply ? 'Error: ' : ''}${heading}: ${title}`}
        current={host.section}
      >
        <h1>{heading}</h1>
        <p class="lead">
          {thread.notes.count === 1 ? 'One comment' : `${thread.notes.count.toLocaleString('en')} comments`} on{' '}
          <a href={`${path}#activity`}>
            <bdi>{title}</bdi>
          </a>
        </p>
        <ThreadView
          site={site}
          of={of}
          thread={shown}
          takesPart={mayComment(site, place, of)}
          draft={reply}
          earlier={<Pager of="earlier replies" before={pages.before} after={null} labels={['Earlier replies', '']} />}
          later={<Pager of="later replies" before={null} after={pages.after} labels={['', 'Later replies']} />}
        />
        {!mayComment(site, place, of) && <WhyNot site={site} place={place} />}
      </PlaceLayout>,
      reply ? 422 : 200,
    );
  }

  /** Leads to a comment: to the page of its thread that has it. */
  async function lead(visit: Visit, place: PlaceHead): Promise<Answer | null> {
    const { iid, note: id } = visit.named;
    const path = hostPath(host, place, iid!);
    const thread = isRecordNumber(id) ? await orNull(operations.placeOf(visit, place, id)) : null;
    // Of one that was deleted, there is only what it was on.
    if (!thread) return seeOther(`${path}#activity`);
    const { index } = thread;
    return seeOther(`${threadPath({ path }, thread)}?from=${index - (index % size)}#note_${id!}`);
  }

  return {
    show,
    routes: [
      {
        of: 'project',
        path: `${host.root}/:iid/discussions/:thread`,
        name: 'thread',
        forPeople: true,
        get: (visit, place) => show(visit, place),
      },
      {
        of: 'project',
        path: `${host.root}/:iid/notes/:note`,
        name: 'comment by its number',
        forPeople: true,
        get: lead,
      },
    ],
  };
}

/** The notes of a part that a page shows, and whether there are others. @param fromEnd whether the part was read from its end */
function shownOf({ edges, pageInfo }: NotesPart, fromEnd: boolean): { nodes: readonly Note[]; pageInfo: PageInfo } {
  const isLong = edges.length === atOnce && (fromEnd ? pageInfo.hasPreviousPage : pageInfo.hasNextPage);
  const shown = isLong ? (fromEnd ? edges.slice(-size) : edges.slice(0, size)) : edges;
  return {
    nodes: shown.map(({ node }) => node),
    pageInfo: { ...pageInfo, startCursor: shown[0]!.cursor, endCursor: shown.at(-1)!.cursor },
  };
}

/** The arguments of the part of a thread that an address names: the latest notes by default. @param offset how many come before it */
function partOf({ before, after }: Fields, offset: number | undefined): PartAsked {
  if (after) return { first: atOnce, after };
  if (before) return { last: atOnce, before };
  return offset === undefined ? { last: atOnce } : { first: atOnce, offset };
}
