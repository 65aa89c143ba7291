import { below, PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import type { Site } from '../../site/layout/layout.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';
import type { RunnerHost } from './view.tsx';

/** The address of a page of the runners of a place. */
export const runnersPath = (place: PlaceHead, page = ''): string => below(place, `/runners${page}`);

/** The runners that carry out the jobs of a project, or those of a group and of the groups above. */
export function hostOfPlace(site: Site, place: PlaceHead): RunnerHost {
  const own = place.kind === 'project' ? 'PROJECT_TYPE' : 'GROUP_TYPE';
  return {
    Frame: (props) => <PlaceLayout site={site} place={place} current="runners" {...props} />,
    path: (page) => runnersPath(place, page),
    csrf: site.visitor!.csrf,
    baseUrl: site.baseUrl,
    of: ` · ${place.name}`,
    whose: {
      INSTANCE_TYPE: 'All projects',
      GROUP_TYPE: place.kind === 'group' ? 'The projects of this group' : 'The projects of a group',
      PROJECT_TYPE: 'This project',
    },
    changes: place.archived ? [] : [own],
  };
}

export const administeredRunnersPath = '/admin/runners';

/** All runners of the instance. */
export const hostOfInstance = (site: Site): RunnerHost => ({
  Frame: (props) => <AdminLayout site={site} current={administeredRunnersPath} {...props} />,
  path: (page = '') => administeredRunnersPath + page,
  csrf: site.visitor!.csrf,
  baseUrl: site.baseUrl,
  of: '',
  whose: {
    INSTANCE_TYPE: 'All projects',
    GROUP_TYPE: 'The projects of a group',
    PROJECT_TYPE: 'Projects of their own',
  },
  changes: ['INSTANCE_TYPE', 'GROUP_TYPE', 'PROJECT_TYPE'],
});
