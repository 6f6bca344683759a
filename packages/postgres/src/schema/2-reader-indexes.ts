/**
 * The indexes of the second version, for people who read.
 *
 * I1 Lists of threads go by `threads.key` within what they are filtered by.
 * I2 A search passes messages by the time that they were made, the newest first. The texts are in no index, which would keep deleted ones.
 * I3 `hook_runs_times` has, for each few pages of the table, the smallest and the largest time: a thousandth of a usual index, and nothing to
 *    write for most commits. It finds rows that may have a time, however clocks differ.
 */
export const readerIndexes = `
drop index $schema.threads_parent;
create index threads_parent on $schema.threads (parent_id, key);
create index threads_agent on $schema.threads (agent_id collate "C", key);
create index messages_created on $schema.messages (created_at, thread, seq);
create index hook_runs_times on $schema.hook_runs using brin (youngest, oldest) with (pages_per_range = 16, autosummarize = on);
`;
