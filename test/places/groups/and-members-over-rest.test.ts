import { beforeAll } from 'vitest';
import { testsOfAttributes } from './over-rest/attributes.ts';
import { makeFirm } from './over-rest/firm.ts';
import { testsOfFilters, testsOfGroups } from './over-rest/groups.ts';
import { testsOfMembers } from './over-rest/members.ts';
import { testsOfVisibility } from './over-rest/visibility.ts';

/** Groups, namespaces and members over REST: status codes, bodies and error messages of version 4. */

beforeAll(makeFirm);

testsOfGroups();
testsOfMembers();
testsOfVisibility();
testsOfAttributes();
testsOfFilters();
