-- A person has one pending to-do of each kind for an issue, and one for each comment: schema.prisma can't express it.
CREATE UNIQUE INDEX "todos_pending_key" ON "todos"("user_id", "issue_id", "action", (coalesce("note_id", 0))) WHERE "state" = 'PENDING';

-- What happened to people: who joined a project, and who left.
CREATE INDEX "events_of_people_idx" ON "events"("subject_id", "id") WHERE "subject_kind" = 'User';
