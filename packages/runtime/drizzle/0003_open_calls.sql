DROP INDEX `tool_calls_open`;--> statement-breakpoint
ALTER TABLE `tool_calls` DROP COLUMN `thread`;