import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import type { Record } from '../../engine/record.ts';
import { basicFields, Project, type ProjectData } from '../projects/record.ts';

/** What a search finds: a project, a person, or the membership of a person. */
export type ResultData = ProjectData | UserBasicData | { readonly user: UserBasicData };

/** The fields that operations select of each kind. */
export const projectResult = basicFields;
export const userResult = userBasicFields;
export const memberResult = `user { ${userBasicFields} }`;

/** Something that a search found: a project with its basic fields, or a user. */
export const SearchResult: Record<ResultData> = {
  name: 'SearchResult',
  schema: { anyOf: [Project.schema, UserBasic.schema] },
  present(found) {
    if ('fullPath' in found) return Project.present(found);
    return UserBasic.present('user' in found ? found.user : found);
  },
};
