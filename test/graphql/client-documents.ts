import { expect } from 'vitest';

/**
 * Documents that published clients of GitLab's GraphQL send, each in our own words: the same fields, arguments and
 * values. They run on the demo workspace.
 */

/** What somebody gets: the data; or a refusal, with the data beside it. */
export type Expected = Readonly<Record<string, unknown>> | Refusal;

export class Refusal {
  readonly message: unknown;
  readonly data: unknown;
  constructor(message: unknown, data: unknown) {
    this.message = message;
    this.data = data;
  }
}

export interface ClientDocument {
  readonly client: string;
  /** What the client needs it for. */
  readonly what: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Who is signed in; `maintainer` of the group `demo`, if omitted. */
  readonly by?: 'root';
  /** What somebody signed in gets. */
  readonly signedIn: Expected;
  /** What a request without a credential gets. */
  readonly anonymous: Expected;
  /** What a person gets who isn't a member of anything. */
  readonly stranger: Expected;
}

export const id = (type: string) => expect.stringMatching(new RegExp(`^gid://gitlab/${type}/\\d+$`));
export const page = (path: string) => expect.stringMatching(new RegExp(`^https?://[^/]+/${path}$`));
export const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
export const refused = (data: unknown) =>
  new Refusal(
    "The resource that you are attempting to access does not exist or you don't have permission to perform this action",
    data,
  );

const demo = { id: id('Group'), fullPath: 'demo' };
const storefront = { id: id('Project'), fullPath: 'demo/storefront' };
const api = { id: id('Project'), fullPath: 'demo/platform/api' };
const developer = {
  id: id('User'),
  username: 'developer',
  name: 'Dev Developer',
  state: 'active',
  webUrl: page('developer'),
};

