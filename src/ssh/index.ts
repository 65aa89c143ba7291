export { listenSsh, type SshOptions } from './server.ts';
