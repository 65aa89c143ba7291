import { statement } from '../../../database/index.ts';

/**
 * Changes of a person's addresses. Each runs in a transaction after `lockPerson`: of two concurrent changes the
 * second sees what the first did.
 */

/** $1 user. */
export const lockPerson = statement<object>('lock_person', 'select id from users where id = $1 for update');

/** Unmarks the primary address. $1 user, $2 address id. @returns the former primary address */
export const withdrawPrimary = statement<{ address: string }>(
  'withdraw_primary',
  `update emails set primary_of = null where primary_of = $1 and id <> $2
      and exists (select 1 from emails n where n.id = $2 and n.user_id = $1 and n.verified_at is not null)
   returning address`,
);

/** Makes an address the primary one, if it is verified. $1 user, $2 address id. */
export const makePrimary = statement<object>(
  'make_primary',
  'update emails set primary_of = $1 where id = $2 and user_id = $1 and verified_at is not null returning id',
);

/** Removes any address but the primary one, and stops using it as the public one and for commits. $1 user, $2 address id. */
export const removeAddress = statement<{ address: string }>(
  'remove_address',
  `with gone as (
     delete from emails where id = $2 and user_id = $1 and primary_of is null returning address
   ), hidden as (
     update users u set public_email = case when lower(u.public_email) = gone.address then null else u.public_email end,
            attributes = case when u.attributes->>'commitEmail' = gone.address then u.attributes - 'commitEmail' else u.attributes end
       from gone where u.id = $1 and (lower(u.public_email) = gone.address or u.attributes->>'commitEmail' = gone.address)
   )
   select address from gone`,
);

/**
 * Frees an address that was added more than a day ago and never confirmed, unless an account was made with it. $1
 * address.
 */
export const releaseAddress = statement<object>(
  'release_address',
  `delete from emails where address = $1 and verified_at is null and primary_of is null and created_at < now() - interval '1 day'`,
);

/** The id of a verified address of a person. $1 the person, $2 the address in lower case. */
export const findVerifiedEmail = statement<{ id: number }>(
  'find_verified_email',
  'select id from emails where user_id = $1 and address = $2 and verified_at is not null',
);
