// Generated from drizzle/*.sql by `npm run generate`; do not edit.

/** The SQL of every migration, oldest first; a file's `user_version` says how many it has seen. */
export const migrations: readonly string[] = [
  // 0000_tables
  `CREATE TABLE "files" (
	"key" integer PRIMARY KEY NOT NULL,
	"thread" integer NOT NULL,
	"path" text NOT NULL,
	"name" text NOT NULL,
	"mime_type" text NOT NULL,
	"size" integer NOT NULL,
	"data" blob NOT NULL,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX "files_path" ON "files" ("thread","path");
CREATE TABLE "hook_runs" (
	"key" integer PRIMARY KEY NOT NULL,
	"thread" integer NOT NULL,
	"turn_id" text,
	"step" integer NOT NULL,
	"runs" text NOT NULL,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
CREATE INDEX "hook_runs_thread" ON "hook_runs" ("thread");
CREATE TABLE "leases" (
	"fence" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	"thread" integer NOT NULL,
	"owner" text,
	"expires_at" integer NOT NULL,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX "leases_thread" ON "leases" ("thread");
CREATE TABLE "messages" (
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
CREATE UNIQUE INDEX "messages_order" ON "messages" ("thread","seq");
CREATE UNIQUE INDEX "messages_id" ON "messages" ("thread","id");
CREATE TABLE "queue" (
	"key" integer PRIMARY KEY NOT NULL,
	"thread" integer NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"payload" text NOT NULL,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX "queue_id" ON "queue" ("thread","id");
CREATE TABLE "threads" (
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
	"turn_step" integer,
	"turn_position" integer,
	"metadata" text NOT NULL
);
CREATE UNIQUE INDEX "threads_id" ON "threads" ("id");
CREATE INDEX "threads_parent" ON "threads" ("parent_id");
CREATE TABLE "tool_calls" (
	"key" integer PRIMARY KEY NOT NULL,
	"message" integer NOT NULL,
	"position" integer NOT NULL,
	"thread" integer NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	FOREIGN KEY ("message") REFERENCES "messages"("key") ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX "tool_calls_position" ON "tool_calls" ("message","position");
CREATE INDEX "tool_calls_open" ON "tool_calls" ("thread") WHERE status <> 'done';
CREATE TABLE "values" (
	"rowid" integer PRIMARY KEY NOT NULL,
	"thread" integer NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX "values_key" ON "values" ("thread","key");`,
  // 0001_turn_and_compaction
  `ALTER TABLE "threads" ADD "compaction" text;
ALTER TABLE "threads" DROP COLUMN "turn_step";
ALTER TABLE "threads" DROP COLUMN "turn_position";`,
  // 0002_lease_length
  `ALTER TABLE "leases" ADD "ttl_ms" integer;`,
  // 0003_open_calls
  `DROP INDEX "tool_calls_open";
ALTER TABLE "tool_calls" DROP COLUMN "thread";`,
];
