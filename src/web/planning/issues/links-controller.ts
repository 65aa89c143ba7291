import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { BadRequest, Conflict, Forbidden, NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { issuePath } from './issue.ts';
import type { OtherDraft } from './links.tsx';
import { issueShower } from './show.tsx';
import { taking } from './taking.ts';

/** The longest reference that is read. */
const longest = 500;

/**
 * The issue that a text names: `12`, `#12`, `group/project#12`, or the address of its page.
 * @param here the full path of the project that a text without one means
 * @param baseUrl the address of the gateway
 */
function readReference(
  text: string,
  here: string,
  baseUrl: string,
): { readonly project: string; readonly iid: string } | null {
  const given = text.trim().slice(0, longest);
  const path = given.startsWith(`${baseUrl}/`) ? given.slice(baseUrl.length + 1) : given;
  const found = /^(?:(.+)\/-\/issues\/|([^#]*)#|)([1-9]\d{0,9})(?:[?#].*)?$/.exec(path);
  return found && { project: (found[1] ?? found[2]) || here, iid: found[3]! };
}

/** What the page says of a refusal; undefined for one that is no answer to what they typed. */
function refusalOf(problem: unknown, nothing: string): string | undefined {
  const error = domainError(problem);
  if (error instanceof NotFound) return nothing;
  if (error instanceof Conflict) return 'They are linked already.';
  return error instanceof BadRequest || error instanceof Forbidden ? error.message : undefined;
}

/** Linking issues, and moving one. */
export function issueLinkPages(schema: GraphQLSchema): PlaceRoute[] {
  const show = issueShower(schema);
  const link = compileOperation<object>(
    schema,
    'mutation ($input: LinkIssuesInput!) { linkIssues(input: $input) { link { databaseId } } }',
  );
  const unlink = compileOperation<object>(
    schema,
    'mutation ($input: UnlinkIssuesInput!) { unlinkIssues(input: $input) { link { databaseId } } }',
  );
  const move = compileOperation<{ issueMove: { issue: { webPath: string } } }>(
    schema,
    'mutation ($input: IssueMoveInput!) { issueMove(input: $input) { issue { webPath } } }',
  );

  /** Does it, or shows the page again with why not. */
  async function attempt(
    visit: Visit,
    place: PlaceHead,
    draft: Pick<OtherDraft, 'of' | 'text'>,
    nothing: string,
    act: () => Promise<Answer>,
  ): Promise<Answer | null> {
    try {
      return await act();
    } catch (problem) {
      const refusal = refusalOf(problem, nothing);
      if (refusal === undefined) throw problem;
      return await show(visit, place, { other: { ...draft, errors: [refusal] } });
    }
  }
  const subject = ({ named }: Visit, place: PlaceHead) => ({ projectPath: place.fullPath, iid: named.iid! });

  return [
    taking('link', 'link issue', async (visit, place, { reference = '' }) => {
      const draft = { of: 'link', text: reference } as const;
      const nothing = 'You see no such issue.';
      const target = readReference(reference, place.fullPath, visit.site.baseUrl);
      if (!target) return await show(visit, place, { other: { ...draft, errors: [nothing] } });
      return await attempt(visit, place, draft, nothing, async () => {
        const input = { ...subject(visit, place), targetProjectPath: target.project, targetIid: target.iid };
        await link.execute(visit.context, { input });
        return seeOtherSaying('issue_linked', issuePath(place, { iid: visit.named.iid! }), visit);
      });
    }),
    taking('links/:link/remove', 'unlink issue', async (visit, place) => {
      await unlink.execute(visit.context, { input: { ...subject(visit, place), linkId: visit.named.link } });
      return seeOtherSaying('issue_unlinked', issuePath(place, { iid: visit.named.iid! }), visit);
    }),
    taking('move', 'move issue', async (visit, place, { project = '' }) => {
      const draft = { of: 'move', text: project } as const;
      return await attempt(visit, place, draft, 'You see no such project.', async () => {
        const input = { ...subject(visit, place), targetProjectPath: project.trim().slice(0, longest) };
        const { issue } = (await move.execute(visit.context, { input })).issueMove;
        return seeOtherSaying('issue_moved', issue.webPath, visit);
      });
    }),
  ];
}
