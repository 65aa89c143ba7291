import DataLoader from 'dataloader';
import type { Context } from '../../../context.ts';
import { effectiveLevels, type EffectiveLevelRow } from './statements.ts';
import { defaultLevel, type Level, type Scope } from '../../../values/kinds/notification-levels.ts';
import type { Facts } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';

export const SourceType = builder.enumType('NotificationLevelSource', {
  description: 'Where the effective level comes from.',
  values: {
    PROJECT: { description: 'The project’s own setting.' },
    GROUP: { description: 'The setting of the nearest group with a level of its own.' },
    GLOBAL: {
      description: 'The person’s global level. If that is `GLOBAL`, nothing is sent but what they subscribed to.',
    },
    DEFAULT: { description: 'The default level: none was chosen, or `GLOBAL` in groups and projects only.' },
  } as const,
});

export interface EffectiveLevel {
  readonly level: Level;
  readonly source: 'PROJECT' | 'GROUP' | 'GLOBAL' | 'DEFAULT';
  /** The group that it comes from, with the facts that decide whether the viewer may see it. */
  readonly group: { readonly id: number; readonly facts: Facts } | null;
}

interface Key {
  readonly person: { readonly id: number };
  readonly scope: Scope;
  readonly id: number | null;
  /** Whether to leave out the setting's own level. */
  readonly above?: boolean;
}

type Loader = DataLoader<Key, EffectiveLevel, string>;

/** One loader for each request and person: any number of settings costs one statement. */
const loaders = new WeakMap<Context, Map<number, Loader>>();

/** The effective level of a setting of a person; `above`: what would be effective without a level of its own. */
export function effectiveLevel(context: Context, key: Key): Promise<EffectiveLevel> {
  const ofRequest = loaders.get(context) ?? new Map<number, Loader>();
  loaders.set(context, ofRequest);
  let loader = ofRequest.get(key.person.id);
  if (!loader) {
    loader = new DataLoader((keys) => load(context, key.person.id, keys), {
      cacheKeyFn: ({ scope, id, above }) => `${scope} ${id} ${above}`,
      // No cache: a later mutation of the same document must not see the answer of an earlier one.
      cache: false,
    });
    ofRequest.set(key.person.id, loader);
  }
  return loader.load(key);
}

async function load(context: Context, personId: number, keys: readonly Key[]): Promise<EffectiveLevel[]> {
  const rows = await context.database.rows(effectiveLevels, [
    personId,
    keys.map(({ scope }) => scope),
    keys.map(({ id }) => id),
    keys.map(({ above = false }) => above),
  ]);
  return rows.map(toEffective);
}

export function toEffective(row: EffectiveLevelRow): EffectiveLevel {
  if (row.applies === null || row.source === null)
    return { level: defaultLevel.GLOBAL, source: 'DEFAULT', group: null };
  return {
    level: row.applies,
    source: row.source,
    group:
      row.group_id === null
        ? null
        : {
            id: row.group_id,
            facts: { visibility: row.group_visibility!, accessLevel: row.group_access_level ?? 0 },
          },
  };
}
