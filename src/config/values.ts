import { isIP } from 'node:net';
import * as z from 'zod';

/** What a setting is, and the kinds of values that several settings have. */

/** The samplers, by their names in OpenTelemetry. */
export const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type TraceSampler = (typeof traceSamplers)[number];

/** A rate limit: at most `most` in `seconds`. */
export interface Rate {
  readonly most: number;
  readonly seconds: number;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Setting<T> {
  /** What the setting means, for the table of settings in the documentation. */
  readonly meaning: string;
  /** The default, in words. */
  readonly otherwise: string;
  /** The valid values; completes "…: it must be". */
  readonly remedy: string;
  readonly type: z.ZodType<T, string>;
}

export const setting = <T>(
  meaning: string,
  otherwise: string,
  remedy: string,
  type: z.ZodType<T, string>,
): Setting<T> => ({
  meaning,
  otherwise,
  remedy,
  type,
});

export const text = z.string();
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .refine((value) => value >= least && value <= most);
export const share = z
  .string()
  .regex(/^(0(\.\d+)?|1(\.0+)?)$/)
  .transform(Number);
const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
export const rate = z
  .string()
  .regex(/^(off|\d{1,9}\/\d{1,5})$/)
  .transform((value): Rate | undefined => {
    const [most = 0, seconds = 0] = value.split('/').map(Number);
    return value === 'off' ? undefined : { most, seconds };
  })
  .refine((value) => value === undefined || (value.most > 0 && value.seconds > 0 && value.seconds <= 86_400));

/** A setting that is a whole number in bounds. */
export const count = (meaning: string, otherwise: string, least: number, most: number) =>
  setting(meaning, otherwise, `a whole number from ${least} to ${most}`, wholeNumber(least, most));
/** A setting that is on or off. */
export const aSwitch = (meaning: string, otherwise: string) => setting(meaning, otherwise, '`on` or `off`', onOff);

export const list = text.transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

export const aRate = (example: string) =>
  `a number of requests and of seconds up to 86400, like ${example}, or \`off\``;

/** Groups of addresses that proxy-addr has names for. */
export const addressGroups = ['loopback', 'linklocal', 'uniquelocal'];
export const isAddressRange = (value: string): boolean => {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return addressGroups.includes(value);
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
};

export const isUrl = (value: string, ...protocols: string[]): boolean => {
  try {
    return protocols.includes(new URL(value).protocol);
  } catch {
    return false;
  }
};

export const isSshAddress = (value: string): boolean =>
  /^ssh:\/\/(?:git@)?[^@/?#]+\/?$/.test(value) && isUrl(value, 'ssh:') && new URL(value).hostname !== '';

export function isBareOrigin(value: string): boolean {
  if (!isUrl(value, 'http:', 'https:')) return false;
  const url = new URL(value);
  return (
    url.pathname === '/' &&
    !url.search &&
    !url.hash &&
    !url.username &&
    !url.password &&
    !value.endsWith('#') &&
    !value.endsWith('?')
  );
}
