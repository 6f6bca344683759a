import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversation } from '../src/replay/formats/conversation.ts';

const airlineFile: string = join(import.meta.dirname, '../../../../shared/data/transcripts/airline.jsonl');
export const hasAirline: boolean = existsSync(airlineFile);
if (!hasAirline) console.info(`Skipped: the recorded conversations are not there (${airlineFile}).`);

/** 100 recorded conversations of an airline's support. */
export function airlineConversations(): Conversation[] {
  return readFileSync(airlineFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Conversation);
}
