import { someOf, withoutMarkup, type Attribute, type Attributes } from './attributes.ts';

/** The attributes of people that administrators write. Name, username, addresses and password have rules of their own. */

/** A text of the public profile. */
const profile = (description: string, problem?: (value: string) => string | undefined) =>
  ({
    type: 'text',
    description,
    unset: '',
    shownTo: 'everyone',
    longest: 500,
    clean: withoutMarkup,
    ...(problem && { problem }),
  }) as const;

/** The number of a choice from 1 on. */
const choice = (what: string, of: string, unset: number, last: number) =>
  ({
    type: 'integer',
    description: `The ${what} of pages, from 1 to ${last}. Kept for clients: pages have one.`,
    unset,
    shownTo: 'own',
    problem: (value: number) =>
      Number.isInteger(value) && value >= 1 && value <= last ? undefined : `${value} is not a valid ${of}`,
  }) as const;

const urlProblem = (value: string) =>
  /^https?:\/\//i.test(value) && URL.canParse(value) ? undefined : 'is not a valid URL';

const discordProblem = (value: string) =>
  /^\d{17,20}$/.test(value) ? undefined : 'must contain only a discord user ID.';

const viewDiffsFileByFile = {
  type: 'boolean',
  description: 'Whether differences are shown one file at a time. Kept for clients.',
  unset: false,
  shownTo: 'own',
  unlisted: true,
} as const;

/** The attributes that people change themselves over the API. Kept for clients. */
export const userPreferences = {
  viewDiffsFileByFile,
  showWhitespaceInDiffs: {
    type: 'boolean',
    description: 'Whether differences show changes of white space. Kept for clients.',
    unset: true,
    shownTo: 'own',
  },
  passUserIdentitiesToCiJwt: {
    type: 'boolean',
    description: 'Whether tokens of jobs name the identities of the person. Kept for clients.',
    unset: false,
    shownTo: 'own',
  },
} as const satisfies Attributes;

/** In the order of version 4's records. */
export const userAttributes = {
  bio: {
    type: 'text',
    description: 'What they say about themselves.',
    unset: '',
    shownTo: 'everyone',
    longest: 255,
    clean: withoutMarkup,
  },
  location: profile('Where they are.'),
  linkedin: profile('Their name or page at LinkedIn.'),
  twitter: profile('Their name at Twitter.'),
  discord: profile('The number of their account at Discord.', discordProblem),
  websiteUrl: profile('Their website, with http or https.', urlProblem),
  github: profile('Their name at GitHub.'),
  jobTitle: {
    type: 'text',
    description: 'Their job.',
    unset: '',
    shownTo: 'everyone',
    longest: 200,
    clean: withoutMarkup,
  },
  pronouns: {
    type: 'text',
    description: 'Their pronouns.',
    unset: null,
    shownTo: 'everyone',
    longest: 50,
    clean: withoutMarkup,
  },
  organization: profile('The organization that they work for.'),
  theme: { ...choice('theme', 'theme', 3, 11), wire: 'themeId' },
  colorScheme: { ...choice('color scheme', 'color scheme', 1, 6), wire: 'colorSchemeId' },
  projectsLimit: {
    type: 'integer',
    description: 'How many personal projects they may have; 0 for none.',
    unset: 100_000,
    shownTo: 'own',
    problem: (value) => (value < 0 ? 'must be greater than or equal to 0' : undefined),
    obeyed: true,
  },
  canCreateGroup: {
    type: 'boolean',
    description: 'Whether they may create groups at the root. External people may not.',
    unset: true,
    shownTo: 'own',
    obeyed: true,
  },
  external: {
    type: 'boolean',
    description:
      'Whether they see only what is public and where they have a role. A change to true sets `canCreateGroup` to false and `projectsLimit` to 0; a change to false sets both to their defaults, unless they are given.',
    unset: false,
    shownTo: 'own',
    obeyed: true,
  },
  privateProfile: {
    type: 'boolean',
    description: 'Whether others don’t see since when they have their account.',
    unset: false,
    shownTo: 'own',
    obeyed: true,
  },
  note: {
    type: 'text',
    description: 'What administrators note.',
    unset: null,
    shownTo: 'administrators',
    clean: withoutMarkup,
  },
  viewDiffsFileByFile,
} as const satisfies Attributes;

export type UserAttributes = typeof userAttributes;

/** The attributes that people set themselves, in their profile. */
export const profileAttributes = someOf(userAttributes, [
  'pronouns',
  'jobTitle',
  'organization',
  'location',
  'bio',
  'websiteUrl',
  'linkedin',
  'twitter',
  'discord',
  'github',
  'privateProfile',
]);

/** The attributes that version 4 shows to these, in its order. */
export const userAttributesFor = (shownTo: Attribute['shownTo']): Attributes =>
  Object.fromEntries(
    Object.entries(userAttributes).filter(([, one]) => one.shownTo === shownTo && !('unlisted' in one)),
  );
