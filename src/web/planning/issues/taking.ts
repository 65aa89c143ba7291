import type { PlaceRoute } from '../../places/place/route.ts';
import { takingOf } from '../notes/host.ts';

/** A page below that of an issue that only takes a form; its own address leads to the issue. @param page without a slash at the beginning */
export const taking = (page: string, name: string, post: NonNullable<PlaceRoute['post']>): PlaceRoute =>
  takingOf({ root: '/issues' }, page, name, post);
