import * as z from 'zod';
import { isUnreachable, type Sql } from '../database/index.ts';
import { readSettings } from './statements.ts';
import { Unavailable } from '../errors.ts';
import { grantTypes, type GrantType, type Profile } from '../oauth/index.ts';
import { scopes, type Scope, type Visibility } from '../policy/index.ts';

/**
 * What administrators change while the instance runs. The environment says what
 * an instance is; this is how it is run. Kept as JSON in the one row of the
 * table, only what was ever changed.
 */
export interface InstanceSettings {
  /** Whether strangers may make accounts, where mail is sent to confirm their addresses. */
  readonly signUp: boolean;
  /** Which of the profile's grants there are. */
  readonly grants: readonly GrantType[];
  /** What is ticked already where a person registers an application on a page. */
  readonly newApplicationScopes: readonly Scope[];
  readonly newApplicationGrants: readonly GrantType[];
  /** What an application gets that is registered over the API without naming any, as far as its kind can use them. */
  readonly impliedGrants: readonly GrantType[];
  /** Whether administrators can give `api` and `sudo` only to applications of the instance itself. */
  readonly guardAdministrators: boolean;
  /** Whether only applications of the instance itself may use the password grant. */
  readonly keepPasswordGrant: boolean;
  /** Of a project that nobody said a visibility for. */
  readonly projectVisibility: Visibility;
  /** Shown where people sign in; empty for nothing. */
  readonly greeting: string;
}

function listOf<const Value extends string>(values: readonly Value[]) {
  return z.array(z.enum(values, "doesn't match configured on the server."));
}

/** What each setting may be, and what is said of anything else. */
export const settingTypes = {
  signUp: z.boolean(),
  grants: listOf(grantTypes).refine((grants) => grants.length > 0, "can't be blank"),
  newApplicationScopes: listOf(scopes),
  newApplicationGrants: listOf(grantTypes),
  impliedGrants: listOf(grantTypes).refine((grants) => grants.length > 0, "can't be blank"),
  guardAdministrators: z.boolean(),
  keepPasswordGrant: z.boolean(),
  projectVisibility: z.enum(['PRIVATE', 'INTERNAL', 'PUBLIC']),
  greeting: z.string().trim().max(1_000, 'is too long (maximum is 1000 characters)'),
} satisfies { [Name in keyof InstanceSettings]: z.ZodType<InstanceSettings[Name]> };

export type SettingName = keyof InstanceSettings;
export const settingNames = Object.keys(settingTypes) as SettingName[];

/** What holds where nobody changed anything. */
export const defaultSettings = ({
  profile,
  signUp,
}: {
  readonly profile: Profile;
  readonly signUp: boolean;
}): InstanceSettings => ({
  signUp,
  grants: profile.grants,
  newApplicationScopes: [],
  newApplicationGrants: ['authorization_code', 'refresh_token'],
  impliedGrants: profile.impliedGrants,
  guardAdministrators: false,
  keepPasswordGrant: false,
  projectVisibility: 'PRIVATE',
  greeting: '',
});

/** Milliseconds for which what was read holds: a change is everywhere within a second. */
const freshFor = 500;

/** The settings as this process knows them. */
export class SettingsStore {
  readonly #sql: Sql;
  /** What holds where nobody changed anything. */
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
   * Reads them anew unless that was just done. Where the database can't be reached, what was known holds.
   * @returns undefined where there is nothing to wait for
   */
  refresh(): Promise<void> | undefined {
    if (performance.now() - this.#readAt < freshFor) return undefined;
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  /** Whatever comes next sees what was just written. */
  async reread(): Promise<void> {
    // One that is under way may have begun before the change.
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

/** What was stored by another version and doesn't fit any more counts as never set. */
function withDefaults(stored: Record<string, unknown>, defaults: InstanceSettings): InstanceSettings {
  const read = settingNames.map((name) => {
    const { success, data } = settingTypes[name].safeParse(stored[name]);
    return [name, success ? data : defaults[name]] as const;
  });
  return Object.fromEntries(read) as unknown as InstanceSettings;
}

/** The profile, with those of its grants that administrators let there be. */
export const narrowed = (profile: Profile, { grants }: InstanceSettings): Profile => ({
  ...profile,
  grants: profile.grants.filter((grant) => grants.includes(grant)),
});
