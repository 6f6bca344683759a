import { DefinitionError } from '@spec/hooks';
import { parse } from 'yaml';

/** A text with fields in front of it. */
export interface FrontmatterText {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const FRONTMATTER = /^﻿?---[ \t]*\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/;

/**
 * Reads the YAML between the two lines `---` that open a text.
 *
 * @param place names the text in errors
 * @throws {DefinitionError} `bad_definition`
 */
export function readFrontmatter(text: string, place: string): FrontmatterText {
  const found = FRONTMATTER.exec(text);
  if (found === null) throw bad(place, 'must begin with its fields between two lines "---"');
  const fields = parseFields(found[1] ?? '', place);
  return { fields, body: text.slice(found[0].length).trim() };
}

function parseFields(yaml: string, place: string): Record<string, unknown> {
  let fields: unknown;
  try {
    fields = parse(yaml);
  } catch {
    throw bad(place, 'has fields that are no YAML'); // What the parser says quotes the text.
  }
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
    return fields as Record<string, unknown>;
  throw bad(place, 'has fields that are no map of names to values');
}

function bad(place: string, what: string): DefinitionError {
  return new DefinitionError('bad_definition', `${place} ${what}.`);
}
