import { statement } from '../../../../database/index.ts';
import { peopleNamed } from '../../../planning/issues/statements/readers.ts';

/** The people whom names in a text mean. $1 names in lower case, $2 who writes it, $3 the project. */
export const mentionedPeople = statement<{ id: number }>(
  'mentioned_people',
  `select distinct named.id from (${peopleNamed('$1', '$2::int', '$3::int')}) named order by named.id`,
);
