import { readNamespaces, readProjects } from '../../database/statements/records.ts';
import { batchedRecords } from '../batched.ts';

/** A group or a person's own place by its id. Whether the viewer may see it, whoever asks has found out. */
export const namespaceById = batchedRecords(readNamespaces);

/** A project by its id, likewise. */
export const projectById = batchedRecords(readProjects);
