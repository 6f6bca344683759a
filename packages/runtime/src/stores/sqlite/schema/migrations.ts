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
  // 0004_fewer_pages
  `CREATE TABLE "open_turns" (
	"thread" integer PRIMARY KEY NOT NULL,
	"turn_id" text NOT NULL,
	"form" integer,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
INSERT INTO "open_turns" SELECT "key", "turn_id", NULL FROM "threads" WHERE "turn_id" IS NOT NULL;
ALTER TABLE "threads" DROP COLUMN "turn_id";
CREATE TABLE "__new_messages" (
	"key" integer PRIMARY KEY NOT NULL,
	"thread" integer NOT NULL,
	"calls" text,
	"id" text NOT NULL,
	"role" text NOT NULL,
	"flags" integer NOT NULL,
	"created_at" integer NOT NULL,
	"depth" integer,
	"parent_id" text,
	"name" text,
	"tool_call_id" text,
	"content" text,
	"tool_calls" text,
	"metadata" text,
	"extra" text,
	FOREIGN KEY ("thread") REFERENCES "threads"("key") ON UPDATE no action ON DELETE cascade
);
-- A text that is no valid Unicode stands in a blob as its JSON text.
INSERT INTO "__new_messages" SELECT "key", "thread", (
	SELECT json_group_array(json("call")) FROM (
		SELECT json_array("position",
			CASE typeof("id") WHEN 'blob' THEN json(CAST("id" AS text)) ELSE "id" END,
			CASE typeof("name") WHEN 'blob' THEN json(CAST("name" AS text)) ELSE "name" END,
			CASE "status" WHEN 'pending' THEN 0 WHEN 'started' THEN 1 WHEN 'done' THEN 2 ELSE -1 END) AS "call"
		FROM "tool_calls" WHERE "message" = "messages"."key" ORDER BY "position"
	) HAVING count(*) > 0
), "id", "role", "flags", "created_at", "depth", "parent_id", "name", "tool_call_id", "content", "tool_calls", "metadata", "extra" FROM "messages" ORDER BY "key";
DROP TABLE "tool_calls";
DROP TABLE "messages";
ALTER TABLE "__new_messages" RENAME TO "messages";
CREATE INDEX "messages_order" ON "messages" ("thread");
CREATE UNIQUE INDEX "messages_id" ON "messages" ("id","thread");
CREATE TABLE "__new_hook_runs" (
	"key" integer PRIMARY KEY NOT NULL,
	"thread" integer NOT NULL,
	"stored_at" integer NOT NULL,
	"longest" integer NOT NULL,
	"turn_id" text,
	"step" integer NOT NULL,
	"alone" integer NOT NULL,
	"runs" text NOT NULL
);
-- When they were committed nobody knows: the time of the youngest run so far stands for it. Rows of version 2 tell times by their difference
-- from the first run's.
INSERT INTO "__new_hook_runs" SELECT "key", "thread", "time", max("time" - "first") OVER (ORDER BY "key"), "turn_id", "step", 1, "runs" FROM (
	SELECT *, max("last") OVER (ORDER BY "key") AS "time" FROM (
		SELECT *, CASE
			WHEN NOT json_valid("runs") THEN 0
			WHEN json_type("runs", '$[0]') = 'array' THEN (SELECT coalesce(max(CAST(json_extract("value", '$[8]') AS integer)), 0) FROM json_each("runs"))
			ELSE coalesce(CAST(json_extract("runs", '$[1][8]') AS integer), 0)
				+ (SELECT max(0, coalesce(max(CAST(json_extract("value", '$[8]') AS integer)), 0)) FROM json_each("runs") WHERE "json_each"."key" > 1)
			END AS "last", CASE
			WHEN NOT json_valid("runs") THEN 0
			WHEN json_type("runs", '$[0]') = 'array' THEN (SELECT coalesce(min(CAST(json_extract("value", '$[8]') AS integer)), 0) FROM json_each("runs"))
			ELSE coalesce(CAST(json_extract("runs", '$[1][8]') AS integer), 0)
				+ (SELECT min(0, coalesce(min(CAST(json_extract("value", '$[8]') AS integer)), 0)) FROM json_each("runs") WHERE "json_each"."key" > 1)
			END AS "first" FROM "hook_runs"
	)
) ORDER BY "key";
DROP TABLE "hook_runs";
ALTER TABLE "__new_hook_runs" RENAME TO "hook_runs";
CREATE INDEX "hook_runs_alone" ON "hook_runs" ("thread") WHERE alone = 1;`,
];
