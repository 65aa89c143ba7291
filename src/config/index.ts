export { ConfigError, readConfig, type Config, type TracingConfig } from './config.ts';
export { settings } from './settings.ts';
export type { LogLevel, Rate } from './values.ts';
