import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { Answer } from '../../../http/index.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { emojiNamed } from '../../../values/text/emoji.ts';
import { Profile, profiledFields, type Profiled } from './view.tsx';
import { nameSegments } from '../../site/paths.ts';
import { projectLister } from '../../places/projects/list.ts';
import { personActivity } from '../../planning/activity/happenings.ts';
import { requireVisitor, seeOther, type Visit } from '../../site/visit.ts';

/**
 * The page for an address of one segment: a group if the viewer may see one there,
 * otherwise a person. Anonymous visitors must sign in first, even if the person
 * doesn't exist: the page must not reveal usernames.
 */
export function profileView(schema: GraphQLSchema): (visit: Visit, name: string) => Promise<Answer | null> {
  const findGroup = compileOperation<{ group: { fullPath: string } | null }>(
    schema,
    'query ($name: ID!) { group(fullPath: $name) { fullPath } }',
  );
  const findPerson = compileOperation<{ user: Profiled | null }>(
    schema,
    `query ($name: String!) { user(username: $name) { ${profiledFields} } }`,
  );
  const projectsOf = projectLister(schema);
  const activityOf = personActivity(schema);
  const keysOf = publicKeys(schema);
  return async (visit, segment) => {
    const { site, context } = visit;
    const [name] = nameSegments(segment) ?? [];
    if (name === undefined) return null;
    const { group } = await findGroup.execute(context, { name });
    if (group) return seeOther(`/groups/${group.fullPath}`);
    if (name.endsWith('.keys')) return await keysOf(visit, name.slice(0, -'.keys'.length));
    requireVisitor(visit);
    const { user } = await findPerson.execute(context, { name });
    if (!user) return null;
    const symbol = user.status?.emoji ? (await emojiNamed(user.status.emoji))?.character : undefined;
    const projects = await projectsOf(visit, { ownedBy: user.username });
    // The latest: the cursor in the address is that of the projects.
    const { nodes: happenings } = await activityOf(context, { user: user.username }, {});
    return toAnswer(
      <Profile site={site} person={user} symbol={symbol} projects={projects} happenings={happenings} />,
      200,
      { scripts: true },
    );
  };
}

/** `/ada.keys`: the keys that let a person in, as `authorized_keys` has them, for everyone as over REST. */
function publicKeys(schema: GraphQLSchema): (visit: Visit, username: string) => Promise<Answer> {
  const list = compileOperation<{
    sshKeys: { nodes: readonly { key: string; usageType: string; expiresAt: string | null }[] };
  }>(schema, 'query ($username: ID) { sshKeys(userId: $username, first: 100) { nodes { key usageType expiresAt } } }');
  return async ({ context }, username) => {
    const { nodes } = (await list.execute(context, { username })).sshKeys;
    const now = Date.now();
    const lines = nodes
      .filter(({ usageType, expiresAt }) => usageType !== 'SIGNING' && !(expiresAt && Date.parse(expiresAt) <= now))
      .map(({ key }) => `${key}\n`);
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: lines.join(''),
    };
  };
}