export const documents: readonly ClientDocument[] = [
  {
    client: 'GitLens',
    what: 'the id of the project that a remote leads to',
    query: 'query getProjectId($fullPath: ID!) { project(fullPath: $fullPath) { id } }',
    variables: { fullPath: 'demo/platform/api' },
    signedIn: { project: { id: api.id } },
    anonymous: { project: null },
    stranger: { project: null },
  },
  {
    client: 'GitLens',
    what: 'the account behind a name in a commit',
    query:
      'query findUser($search: String!) { users(search: $search) { nodes { id name username publicEmail state avatarUrl webUrl } } }',
    variables: { search: 'Dev Developer' },
    signedIn: { users: { nodes: [{ ...developer, publicEmail: null, avatarUrl: null }] } },
    anonymous: new Refusal(expect.any(String), { users: null }),
    stranger: { users: { nodes: [{ ...developer, publicEmail: null, avatarUrl: null }] } },
  },
  {
    client: 'JetBrains IDEs',
    what: 'the version of the server',
    query: '{ metadata { version revision enterprise kas { enabled version externalUrl } } }',
    signedIn: {
      metadata: {
        version: '13.12.0',
        revision: expect.any(String),
        enterprise: false,
        kas: { enabled: false, version: null, externalUrl: null },
      },
    },
    anonymous: { metadata: null },
    stranger: { metadata: expect.objectContaining({ version: '13.12.0' }) },
  },
  {
    client: 'JetBrains IDEs',
    what: 'the person whose token it is, and where they are a member',
    query: `{
      currentUser {
        id username name avatarUrl webUrl
        namespace { fullPath }
        groupMemberships { nodes { group { fullPath } accessLevel { integerValue stringValue } } }
        projectMemberships { nodes { project { fullPath } } }
      }
    }`,
    signedIn: {
      currentUser: {
        id: id('User'),
        username: 'maintainer',
        name: 'Mary Maintainer',
        avatarUrl: null,
        webUrl: page('maintainer'),
        namespace: { fullPath: 'maintainer' },
        groupMemberships: {
          nodes: [{ group: { fullPath: 'demo' }, accessLevel: { integerValue: 40, stringValue: 'MAINTAINER' } }],
        },
        projectMemberships: { nodes: [] },
      },
    },
    anonymous: { currentUser: null },
    stranger: {
      currentUser: expect.objectContaining({
        username: 'stranger',
        groupMemberships: { nodes: [] },
        projectMemberships: { nodes: [] },
      }),
    },
  },
  {
    client: 'JetBrains IDEs',
    what: 'a project, with the addresses of its repository',
    query: `query getProject($fullPath: ID!) {
      project(fullPath: $fullPath) {
        id name nameWithNamespace path fullPath description httpUrlToRepo sshUrlToRepo isForked
        issuesEnabled mergeRequestsEnabled
        userPermissions { readProject adminProject pushCode }
      }
    }`,
    variables: { fullPath: 'demo/platform/api' },
    signedIn: {
      project: {
        ...api,
        name: 'API',
        nameWithNamespace: 'Demo / Platform / API',
        path: 'api',
        description: 'The service behind the shop.',
        httpUrlToRepo: expect.stringMatching(/^http.*\/demo\/platform\/api\.git$/),
        sshUrlToRepo: null,
        isForked: false,
        issuesEnabled: expect.any(Boolean),
        mergeRequestsEnabled: expect.any(Boolean),
        userPermissions: { readProject: true, adminProject: true, pushCode: true },
      },
    },
    anonymous: { project: null },
    stranger: { project: null },
  },
  {
    client: 'JetBrains IDEs',
    what: 'the projects to clone',
    query: `query getProjects($after: String) {
      projects(membership: true, first: 50, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id fullPath nameWithNamespace webUrl }
      }
    }`,
    signedIn: {
      projects: {
        pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
        nodes: [
          { ...api, nameWithNamespace: 'Demo / Platform / API', webUrl: page('demo/platform/api') },
          { ...storefront, nameWithNamespace: 'Demo / Storefront', webUrl: page('demo/storefront') },
        ],
      },
    },
    anonymous: { projects: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] } },
    stranger: { projects: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] } },
  },
  {
    client: 'JetBrains IDEs',
    what: 'the groups to share a snippet or a project with',
    query: '{ groups(allAvailable: false) { nodes { id fullPath fullName } } }',
    signedIn: {
      groups: {
        nodes: [
          { ...demo, fullName: 'Demo' },
          { id: id('Group'), fullPath: 'demo/platform', fullName: 'Demo / Platform' },
        ],
      },
    },
    anonymous: { groups: { nodes: [] } },
    stranger: { groups: { nodes: [] } },
  },
  {
    client: 'JetBrains IDEs',
    what: 'the people to assign or to ask for a review',
    query: `query members($fullPath: ID!, $search: String) {
      project(fullPath: $fullPath) {
        projectMembers(search: $search, relations: [DIRECT, INHERITED]) { nodes { user { id username name avatarUrl webUrl } } }
      }
    }`,
    variables: { fullPath: 'demo/platform/api', search: 'develop' },
    signedIn: {
      project: {
        projectMembers: {
          nodes: [
            {
              user: {
                id: id('User'),
                username: 'developer',
                name: 'Dev Developer',
                avatarUrl: null,
                webUrl: page('developer'),
              },
            },
          ],
        },
      },
    },
    anonymous: { project: null },
    stranger: { project: null },
  },
  {
    client: 'GitLab for VS Code',
    what: 'the project of a workspace folder',
    query: `query getProject($fullPath: ID!) { project(fullPath: $fullPath) { ...details } }
fragment details on Project {
  id name description httpUrlToRepo sshUrlToRepo fullPath webUrl wikiEnabled
  group { id }
}`,
    variables: { fullPath: 'demo/storefront' },
    signedIn: {
      project: expect.objectContaining({ ...storefront, name: 'Storefront', group: { id: demo.id } }),
    },
    anonymous: { project: expect.objectContaining({ ...storefront, group: { id: demo.id } }) },
    stranger: { project: expect.objectContaining({ ...storefront, group: { id: demo.id } }) },
  },
  {
    client: 'GitLab for VS Code',
    what: 'a project to clone, by a part of its path',
    query: `query getProjects($search: String, $membership: Boolean, $limit: Int, $searchNamespaces: Boolean) {
      projects(search: $search, membership: $membership, first: $limit, searchNamespaces: $searchNamespaces) {
        nodes { id name description fullPath webUrl group { id } }
      }
    }`,
    variables: { search: 'platform', membership: false, limit: 30, searchNamespaces: true },
    signedIn: {
      projects: {
        nodes: [
          {
            ...api,
            name: 'API',
            description: 'The service behind the shop.',
            webUrl: page('demo/platform/api'),
            group: { id: id('Group') },
          },
        ],
      },
    },
    anonymous: { projects: { nodes: [] } },
    stranger: { projects: { nodes: [] } },
  },
  {
    client: 'Backstage',
    what: 'all groups below one, for the catalogue',
    query: `query listDescendantGroups($group: ID!, $endCursor: String) {
      group(fullPath: $group) {
        descendantGroups(first: 100, after: $endCursor) {
          nodes { id name description fullPath visibility parent { id } }
          pageInfo { endCursor hasNextPage }
        }
      }
    }`,
    variables: { group: 'demo' },
    signedIn: {
      group: {
        descendantGroups: {
          nodes: [
            {
              id: id('Group'),
              name: 'Platform',
              description: 'Shared services.',
              fullPath: 'demo/platform',
              visibility: 'private',
              parent: { id: demo.id },
            },
          ],
          pageInfo: { endCursor: expect.any(String), hasNextPage: false },
        },
      },
    },
    anonymous: { group: { descendantGroups: { nodes: [], pageInfo: { endCursor: null, hasNextPage: false } } } },
    stranger: { group: { descendantGroups: { nodes: [], pageInfo: { endCursor: null, hasNextPage: false } } } },
  },
  {
    client: 'Backstage',
    what: 'the members of a group, for the catalogue',
    query: `query getGroupMembers($group: ID!, $relations: [GroupMemberRelation!], $endCursor: String) {
      group(fullPath: $group) {
        groupMembers(first: 100, relations: $relations, after: $endCursor) {
          nodes { user { id username publicEmail name state webUrl avatarUrl } accessLevel { stringValue } }
          pageInfo { endCursor hasNextPage }
        }
      }
    }`,
    variables: { group: 'demo/platform', relations: ['DIRECT', 'INHERITED'] },
    signedIn: {
      group: {
        groupMembers: {
          nodes: expect.arrayContaining([
            {
              user: { ...developer, publicEmail: null, avatarUrl: null },
              accessLevel: { stringValue: 'DEVELOPER' },
            },
          ]),
          pageInfo: { endCursor: expect.any(String), hasNextPage: false },
        },
      },
    },
    anonymous: { group: null },
    stranger: { group: null },
  },
  {
    client: 'gitlab-mcp',
    what: 'people by their usernames',
    query:
      'query getUsers($usernames: [String!]) { users(usernames: $usernames) { nodes { id username name state webUrl } } }',
    variables: { usernames: ['developer', 'no-such-person'] },
    signedIn: { users: { nodes: [developer] } },
    anonymous: { users: { nodes: [developer] } },
    stranger: { users: { nodes: [developer] } },
  },
  {
    client: 'gitlab-mcp',
    what: 'the kind of a namespace',
    query: '{ namespace(fullPath: "demo/platform") { id fullPath fullName name path visibility __typename } }',
    signedIn: {
      namespace: {
        id: id('Group'),
        fullPath: 'demo/platform',
        fullName: 'Demo / Platform',
        name: 'Platform',
        path: 'platform',
        visibility: 'private',
        __typename: 'Namespace',
      },
    },
    anonymous: { namespace: null },
    stranger: { namespace: null },
  },
  {
    client: 'gitlab-mcp',
    what: 'the group or the project that a call is about',
    query: `query whereTo($group: ID!, $project: ID!) {
      group(fullPath: $group) { id name fullPath visibility webUrl }
      project(fullPath: $project) { id name fullPath visibility archived createdAt lastActivityAt topics }
    }`,
    variables: { group: 'demo', project: 'demo/platform/api' },
    signedIn: {
      group: { ...demo, name: 'Demo', visibility: 'public', webUrl: page('groups/demo') },
      project: {
        ...api,
        name: 'API',
        visibility: 'private',
        archived: false,
        createdAt: moment,
        lastActivityAt: moment,
        topics: [],
      },
    },
    anonymous: { group: { ...demo, name: 'Demo', visibility: 'public', webUrl: page('groups/demo') }, project: null },
    stranger: { group: { ...demo, name: 'Demo', visibility: 'public', webUrl: page('groups/demo') }, project: null },
  },
  {
    client: 'Port',
    what: 'the projects of the token’s owner',
    query: `query Projects($cursor: String) {
      projects(membership: true, first: 100, after: $cursor) {
        pageInfo { hasNextPage endCursor }
        nodes { ...ProjectFields }
      }
    }
    fragment ProjectFields on Project {
      id name webUrl description fullPath
      repository { rootRef }
      group { id fullPath }
    }`,
    signedIn: {
      projects: {
        pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
        nodes: [
          expect.objectContaining({ ...api, group: { id: id('Group'), fullPath: 'demo/platform' } }),
          expect.objectContaining({ ...storefront, group: demo }),
        ],
      },
    },
    anonymous: { projects: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] } },
    stranger: { projects: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] } },
  },
  {
    client: 'Terraform, Pulumi',
    what: 'the current user',
    query: '{ currentUser { id username name bot groupCount namespace { id } publicEmail } }',
    signedIn: {
      currentUser: {
        id: id('User'),
        username: 'maintainer',
        name: 'Mary Maintainer',
        bot: false,
        // Those of projects that one is a member of by inheritance count too.
        groupCount: 2,
        namespace: { id: id('Namespaces::UserNamespace') },
        publicEmail: null,
      },
    },
    anonymous: { currentUser: null },
    stranger: { currentUser: expect.objectContaining({ username: 'stranger', groupCount: 0 }) },
  },
  {
    client: 'glab, python-gitlab and other scripts',
    what: 'who is signed in',
    query: '{ currentUser { name username } }',
    signedIn: { currentUser: { name: 'Mary Maintainer', username: 'maintainer' } },
    anonymous: { currentUser: null },
    stranger: { currentUser: { name: 'stranger', username: 'stranger' } },
  },
  {
    client: 'glab, python-gitlab and other scripts',
    what: 'whether the endpoint answers',
    query: '{ echo(text: "hello") }',
    signedIn: { echo: '"maintainer" says: hello' },
    anonymous: { echo: 'nil says: hello' },
    stranger: { echo: '"stranger" says: hello' },
  },
  {
    client: 'glab, python-gitlab and other scripts',
    what: 'some projects, by their paths',
    query: `{
      projects(fullPaths: ["demo/storefront", "demo/platform/api"], sort: "name_desc") {
        count
        nodes { fullPath visibility starCount forksCount namespace { fullPath } }
      }
    }`,
    signedIn: {
      projects: {
        count: 2,
        nodes: [
          {
            fullPath: 'demo/storefront',
            visibility: 'public',
            starCount: 0,
            forksCount: 0,
            namespace: { fullPath: 'demo' },
          },
          {
            fullPath: 'demo/platform/api',
            visibility: 'private',
            starCount: 0,
            forksCount: 0,
            namespace: { fullPath: 'demo/platform' },
          },
        ],
      },
    },
    anonymous: { projects: { count: 1, nodes: [expect.objectContaining({ fullPath: 'demo/storefront' })] } },
    stranger: { projects: { count: 1, nodes: [expect.objectContaining({ fullPath: 'demo/storefront' })] } },
  },
  {
    client: 'glab, python-gitlab and other scripts',
    what: 'the projects of a group and its subgroups',
    query: `{
      group(fullPath: "demo") {
        id name
        projects(includeSubgroups: true, sort: NAME_ASC) { nodes { name fullPath } }
      }
    }`,
    signedIn: {
      group: {
        id: demo.id,
        name: 'Demo',
        projects: {
          nodes: [
            { name: 'API', fullPath: 'demo/platform/api' },
            { name: 'Storefront', fullPath: 'demo/storefront' },
          ],
        },
      },
    },
    anonymous: {
      group: { id: demo.id, name: 'Demo', projects: { nodes: [{ name: 'Storefront', fullPath: 'demo/storefront' }] } },
    },
    stranger: {
      group: { id: demo.id, name: 'Demo', projects: { nodes: [{ name: 'Storefront', fullPath: 'demo/storefront' }] } },
    },
  },
  {
    client: 'glab, python-gitlab and other scripts',
    what: 'a change of a group',
    query: `mutation rename($input: GroupUpdateInput!) {
      groupUpdate(input: $input) { group { fullPath name } errors clientMutationId }
    }`,
    variables: { input: { fullPath: 'demo', name: 'Demo', clientMutationId: 'again' } },
    by: 'root',
    signedIn: {
      groupUpdate: { group: { fullPath: 'demo', name: 'Demo' }, errors: [], clientMutationId: 'again' },
    },
    anonymous: new Refusal(expect.any(String), { groupUpdate: null }),
    stranger: refused({ groupUpdate: null }),
  },
  {
    client: 'glab, python-gitlab and other scripts',
    what: 'a change with a mistake in it',
    query:
      'mutation { groupUpdate(input: { fullPath: "demo/platform", path: "no spaces" }) { group { path } errors } }',
    by: 'root',
    signedIn: { groupUpdate: { group: null, errors: [expect.stringMatching(/^Path can contain only letters/)] } },
    anonymous: new Refusal(expect.any(String), { groupUpdate: null }),
    stranger: refused({ groupUpdate: null }),
  },
  {
    client: 'A dashboard',
    what: 'the members of a group with their roles, its projects, and one’s own notification level in each',
    query: `{
      group(fullPath: "demo") {
        groupMembers { nodes { accessLevel { stringValue } user { username } } }
        projects { nodes { fullPath notificationSettings { effective { level source } } } }
      }
    }`,
    signedIn: {
      group: {
        groupMembers: {
          nodes: expect.arrayContaining([
            { accessLevel: { stringValue: 'GUEST' }, user: { username: 'guest' } },
            { accessLevel: { stringValue: 'MAINTAINER' }, user: { username: 'maintainer' } },
          ]),
        },
        projects: {
          nodes: [
            {
              fullPath: 'demo/storefront',
              notificationSettings: { effective: { level: 'PARTICIPATING', source: 'DEFAULT' } },
            },
          ],
        },
      },
    },
    anonymous: {
      group: expect.objectContaining({
        projects: { nodes: [{ fullPath: 'demo/storefront', notificationSettings: null }] },
      }),
    },
    stranger: { group: expect.objectContaining({ projects: { nodes: [expect.anything()] } }) },
  },
  {
    client: 'A dashboard',
    what: 'the error tracking of every project, and one’s own notification level',
    query: `{
      projects(membership: true) {
        nodes {
          fullPath
          errorTrackingSettings { active }
          notificationSettings { level effective { level source } }
        }
      }
    }`,
    signedIn: {
      projects: {
        nodes: [
          expect.objectContaining({ fullPath: 'demo/platform/api', errorTrackingSettings: null }),
          {
            fullPath: 'demo/storefront',
            errorTrackingSettings: { active: false },
            notificationSettings: { level: 'GLOBAL', effective: { level: 'PARTICIPATING', source: 'DEFAULT' } },
          },
        ],
      },
    },
    anonymous: { projects: { nodes: [] } },
    stranger: { projects: { nodes: [] } },
  },
  // Last, since it changes what others show.
  {
    client: 'glab, python-gitlab and other scripts',
    what: 'a star for a project',
    query: 'mutation star($input: StarProjectInput!) { starProject(input: $input) { count errors } }',
    variables: { input: { projectId: 'demo/platform/api', starred: true } },
    signedIn: { starProject: { count: '1', errors: [] } },
    anonymous: new Refusal(expect.any(String), { starProject: null }),
    stranger: refused({ starProject: null }),
  },
];
