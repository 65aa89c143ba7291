import { expect } from 'vitest';
import { id, moment, page, refused } from '../client-documents.ts';
import { all, denied, has, maintainer, path, project, sha, some, whole, type WorkDocument } from './harbour.ts';

/** Documents of GitLab’s extension for VS Code. */

/** What a document asks of each comment. */
const noteFields = `fragment place on Note {
  position { diffRefs { baseSha headSha startSha } filePath positionType newLine oldLine newPath oldPath }
}
fragment noteFields on Note {
  id createdAt system author { avatarUrl name username webUrl } body bodyHtml url
  userPermissions { resolveNote adminNote createNote } ...place
}
fragment threadFields on Discussion {
  replyId createdAt resolved resolvable notes { pageInfo { hasNextPage endCursor } nodes { ...noteFields } }
}
fragment threads on DiscussionConnection { pageInfo { hasNextPage endCursor } nodes { ...threadFields } }`;

const place = {
  diffRefs: { baseSha: sha, headSha: sha, startSha: sha },
  filePath: 'README.md',
  positionType: 'text',
  newLine: 2,
  oldLine: null,
  newPath: 'README.md',
  oldPath: 'README.md',
};
const thread = (body: string, userPermissions: object) =>
  has({
    replyId: expect.stringMatching(/^gid:\/\/gitlab\/\w*Discussion\/[0-9a-f]{40}$/),
    createdAt: moment,
    resolvable: true,
    notes: {
      pageInfo: whole,
      nodes: [
        {
          id: id('DiffNote'),
          createdAt: moment,
          system: false,
          author: maintainer,
          body,
          bodyHtml: expect.stringContaining('<strong>two</strong>'),
          url: expect.stringMatching(/\/maintainer\/harbour\/-\/merge_requests\/1.*#note_\d+$/),
          userPermissions,
          position: place,
        },
      ],
    },
  });
const threadsFor = (resolveNote: boolean, adminNote: boolean, createNote: boolean) => ({
  project: {
    id: project.id,
    mergeRequest: {
      discussions: {
        pageInfo: whole,
        nodes: some(thread('Why **two**?', { resolveNote, adminNote, createNote })),
      },
    },
  },
});

export const vsCodeDocuments: readonly WorkDocument[] = [
  {
    client: 'GitLab for VS Code',
    what: 'the threads of a merge request',
    query: `query getMrDiscussions($path: ID!, $iid: String!, $after: String) {
      project(fullPath: $path) { id mergeRequest(iid: $iid) { discussions(after: $after) { ...threads } } }
    }
    ${noteFields}`,
    variables: { path, iid: '1' },
    signedIn: threadsFor(true, true, true),
    anonymous: threadsFor(false, false, false),
    stranger: threadsFor(false, false, true),
  },
  {
    client: 'GitLab for VS Code',
    what: 'a comment on an issue',
    query: `mutation createNote($issuableId: NoteableID!, $body: String!, $replyId: DiscussionID) {
      createNote(input: { noteableId: $issuableId, body: $body, discussionId: $replyId }) { errors note { ...noteFields } }
    }
    ${noteFields.slice(0, noteFields.indexOf('fragment threadFields'))}`,
    named: ({ issue }) => ({ issuableId: issue, body: 'Is it low tide?' }),
    signedIn: {
      createNote: {
        errors: [],
        note: has({ id: id('Note'), body: 'Is it low tide?', author: maintainer, position: null }),
      },
    },
    anonymous: denied({ createNote: null }),
    stranger: { createNote: { errors: [], note: has({ body: 'Is it low tide?', system: false }) } },
  },
  {
    client: 'GitLab for VS Code',
    what: 'the threads of an issue',
    query: `query getIssueDiscussions($path: ID!, $iid: String!, $after: String) {
      project(fullPath: $path) { id issue(iid: $iid) { discussions(after: $after) { ...threads } } }
    }
    ${noteFields}`,
    variables: { path, iid: '1' },
    ...all({
      project: {
        id: project.id,
        issue: {
          discussions: {
            pageInfo: whole,
            nodes: some(
              has({
                resolvable: false,
                notes: {
                  pageInfo: whole,
                  nodes: [has({ body: 'Is it low tide?', author: maintainer, position: null })],
                },
              }),
            ),
          },
        },
      },
    }),
  },
  {
    client: 'GitLab for VS Code',
    what: 'a comment on a line',
    query: `mutation createDiffNote($issuableId: NoteableID!, $body: String!, $position: DiffPositionInput!) {
      createDiffNote(input: { noteableId: $issuableId, body: $body, position: $position }) {
        errors note { discussion { ...threadFields } }
      }
    }
    ${noteFields.slice(0, noteFields.indexOf('fragment threads '))}`,
    named: ({ mergeRequests: [issuableId], refs }) => ({
      issuableId,
      body: 'Not **two**',
      position: { ...refs, paths: { newPath: 'README.md', oldPath: 'README.md' }, newLine: 2 },
    }),
    signedIn: {
      createDiffNote: {
        errors: [],
        note: { discussion: thread('Not **two**', { resolveNote: true, adminNote: true, createNote: true }) },
      },
    },
    anonymous: denied({ createDiffNote: null }),
    stranger: { createDiffNote: { errors: [], note: { discussion: has({ resolved: false, resolvable: true }) } } },
  },
  {
    client: 'GitLab for VS Code',
    what: 'that a thread is resolved',
    query: `mutation setResolved($replyId: DiscussionID!, $resolved: Boolean!) {
      discussionToggleResolve(input: { id: $replyId, resolve: $resolved }) { errors }
    }`,
    named: (work) => ({ replyId: work.thread, resolved: true }),
    signedIn: { discussionToggleResolve: { errors: [] } },
    anonymous: denied({ discussionToggleResolve: null }),
    stranger: refused({ discussionToggleResolve: null }),
  },
  {
    client: 'GitLab for VS Code',
    what: 'another text of a comment',
    query: `mutation updateNoteBody($noteId: NoteID!, $body: String) {
      updateNote(input: { id: $noteId, body: $body }) { errors }
    }`,
    named: ({ comment }) => ({ noteId: comment, body: 'Well done, all' }),
    signedIn: { updateNote: { errors: [] } },
    anonymous: denied({ updateNote: null }),
    stranger: refused({ updateNote: null }),
  },
  {
    client: 'GitLab for VS Code',
    what: 'whether one comments on a merge request',
    query: `query getMrPermissions($path: ID!, $iid: String!) {
      project(fullPath: $path) { mergeRequest(iid: $iid) { userPermissions { createNote } } }
    }`,
    variables: { path, iid: '1' },
    signedIn: { project: { mergeRequest: { userPermissions: { createNote: true } } } },
    anonymous: { project: { mergeRequest: { userPermissions: { createNote: false } } } },
    stranger: { project: { mergeRequest: { userPermissions: { createNote: true } } } },
  },
  {
    client: 'GitLab for VS Code',
    what: 'the snippets of a project',
    query: `query getSnippets($path: ID!, $after: String) {
      project(fullPath: $path) {
        id
        snippets(after: $after) {
          pageInfo { hasNextPage endCursor }
          nodes { id title description blobs { nodes { name path rawPath } } }
        }
      }
    }`,
    variables: { path },
    ...all({
      project: {
        id: project.id,
        snippets: {
          pageInfo: whole,
          nodes: [
            {
              id: id('ProjectSnippet'),
              title: 'Tide',
              description: 'Says it',
              blobs: {
                nodes: [
                  {
                    name: 'tide.sh',
                    path: 'tide.sh',
                    rawPath: expect.stringMatching(/^\/maintainer\/harbour\/-\/snippets\/\d+\/raw\/\w+\/tide\.sh$/),
                  },
                ],
              },
            },
          ],
        },
      },
    }),
  },
  {
    client: 'GitLab for VS Code',
    what: 'the files of a snippet',
    query: `query getSnippetContent($snippetId: SnippetID!) {
      snippets(ids: [$snippetId]) { nodes { blobs { nodes { path rawPlainData } } } }
    }`,
    named: ({ snippet }) => ({ snippetId: snippet }),
    ...all({ snippets: { nodes: [{ blobs: { nodes: [{ path: 'tide.sh', rawPlainData: 'echo tide\n' }] } }] } }),
    anonymous: denied({ snippets: null }),
  },
  {
    client: 'GitLab for VS Code',
    what: 'where to create a project',
    query: `query searchNamespaces($search: String) {
      currentUser {
        id
        groups(permissionScope: CREATE_PROJECTS, search: $search) { nodes { id fullPath name visibility webUrl } }
        namespace { id fullPath }
      }
    }`,
    variables: { search: 'demo' },
    signedIn: {
      currentUser: {
        id: id('User'),
        groups: {
          nodes: [
            { id: id('Group'), fullPath: 'demo', name: 'Demo', visibility: 'public', webUrl: page('groups/demo') },
            has({ fullPath: 'demo/platform', visibility: 'private' }),
          ],
        },
        namespace: { id: id('Namespaces::UserNamespace'), fullPath: 'maintainer' },
      },
    },
    anonymous: { currentUser: null },
    stranger: { currentUser: has({ groups: { nodes: [] } }) },
  },
  {
    client: 'GitLab for VS Code',
    what: 'one’s role in a project',
    query: 'query getAccessLevel($path: ID!) { project(fullPath: $path) { maxAccessLevel { integerValue } } }',
    variables: { path },
    signedIn: { project: { maxAccessLevel: { integerValue: 50 } } },
    anonymous: { project: { maxAccessLevel: { integerValue: 0 } } },
    stranger: { project: { maxAccessLevel: { integerValue: 0 } } },
  },
];
