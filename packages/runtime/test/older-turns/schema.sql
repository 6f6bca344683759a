PRAGMA user_version = 4;
PRAGMA application_id = 1936745827;
CREATE TABLE IF NOT EXISTS "files" (
	"key" integer PRIMARY KEY NOT NULL,
	"thread" integer NOT NULL,
	"path" text NOT NULL,
	"name" text NOT NULL,
	"mime_type" text NOT NULL,
	"size" integer NOT NULL,
	"data" blob NOT NULL,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
CREATE TABLE IF NOT EXISTS "hook_runs" (
	"key" integer PRIMARY KEY NOT NULL,
	"thread" integer NOT NULL,
	"turn_id" text,
	"step" integer NOT NULL,
	"runs" text NOT NULL,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
CREATE TABLE IF NOT EXISTS "leases" (
	"fence" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	"thread" integer NOT NULL,
	"owner" text,
	"expires_at" integer NOT NULL, "ttl_ms" integer,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
CREATE TABLE IF NOT EXISTS "messages" (
	"key" integer PRIMARY KEY NOT NULL,
	"thread" integer NOT NULL,
	"seq" integer NOT NULL,
	"id" text NOT NULL,
	"role" text NOT NULL,
	"content" text,
	"name" text,
	"tool_calls" text,
	"tool_call_id" text,
	"created_at" integer NOT NULL,
	"parent_id" text,
	"depth" integer,
	"metadata" text,
	"extra" text,
	"flags" integer NOT NULL,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
CREATE TABLE IF NOT EXISTS "queue" (
	"key" integer PRIMARY KEY NOT NULL,
	"thread" integer NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"payload" text NOT NULL,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
CREATE TABLE IF NOT EXISTS "threads" (
	"key" integer PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"agent_id" text NOT NULL,
	"user_id" text,
	"parent_id" text,
	"depth" integer NOT NULL,
	"created_at" integer NOT NULL,
	"current_side" text NOT NULL,
	"terminated" text,
	"turn_id" text,
	"metadata" text NOT NULL
, "compaction" text);
CREATE TABLE IF NOT EXISTS "tool_calls" (
	"key" integer PRIMARY KEY NOT NULL,
	"message" integer NOT NULL,
	"position" integer NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	FOREIGN KEY ("message") REFERENCES "messages"("key") ON UPDATE no action ON DELETE cascade
);
CREATE TABLE IF NOT EXISTS "values" (
	"rowid" integer PRIMARY KEY NOT NULL,
	"thread" integer NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX "files_path" ON "files" ("thread","path");
CREATE INDEX "hook_runs_thread" ON "hook_runs" ("thread");
CREATE UNIQUE INDEX "leases_thread" ON "leases" ("thread");
CREATE UNIQUE INDEX "messages_order" ON "messages" ("thread","seq");
CREATE UNIQUE INDEX "messages_id" ON "messages" ("thread","id");
CREATE UNIQUE INDEX "queue_id" ON "queue" ("thread","id");
CREATE UNIQUE INDEX "threads_id" ON "threads" ("id");
CREATE INDEX "threads_parent" ON "threads" ("parent_id");
CREATE UNIQUE INDEX "tool_calls_position" ON "tool_calls" ("message","position");
CREATE UNIQUE INDEX "values_key" ON "values" ("thread","key");
