-- The lists of all issues and of all merge requests by the due date of the milestone, and by priority, as their orders have it:
-- schema.prisma can't express that.
CREATE INDEX "milestones_due_idx" ON "milestones"(("due_date" - date '1970-01-01')) WHERE "due_date" IS NOT NULL;
CREATE INDEX "milestones_due_text_idx" ON "milestones"((lpad(("due_date" - date '1970-01-01')::text, 10, '0'))) WHERE "due_date" IS NOT NULL;

-- The first and the last priority of all labels.
CREATE INDEX "label_priorities_priority_idx" ON "label_priorities"("priority");
