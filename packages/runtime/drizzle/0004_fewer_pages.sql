CREATE TABLE `open_turns` (
	`thread` integer PRIMARY KEY NOT NULL,
	`turn_id` text NOT NULL,
	`form` integer,
	FOREIGN KEY (`thread`) REFERENCES `threads`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `open_turns` SELECT `key`, `turn_id`, NULL FROM `threads` WHERE `turn_id` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `threads` DROP COLUMN `turn_id`;--> statement-breakpoint
CREATE TABLE `__new_messages` (
	`key` integer PRIMARY KEY NOT NULL,
	`thread` integer NOT NULL,
	`calls` text,
	`id` text NOT NULL,
	`role` text NOT NULL,
	`flags` integer NOT NULL,
	`created_at` integer NOT NULL,
	`depth` integer,
	`parent_id` text,
	`name` text,
	`tool_call_id` text,
	`content` text,
	`tool_calls` text,
	`metadata` text,
	`extra` text,
	FOREIGN KEY (`thread`) REFERENCES `threads`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
-- A text that is no valid Unicode stands in a blob as its JSON text.
INSERT INTO `__new_messages` SELECT `key`, `thread`, (
	SELECT json_group_array(json(`call`)) FROM (
		SELECT json_array(`position`,
			CASE typeof(`id`) WHEN 'blob' THEN json(CAST(`id` AS text)) ELSE `id` END,
			CASE typeof(`name`) WHEN 'blob' THEN json(CAST(`name` AS text)) ELSE `name` END,
			CASE `status` WHEN 'pending' THEN 0 WHEN 'started' THEN 1 WHEN 'done' THEN 2 ELSE -1 END) AS `call`
		FROM `tool_calls` WHERE `message` = `messages`.`key` ORDER BY `position`
	) HAVING count(*) > 0
), `id`, `role`, `flags`, `created_at`, `depth`, `parent_id`, `name`, `tool_call_id`, `content`, `tool_calls`, `metadata`, `extra` FROM `messages` ORDER BY `key`;--> statement-breakpoint
DROP TABLE `tool_calls`;--> statement-breakpoint
DROP TABLE `messages`;--> statement-breakpoint
ALTER TABLE `__new_messages` RENAME TO `messages`;--> statement-breakpoint
CREATE INDEX `messages_order` ON `messages` (`thread`);--> statement-breakpoint
CREATE UNIQUE INDEX `messages_id` ON `messages` (`id`,`thread`);--> statement-breakpoint
CREATE TABLE `__new_hook_runs` (
	`key` integer PRIMARY KEY NOT NULL,
	`thread` integer NOT NULL,
	`stored_at` integer NOT NULL,
	`longest` integer NOT NULL,
	`turn_id` text,
	`step` integer NOT NULL,
	`alone` integer NOT NULL,
	`runs` text NOT NULL
);
--> statement-breakpoint
-- When they were committed nobody knows: the time of the youngest run so far stands for it. Rows of version 2 tell times by their difference
-- from the first run's.
INSERT INTO `__new_hook_runs` SELECT `key`, `thread`, `time`, max(`time` - `first`) OVER (ORDER BY `key`), `turn_id`, `step`, 1, `runs` FROM (
	SELECT *, max(`last`) OVER (ORDER BY `key`) AS `time` FROM (
		SELECT *, CASE
			WHEN NOT json_valid(`runs`) THEN 0
			WHEN json_type(`runs`, '$[0]') = 'array' THEN (SELECT coalesce(max(CAST(json_extract(`value`, '$[8]') AS integer)), 0) FROM json_each(`runs`))
			ELSE coalesce(CAST(json_extract(`runs`, '$[1][8]') AS integer), 0)
				+ (SELECT max(0, coalesce(max(CAST(json_extract(`value`, '$[8]') AS integer)), 0)) FROM json_each(`runs`) WHERE `json_each`.`key` > 1)
			END AS `last`, CASE
			WHEN NOT json_valid(`runs`) THEN 0
			WHEN json_type(`runs`, '$[0]') = 'array' THEN (SELECT coalesce(min(CAST(json_extract(`value`, '$[8]') AS integer)), 0) FROM json_each(`runs`))
			ELSE coalesce(CAST(json_extract(`runs`, '$[1][8]') AS integer), 0)
				+ (SELECT min(0, coalesce(min(CAST(json_extract(`value`, '$[8]') AS integer)), 0)) FROM json_each(`runs`) WHERE `json_each`.`key` > 1)
			END AS `first` FROM `hook_runs`
	)
) ORDER BY `key`;--> statement-breakpoint
DROP TABLE `hook_runs`;--> statement-breakpoint
ALTER TABLE `__new_hook_runs` RENAME TO `hook_runs`;--> statement-breakpoint
CREATE INDEX `hook_runs_alone` ON `hook_runs` (`thread`) WHERE alone = 1;
