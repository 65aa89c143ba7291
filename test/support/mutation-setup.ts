/** As for every run, but for the build: what it made was copied along, and the sources here are full of mutants. */
export { startPostgres as default } from './global-setup.ts';
