ALTER TABLE `threads` ADD `compaction` text;--> statement-breakpoint
ALTER TABLE `threads` DROP COLUMN `turn_step`;--> statement-breakpoint
ALTER TABLE `threads` DROP COLUMN `turn_position`;