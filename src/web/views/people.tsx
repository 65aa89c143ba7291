import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../operation.ts';
import type { Answer } from '../../http/index.ts';
import { toAnswer } from '../page.ts';
import { HiddenProfile, Profile, type Profiled } from '../pages/profile.tsx';
import { nameSegments } from '../paths.ts';
import type { Visit } from '../visit.ts';

/** The page of a person, for those who are signed in. Others aren't told whether there is such a person. */
export function profileView(schema: GraphQLSchema): (visit: Visit, username: string) => Promise<Answer | null> {
  const find = compileOperation<{ user: Profiled | null }>(
    schema,
    'query ($username: String!) { user(username: $username) { name username publicEmail createdAt } }',
  );
  return async ({ site, context }, username) => {
    const [name] = nameSegments(username) ?? [];
    if (name === undefined) return null;
    if (!site.visitor) return toAnswer(<HiddenProfile site={site} />);
    const { user } = await find.execute(context, { username: name });
    return user && toAnswer(<Profile site={site} person={user} />);
  };
}
