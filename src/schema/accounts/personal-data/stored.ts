import type { Prisma } from '../../../database/client/client.ts';

/**
 * What is stored about a person, table by table. Places are exported by id: the person may no longer be allowed to
 * see their names.
 */
export const stored = {
  id: true,
  username: true,
  name: true,
  state: true,
  administrator: true,
  tier: true,
  publicEmail: true,
  attributes: true,
  external: true,
  privateProfile: true,
  canCreateGroup: true,
  projectsLimit: true,
  createdAt: true,
  updatedAt: true,
  validFrom: true,
  deletingSince: true,
  emails: { select: { id: true, address: true, primaryOf: true, verifiedAt: true, createdAt: true } },
  namespace: {
    select: {
      id: true,
      kind: true,
      name: true,
      path: true,
      fullPath: true,
      description: true,
      visibility: true,
      createdAt: true,
      updatedAt: true,
      deletingSince: true,
      projects: {
        select: { id: true, fullPath: true, name: true, description: true, visibility: true, createdAt: true },
      },
    },
  },
  groupMemberships: {
    select: {
      id: true,
      groupId: true,
      group: { select: { fullPath: true } },
      accessLevel: true,
      expiresAt: true,
      createdAt: true,
      updatedAt: true,
    },
  },
  projectMemberships: {
    select: {
      id: true,
      projectId: true,
      project: { select: { fullPath: true } },
      accessLevel: true,
      expiresAt: true,
      createdAt: true,
      updatedAt: true,
    },
  },
  createdProjects: { select: { id: true, createdAt: true } },
  stars: { select: { projectId: true, createdAt: true } },
  globalNotificationSetting: {
    select: { level: true, events: true, notificationEmail: { select: { address: true } }, updatedAt: true },
  },
  groupNotificationSettings: { select: { groupId: true, level: true, events: true, updatedAt: true } },
  projectNotificationSettings: { select: { projectId: true, level: true, events: true, updatedAt: true } },
  personalAccessTokens: {
    select: {
      id: true,
      name: true,
      description: true,
      scopes: true,
      createdAt: true,
      expiresAt: true,
      lastUsedAt: true,
      revokedAt: true,
      rotatedAt: true,
      familyId: true,
    },
  },
  applications: {
    select: {
      id: true,
      uid: true,
      name: true,
      confidential: true,
      redirectUris: true,
      scopes: true,
      grantTypes: true,
      createdAt: true,
      validFrom: true,
    },
  },
  authorizations: { select: { applicationId: true, validFrom: true } },
  consents: { select: { applicationId: true, redirectUri: true, scopes: true } },
  grants: {
    select: {
      id: true,
      kind: true,
      applicationId: true,
      application: { select: { name: true } },
      authorizedAt: true,
      endedAt: true,
      expiresAt: true,
      accessTokens: { select: { id: true, scopes: true, createdAt: true, expiresAt: true, revokedAt: true } },
      refreshTokens: { select: { id: true, scopes: true, createdAt: true, expiresAt: true, rotatedAt: true } },
    },
  },
  codes: {
    select: {
      id: true,
      applicationId: true,
      redirectUri: true,
      scopes: true,
      authorizedAt: true,
      expiresAt: true,
      redeemedAt: true,
    },
  },
  deviceCodes: {
    select: {
      id: true,
      applicationId: true,
      scopes: true,
      createdAt: true,
      expiresAt: true,
      approved: true,
      decidedAt: true,
      redeemedAt: true,
    },
  },
  sessions: {
    select: {
      id: true,
      address: true,
      userAgent: true,
      createdAt: true,
      lastUsedAt: true,
      authenticatedAt: true,
      validAt: true,
    },
  },
  knownPlaces: { select: { lastAt: true } },
  secondFactor: { select: { confirmedAt: true, createdAt: true } },
  recoveryCodes: { select: { id: true, usedAt: true } },
  pendingSignIns: { select: { id: true, passwordCheckedAt: true, expiresAt: true } },
  mailedTokens: {
    select: { id: true, kind: true, email: { select: { address: true } }, createdAt: true, expiresAt: true },
  },
  authoredIssues: {
    select: {
      id: true,
      projectId: true,
      iid: true,
      title: true,
      description: true,
      confidential: true,
      createdAt: true,
      updatedAt: true,
    },
  },
  assignedIssues: { select: { id: true } },
  closedIssues: { select: { id: true, closedAt: true } },
  updatedIssues: { select: { id: true, updatedAt: true } },
  participations: { select: { issueId: true } },
  notes: {
    select: {
      id: true,
      issueId: true,
      snippetId: true,
      projectId: true,
      body: true,
      system: true,
      internal: true,
      createdAt: true,
      updatedAt: true,
    },
  },
  resolvedNotes: { select: { id: true, resolvedAt: true } },
  editedNotes: { select: { id: true, editedAt: true } },
  resourceEvents: {
    select: { id: true, issueId: true, kind: true, action: true, labelId: true, milestoneId: true, createdAt: true },
  },
  awards: {
    select: { id: true, issueId: true, noteId: true, snippetId: true, name: true, createdAt: true, updatedAt: true },
  },
  todos: {
    select: {
      id: true,
      projectId: true,
      groupId: true,
      issueId: true,
      noteId: true,
      action: true,
      state: true,
      authorId: true,
      createdAt: true,
      updatedAt: true,
    },
  },
  subscriptions: {
    select: {
      id: true,
      issueId: true,
      labelId: true,
      projectId: true,
      subscribed: true,
      createdAt: true,
      updatedAt: true,
    },
  },
  timelogs: {
    select: {
      id: true,
      issueId: true,
      noteId: true,
      seconds: true,
      summary: true,
      spentAt: true,
      createdAt: true,
      updatedAt: true,
    },
  },
  snippets: {
    select: {
      id: true,
      projectId: true,
      title: true,
      description: true,
      visibility: true,
      createdAt: true,
      updatedAt: true,
      files: { select: { path: true, position: true, content: true } },
    },
  },
} as const satisfies Prisma.UserSelect;

