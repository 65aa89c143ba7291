export { authenticate, type Presented } from './authenticate.ts';
export { digest, hashPassword, randomPassword, randomSecret } from './crypto.ts';
export { loadInstanceKeys, type InstanceKeys } from './instance-keys.ts';
export { chosenToken, newToken, type NewToken } from './tokens.ts';
