-- A mail about a comment names the commit. Comments from before this are in no mail that is still to be sent.
ALTER TABLE "commit_comments" ADD COLUMN "title" TEXT NOT NULL DEFAULT '';
