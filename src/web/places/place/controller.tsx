import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { Moved, NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { errorTrackingPages } from '../../settings/error-tracking-settings/controller.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { accessRequestForm } from '../access-requests/controller.tsx';
import { avatarMistakes, avatarNotice, avatarOf, nothingChosen } from '../avatars/form.tsx';
import { membersPage } from '../members/controller.tsx';
import { removalPages } from '../removal/controller.tsx';
import { settingsPage } from '../settings/controller.tsx';
import { sharingPage } from '../sharing/controller.tsx';
import { transferPage } from '../transfer/controller.tsx';
import { placeOperations, type PlaceOperations } from './operations.ts';
import { placePath, type Kind } from './place.ts';
import type { PlaceRoute } from './route.ts';
import { PlacePage } from './view.tsx';

/** The pages of groups and projects. Their addresses are full paths. */
export interface PlacePages {
  /** @param path the full path, as in the address */
  place(kind: Kind, path: string): PageRoute;
  /** The pages of their settings. */
  readonly below: readonly PlaceRoute[];
}

export function placePages(schema: GraphQLSchema): PlacePages {
  const errorTracking = errorTrackingPages(schema);
  const operations = { ...placeOperations(schema), trackedForMaintainers: errorTracking.trackedForMaintainers };
  return {
    place: (kind, path) => placePage(operations, kind, path),
    below: [
      errorTracking.page,
      settingsPage(schema),
      membersPage(schema),
      accessRequestForm(schema),
      sharingPage(schema),
      transferPage(schema),
      ...removalPages(schema),
    ],
  };
}

type Operations = PlaceOperations & Pick<ReturnType<typeof errorTrackingPages>, 'trackedForMaintainers'>;

const placePage = (operations: Operations, kind: Kind, path: string): PageRoute => ({
  path,
  name: kind,
  files: true,
  async get(visit) {
    try {
      return await show(operations, visit, kind, path);
    } catch (thrown) {
      const problem = domainError(thrown);
      // A signed-in visitor also asks for settings there, which are missing with the place.
      if (problem instanceof NotFound && !(problem instanceof Moved)) return null;
      // Of the place, or of a group above it.
      if (!(problem instanceof Moved)) throw thrown;
      const now = await operations.movedFrom(visit, kind, path);
      return now === null ? null : seeOther(now);
    }
  },
  /** The form of the picture. */
  async post(visit, form, files) {
    const data = await operations.found(visit, kind, path);
    if (!data) return null;
    const { fullPath } = data.place!;
    const avatar = avatarOf(form, files);
    if (avatar === undefined) return await show(operations, visit, kind, path, nothingChosen);
    try {
      await operations.setPicture[kind].execute(visit.context, { place: fullPath, avatar });
    } catch (problem) {
      return await show(operations, visit, kind, path, avatarMistakes(problem));
    }
    return seeOtherSaying(avatarNotice(avatar), placePath(kind, fullPath), visit);
  },
});

/** The page, or the page again with what is wrong with a picture; null if the viewer may not see the place. */
async function show(
  { found, codeOf, projectsIn, aroundOf, trackedForMaintainers }: Operations,
  visit: Visit,
  kind: Kind,
  path: string,
  pictureErrors?: readonly string[],
): Promise<Answer | null> {
  const data = await found(visit, kind, path);
  if (!data) return null;
  const { fullPath, userPermissions } = data.place!;
  const code = userPermissions.downloadCode ? await codeOf(visit, fullPath) : undefined;
  const tracked = kind === 'project' ? await trackedForMaintainers(visit, fullPath) : undefined;
  const projects = kind === 'group' ? await projectsIn(visit, { group: fullPath }) : undefined;
  const around = kind === 'group' ? await aroundOf(visit, fullPath) : undefined;
  return toAnswer(
    <PlacePage
      site={visit.site}
      kind={kind}
      data={data}
      errorTracking={tracked}
      subgroups={around?.subgroups}
      shared={around?.shared}
      projects={projects}
      code={code}
      pictureErrors={pictureErrors}
    />,
    pictureErrors ? 422 : 200,
    { scripts: true },
  );
}