/** Audit events by the person and about them; other people appear only by id. */
export const storedEvents = {
  id: true,
  at: true,
  kind: true,
  applicationId: true,
  actorId: true,
  userId: true,
  scopes: true,
  address: true,
  requestId: true,
  detail: true,
  count: true,
} as const satisfies Prisma.AuditEventSelect;

/** What the person did in groups and projects: ids only. */
export const storedActivity = {
  id: true,
  at: true,
  kind: true,
  actorId: true,
  groupId: true,
  projectId: true,
  subjectKind: true,
  subjectId: true,
  ids: true,
} as const satisfies Prisma.EventSelect;

const proof = 'A secret, or something that helps to guess one: it would let others act as the person.';
const added = 'Memberships of other people: data of theirs. The audit events say whom the person added.';
const says = (what: string) => `Says no more than ${what}.`;

/**
 * What is left out, and why: columns of the tables above, and relations that lead elsewhere. The export contains
 * these texts.
 */
export const withheld: Readonly<Record<string, string>> = {
  'User.passwordHash': proof,
  'User.primaryEmail': says('which of the addresses is the primary one'),
  'User.addedGroupMembers': added,
  'User.addedProjectMembers': added,
  'PersonalAccessToken.digest': proof,
  'Application.secretDigest': proof,
  'AccessToken.digest': proof,
  'RefreshToken.digest': proof,
  'RefreshToken.successor': proof,
  'RefreshToken.sealed': proof,
  'RefreshToken.sealedUntil': 'How long a successor is kept for a retry; no personal data.',
  'RefreshToken.accessTokenId': says('which access token was issued together with it'),
  'AuthorizationCode.digest': proof,
  'AuthorizationCode.challenge': proof,
  'AuthorizationCode.grantId': says('which grant was issued for it'),
  'DeviceCode.digest': proof,
  'DeviceCode.userCodeDigest': proof,
  'DeviceCode.intervalSeconds': 'About the device: how often it may ask.',
  'DeviceCode.polledAt': 'About the device: when it last asked.',
  'DeviceCode.grantId': says('which grant was issued for it'),
  'Session.digest': proof,
  'KnownPlace.place': 'A digest of an address or a browser, from which neither can be recovered.',
  'SecondFactor.sealedSeed': proof,
  'SecondFactor.lastStep': proof,
  'RecoveryCode.digest': proof,
  'PendingSignIn.digest': proof,
  'MailedToken.digest': proof,
  'Grant.codes': says('which code it was issued for'),
  'Grant.deviceCodes': says('which device code it was issued for'),
  'Namespace.ancestry': says('the id of the namespace itself'),
  'Namespace.parentId': 'A person’s own place has no parent.',
  Project:
    'Only the id of a project that the person created: everything else belongs to the project, and is readable there.',
  Issue:
    'What the person wrote, and what they did when: everything else belongs to the project, and is readable there.',
  Note: 'What the person wrote, and what they did when: everything else belongs to its issue or snippet.',
  'User.causedTodos': 'To-dos of other people: data of theirs.',
  'GlobalNotificationSetting.notificationEmailId': says('the address that is there'),
  'MailedToken.emailId': says('the address that is there'),
  'AuditEvent.address': 'Null for what another person did: the address is that person’s data.',
  'AuditEvent.minuteKey': says('what else the event says'),
  SentForm:
    'Marks a form of a session as sent, so that it has no effect twice; its result is sealed until it is shown, once.',
  AttemptCounter: 'Failed attempts, counted by account, address and browser, and removed after a day at the latest.',
};
