-- Requests that processes have told each other of, for limits. Unlogged: what is
-- lost in a crash is counted anew, and a count costs no write-ahead log.

-- CreateTable
CREATE UNLOGGED TABLE "request_counters" (
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_counters_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "request_counters_ends_at_idx" ON "request_counters"("ends_at");
