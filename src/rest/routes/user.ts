import { CurrentUser, type CurrentUserData } from '../records/user.ts';
import { route, type AnyRoute } from '../route.ts';

export const userRoutes: AnyRoute[] = [
  route<{ currentUser: CurrentUserData }>({
    method: 'GET',
    path: '/api/v4/user',
    summary: 'The user whose credential the request carries',
    tag: 'Users',
    parameters: [],
    operation: `query {
      currentUser { id username publicEmail name state webUrl createdAt confirmedAt email isAdministrator }
    }`,
    variables: () => ({}),
    record: { ...CurrentUser, present: ({ currentUser }) => CurrentUser.present(currentUser) },
    dialect: 'version 4',
  }),
];
