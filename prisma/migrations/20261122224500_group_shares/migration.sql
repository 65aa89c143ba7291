-- CreateTable
CREATE TABLE "group_shares" (
    "group_id" INTEGER NOT NULL,
    "invited_group_id" INTEGER NOT NULL,
    "access_level" SMALLINT NOT NULL,
    "expires_at" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_shares_pkey" PRIMARY KEY ("group_id","invited_group_id")
);

-- CreateTable
CREATE TABLE "project_shares" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "invited_group_id" INTEGER NOT NULL,
    "access_level" SMALLINT NOT NULL,
    "expires_at" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_shares_pkey" PRIMARY KEY ("project_id","invited_group_id")
);

-- CreateIndex
CREATE INDEX "group_shares_invited_group_id_idx" ON "group_shares"("invited_group_id");

-- CreateIndex
CREATE INDEX "group_shares_expires_at_idx" ON "group_shares"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "project_shares_id_key" ON "project_shares"("id");

-- CreateIndex
CREATE INDEX "project_shares_invited_group_id_idx" ON "project_shares"("invited_group_id");

-- CreateIndex
CREATE INDEX "project_shares_expires_at_idx" ON "project_shares"("expires_at");

-- AddForeignKey
ALTER TABLE "group_shares" ADD CONSTRAINT "group_shares_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_shares" ADD CONSTRAINT "group_shares_invited_group_id_fkey" FOREIGN KEY ("invited_group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_shares" ADD CONSTRAINT "project_shares_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_shares" ADD CONSTRAINT "project_shares_invited_group_id_fkey" FOREIGN KEY ("invited_group_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- PostgreSQL takes a table that was never analyzed for a large one, and would plan every look-up of a role for that.
ANALYZE "group_shares";
ANALYZE "project_shares";

-- The roles that shares give, as functions: a statement plans and prepares nothing for them unless it calls one, and it
-- does so only where there is a share. `effectiveRole` in src/policy is the same rule over plain data.

-- The highest role of a person by shares of one of these groups: the direct members of an invited group have one.
CREATE FUNCTION role_by_group_shares(person INTEGER, shared INTEGER[]) RETURNS INTEGER LANGUAGE sql STABLE AS $$
  SELECT max(least(share.access_level, m.access_level))
    FROM group_shares share
    JOIN namespaces invited ON invited.id = share.invited_group_id AND invited.deleting_since IS NULL
    JOIN group_members m ON m.group_id = share.invited_group_id AND m.user_id = person
   WHERE share.group_id = ANY(shared)
     AND (share.expires_at IS NULL OR share.expires_at > (now() AT TIME ZONE 'utc')::date)
     AND (m.expires_at IS NULL OR m.expires_at > (now() AT TIME ZONE 'utc')::date)
$$;

-- The groups in which a person has at least a role by a share of that group.
CREATE FUNCTION groups_by_shares(person INTEGER, at_least INTEGER) RETURNS INTEGER[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(share.group_id)
    FROM group_members m
    JOIN group_shares share ON share.invited_group_id = m.group_id
    JOIN namespaces invited ON invited.id = share.invited_group_id AND invited.deleting_since IS NULL
   WHERE m.user_id = person AND least(share.access_level, m.access_level) >= at_least
     AND (share.expires_at IS NULL OR share.expires_at > (now() AT TIME ZONE 'utc')::date)
     AND (m.expires_at IS NULL OR m.expires_at > (now() AT TIME ZONE 'utc')::date)
$$;

-- The highest role of a person by shares of a project: everyone with a role in an invited group has one.
CREATE FUNCTION role_by_project_shares(person INTEGER, shared INTEGER) RETURNS INTEGER LANGUAGE sql STABLE AS $$
  SELECT max(least(share.access_level, given.access_level))
    FROM project_shares share
    JOIN namespaces invited ON invited.id = share.invited_group_id AND invited.deleting_since IS NULL
   CROSS JOIN LATERAL (
     SELECT m.access_level::integer FROM group_members m
      WHERE m.user_id = person AND m.group_id = ANY(invited.ancestry)
        AND (m.expires_at IS NULL OR m.expires_at > (now() AT TIME ZONE 'utc')::date)
     UNION ALL SELECT role_by_group_shares(person, invited.ancestry)
   ) given
   WHERE share.project_id = shared AND given.access_level IS NOT NULL
     AND (share.expires_at IS NULL OR share.expires_at > (now() AT TIME ZONE 'utc')::date)
$$;

-- The projects in which a person has at least a role by a share of that project, unless their group locks shares.
CREATE FUNCTION projects_by_shares(person INTEGER, at_least INTEGER) RETURNS INTEGER[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(share.project_id)
    FROM project_shares share
    JOIN namespaces invited ON invited.id = share.invited_group_id AND invited.deleting_since IS NULL
    JOIN projects p ON p.id = share.project_id
    JOIN namespaces place ON place.id = p.namespace_id AND NOT place.share_with_group_lock
   WHERE share.access_level >= at_least
     AND (share.expires_at IS NULL OR share.expires_at > (now() AT TIME ZONE 'utc')::date)
     AND invited.ancestry && (
       SELECT array(SELECT m.group_id FROM group_members m
                     WHERE m.user_id = person AND m.access_level >= at_least
                       AND (m.expires_at IS NULL OR m.expires_at > (now() AT TIME ZONE 'utc')::date))
              || groups_by_shares(person, at_least))
$$;
