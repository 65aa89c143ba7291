import type { Prisma } from '../../../database/client/client.ts';

/**
 * What is stored about a person, table by table. Places are told by number where
 * the person needn't be able to see them: their names may have become secret since.
 */
export const stored = {
  id: true,
  username: true,
  name: true,
  state: true,
  administrator: true,
  tier: true,
  publicEmail: true,
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
      groupId: true,
      group: { select: { fullPath: true } },
      accessLevel: true,
      expiresAt: true,
      createdAt: true,
    },
  },
  projectMemberships: {
    select: {
      projectId: true,
      project: { select: { fullPath: true } },
      accessLevel: true,
      expiresAt: true,
      createdAt: true,
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
} as const satisfies Prisma.UserSelect;

/** What was done by the person and to them; ids of others stay numbers. */
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

const proof = 'Proves who someone is, or would help to find out what does. Whoever holds it could act as the person.';
const says = (what: string) => `Says no more than ${what}.`;

/**
 * What is left out, and why: columns of the tables above, and what leads elsewhere.
 * The export carries these words.
 */
export const withheld: Readonly<Record<string, string>> = {
  'User.passwordHash': proof,
  'User.primaryEmail': says('which of the addresses is the primary one'),
  'PersonalAccessToken.digest': proof,
  'Application.secretDigest': proof,
  'AccessToken.digest': proof,
  'RefreshToken.digest': proof,
  'RefreshToken.successor': proof,
  'RefreshToken.sealed': proof,
  'RefreshToken.sealedUntil': 'Until when a successor is kept for a retry; nothing of the person’s.',
  'RefreshToken.accessTokenId': says('which access token was issued together with it'),
  'AuthorizationCode.digest': proof,
  'AuthorizationCode.challenge': proof,
  'AuthorizationCode.grantId': says('which of the grants came of it'),
  'DeviceCode.digest': proof,
  'DeviceCode.userCodeDigest': proof,
  'DeviceCode.intervalSeconds': 'About the device: how often it may ask.',
  'DeviceCode.polledAt': 'About the device: when it last asked.',
  'DeviceCode.grantId': says('which of the grants came of it'),
  'Session.digest': proof,
  'KnownPlace.place': 'A digest of an address or a browser, from which nobody can mailAccount either.',
  'SecondFactor.sealedSeed': proof,
  'SecondFactor.lastStep': proof,
  'RecoveryCode.digest': proof,
  'PendingSignIn.digest': proof,
  'MailedToken.digest': proof,
  'Grant.codes': says('which of the codes it came of'),
  'Grant.deviceCodes': says('which of the device codes it came of'),
  'Namespace.ancestry': says('the id of the namespace itself'),
  'Namespace.parentId': 'A person’s own place lies in no other.',
  Project:
    'Of a project that the person made, its number: all else belongs to the project, and whoever may see that can read it there.',
  'GlobalNotificationSetting.notificationEmailId': says('the address that is there'),
  'MailedToken.emailId': says('the address that is there'),
  'AuditEvent.address': 'Of what another person did, null: from where they did it says something of them.',
  'AuditEvent.minuteKey': says('what else the event says'),
  SentForm:
    'That a form was sent in a session, so that it does nothing twice; what it brought is shown once, under a key until then.',
  AttemptCounter: 'Failed tries, counted by account, address and browser, and forgotten after a day at the latest.',
};
