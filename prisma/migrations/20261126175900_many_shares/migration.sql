-- The roles that shares give, as before, for people who are in many groups and projects that are shared with many: each step
-- reads a table once, for all groups of the step before. PostgreSQL can't estimate how many those are, and would look up each by
-- itself; an array of ids makes it look them up in one pass over the index.

CREATE OR REPLACE FUNCTION groups_by_shares(person INTEGER, at_least INTEGER) RETURNS INTEGER[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(share.group_id)
    FROM group_shares share
   WHERE share.access_level >= at_least
     AND (share.expires_at IS NULL OR share.expires_at > (now() AT TIME ZONE 'utc')::date)
     AND share.invited_group_id = ANY (ARRAY(
       SELECT m.group_id FROM group_members m
        WHERE m.user_id = person AND m.access_level >= at_least
          AND (m.expires_at IS NULL OR m.expires_at > (now() AT TIME ZONE 'utc')::date)))
     AND share.invited_group_id NOT IN (SELECT id FROM namespaces WHERE deleting_since IS NOT NULL)
$$;

CREATE OR REPLACE FUNCTION projects_by_shares(person INTEGER, at_least INTEGER) RETURNS INTEGER[] LANGUAGE sql STABLE AS $$
  WITH mine AS MATERIALIZED (
    SELECT unnest(ARRAY(SELECT m.group_id FROM group_members m
                         WHERE m.user_id = person AND m.access_level >= at_least
                           AND (m.expires_at IS NULL OR m.expires_at > (now() AT TIME ZONE 'utc')::date))
                  || groups_by_shares(person, at_least)) AS id
  ), topmost AS MATERIALIZED (
    -- What is below the others is below these.
    SELECT n.id FROM namespaces n
     WHERE n.id = ANY (ARRAY(SELECT id FROM mine))
       AND NOT EXISTS (SELECT FROM unnest(n.ancestry) above(id) WHERE above.id <> n.id AND above.id IN (SELECT mine.id FROM mine))
  ), invited AS MATERIALIZED (
    SELECT n.id FROM namespaces n WHERE n.ancestry && ARRAY(SELECT id FROM topmost) AND n.deleting_since IS NULL
  ), shared AS MATERIALIZED (
    SELECT DISTINCT share.project_id AS id FROM project_shares share
     WHERE share.access_level >= at_least
       AND (share.expires_at IS NULL OR share.expires_at > (now() AT TIME ZONE 'utc')::date)
       AND share.invited_group_id = ANY (ARRAY(SELECT id FROM invited))
  )
  SELECT array_agg(p.id)
    FROM shared
    JOIN projects p ON p.id = shared.id
    JOIN namespaces place ON place.id = p.namespace_id AND NOT place.share_with_group_lock
$$;

CREATE OR REPLACE FUNCTION role_by_project_shares(person INTEGER, shared INTEGER) RETURNS INTEGER LANGUAGE sql STABLE AS $$
  WITH shares AS MATERIALIZED (
    SELECT share.invited_group_id, share.access_level FROM project_shares share
     WHERE share.project_id = shared
       AND (share.expires_at IS NULL OR share.expires_at > (now() AT TIME ZONE 'utc')::date)
  ), invited AS MATERIALIZED (
    SELECT n.id, n.ancestry FROM namespaces n
     WHERE n.id = ANY (ARRAY(SELECT invited_group_id FROM shares)) AND n.deleting_since IS NULL
  ), above AS MATERIALIZED (
    SELECT shares.access_level, unnest(invited.ancestry) AS id FROM shares JOIN invited ON invited.id = shares.invited_group_id
  ), members AS MATERIALIZED (
    SELECT m.group_id, m.access_level FROM group_members m
     WHERE m.user_id = person AND m.group_id = ANY (ARRAY(SELECT id FROM above))
       AND (m.expires_at IS NULL OR m.expires_at > (now() AT TIME ZONE 'utc')::date)
  ), through AS MATERIALIZED (
    SELECT share.group_id, share.invited_group_id, share.access_level FROM group_shares share
     WHERE share.group_id = ANY (ARRAY(SELECT id FROM above))
       AND (share.expires_at IS NULL OR share.expires_at > (now() AT TIME ZONE 'utc')::date)
       AND share.invited_group_id NOT IN (SELECT id FROM namespaces WHERE deleting_since IS NOT NULL)
  )
  SELECT max(given.role)::integer FROM (
    SELECT least(above.access_level, members.access_level) AS role FROM above JOIN members ON members.group_id = above.id
    UNION ALL
    SELECT least(above.access_level, through.access_level, m.access_level)
      FROM above
      JOIN through ON through.group_id = above.id
      JOIN group_members m ON m.user_id = person AND m.group_id = through.invited_group_id
       AND (m.expires_at IS NULL OR m.expires_at > (now() AT TIME ZONE 'utc')::date)
  ) given
$$;
