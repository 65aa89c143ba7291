import * as z from 'zod';
import { isUnreachable, type Sql } from '../database/index.ts';
import { readSettings } from './statements.ts';
import { Unavailable } from '../errors.ts';
import { grantTypes, type GrantType, type Profile } from '../oauth/index.ts';
import { scopes, type Scope, type Visibility } from '../policy/index.ts';
import { tooLong } from '../values/text/lengths.ts';

/**
 * Settings that administrators change at runtime; the other settings come from the environment.
 * The table has one row with the changed settings as JSON; settings with their default aren't stored.
 */
export interface InstanceSettings {
  /** Whether anyone may sign up (only if mail is configured). */
  readonly signUp: boolean;
  /** Whether those who sign up wait for the approval of an administrator. */
  readonly requireAdminApprovalAfterUserSignup: boolean;
  /** Which of the profile's grants are enabled. */
  readonly grants: readonly GrantType[];
  /** Scopes that are preselected when a person registers an application on a page. */
  readonly newApplicationScopes: readonly Scope[];
  readonly newApplicationGrants: readonly GrantType[];
  /** Default grants of an application registered over the API, except those that its kind can't use. */
  readonly impliedGrants: readonly GrantType[];
  /** Whether administrators can give `api` and `sudo` only to applications of the instance itself. */
  readonly guardAdministrators: boolean;
  /** Whether only applications of the instance itself may use the password grant. */
  readonly keepPasswordGrant: boolean;
  /** Default visibility of a new project. */
  readonly projectVisibility: Visibility;
  /** Whether durations of time tracking are shown in hours and minutes, without days, weeks and months. */
  readonly timeTrackingLimitToHours: boolean;
  /** A text on the sign-in page; empty for none. */
  readonly greeting: string;
}

function listOf<const Value extends string>(values: readonly Value[]) {
  return z.array(z.enum(values, "doesn't match configured on the server."));
}

/** The type of each setting, with the messages for invalid values. */
export const settingTypes = {
  signUp: z.boolean(),
  requireAdminApprovalAfterUserSignup: z.boolean(),
  grants: listOf(grantTypes).refine((grants) => grants.length > 0, "can't be blank"),
  newApplicationScopes: listOf(scopes),
  newApplicationGrants: listOf(grantTypes),
  impliedGrants: listOf(grantTypes).refine((grants) => grants.length > 0, "can't be blank"),
  guardAdministrators: z.boolean(),
  keepPasswordGrant: z.boolean(),
  projectVisibility: z.enum(['PRIVATE', 'INTERNAL', 'PUBLIC']),
  timeTrackingLimitToHours: z.boolean(),
  greeting: z.string().trim().max(1_000, tooLong(1_000)),
} satisfies { [Name in keyof InstanceSettings]: z.ZodType<InstanceSettings[Name]> };

export type SettingName = keyof InstanceSettings;
export const settingNames = Object.keys(settingTypes) as SettingName[];

/** The default settings. */
export const defaultSettings = ({
  profile,
  signUp,
}: {
  readonly profile: Profile;
  readonly signUp: boolean;
}): InstanceSettings => ({
  signUp,
  requireAdminApprovalAfterUserSignup: false,
  grants: profile.grants,
  newApplicationScopes: [],
  newApplicationGrants: ['authorization_code', 'refresh_token'],
  impliedGrants: profile.impliedGrants,
  guardAdministrators: false,
  keepPasswordGrant: false,
  projectVisibility: 'PRIVATE',
  timeTrackingLimitToHours: false,
  greeting: '',
});

/** Milliseconds for which a process caches settings, so that it follows a change within a second. */
const freshFor = 500;

/** The settings, cached in this process. */
export class SettingsStore {
  readonly #sql: Sql;
  /** The settings that apply if administrators changed none. */
  readonly defaults: InstanceSettings;
  #current: InstanceSettings;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(sql: Sql, defaults: InstanceSettings) {
    this.#sql = sql;
    this.defaults = defaults;
    this.#current = defaults;
  }

  get current(): InstanceSettings {
    return this.#current;
  }

  /**
   * Reads the settings again if the cache is too old. If the database can't be reached, the cached ones stay.
   * @returns undefined if the caller needn't wait
   */
  refresh(): Promise<void> | undefined {
    if (performance.now() - this.#readAt < freshFor) return undefined;
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  /** Reads the settings after a change, so that following requests see it. */
  async reread(): Promise<void> {
    // Wait for a read in progress: it may have begun before the change.
    await this.#reading;
    this.#readAt = Number.NEGATIVE_INFINITY;
    await this.refresh();
  }

  async #read(): Promise<void> {
    const startedAt = performance.now();
    try {
      const [row] = await this.#sql.rows(readSettings, []);
      this.#current = withDefaults(row?.settings ?? {}, this.defaults);
      this.#readAt = startedAt;
    } catch (error) {
      if (!(error instanceof Unavailable) && !isUnreachable(error)) throw error;
    }
  }
}

/** Adds the defaults to the stored settings. A stored value that this version rejects counts as never set. */
function withDefaults(stored: Record<string, unknown>, defaults: InstanceSettings): InstanceSettings {
  const read = settingNames.map((name) => {
    const { success, data } = settingTypes[name].safeParse(stored[name]);
    return [name, success ? data : defaults[name]] as const;
  });
  return Object.fromEntries(read) as unknown as InstanceSettings;
}

/** The profile, with only the grants that administrators enabled. */
export const narrowed = (profile: Profile, { grants }: InstanceSettings): Profile => ({
  ...profile,
  grants: profile.grants.filter((grant) => grants.includes(grant)),
});
