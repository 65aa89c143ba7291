/** The global setup without the build: the sandbox has a copy of the built files, and its sources contain mutants. */
export { startPostgres as default } from './global-setup.ts';
