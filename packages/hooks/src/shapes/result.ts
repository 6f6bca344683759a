import type { ToolAttachment } from '../vocabulary/messages.ts';
import { type OnBytes, toJson } from './json.ts';
import { ShapeProblem } from './problem.ts';
import { type RecordToJson, recordToJson } from './record.ts';

/**
 * The JSON form of a tool's result. The data of its attachments may be bytes; any other bytes become an attachment, and a text in
 * their place says so.
 */
export const resultToJson: RecordToJson = (returned, before) => {
  const files: ToolAttachment[] = [];
  const attach = attaching(files);
  const copy = recordToJson(returned, before, (bytes, path) => (isData(path) ? bytes : attach(bytes, path)));
  if (files.length > 0) copy.attachments = withFiles(copy.attachments, files);
  return copy;
};

function isData([field, , part, ...below]: Parameters<OnBytes>[1]): boolean {
  return field === 'attachments' && part === 'data' && below.length === 0;
}

/** Attachments that are no list are told of where the result is checked. */
function withFiles(attachments: unknown, files: readonly ToolAttachment[]): unknown {
  if (attachments === undefined) return files;
  return Array.isArray(attachments) ? [...attachments, ...files] : attachments;
}

/** Makes attachments of bytes, named after the field they were in. */
function attaching(files: ToolAttachment[]): OnBytes {
  return (data, path) => {
    const name = path.join('.') || 'data';
    files.push({ name, mimeType: 'application/octet-stream', data });
    return `[attachment ${name}, ${data.byteLength} bytes]`;
  };
}

/** What a tool returned as JSON, and the bytes that were in it; or which field of it has no form in JSON. */
export type JsonAnswer =
  | { readonly value: unknown; readonly files: readonly ToolAttachment[]; readonly problem?: undefined }
  | { readonly problem: string };

/**
 * The JSON form of what a tool returned, before anybody else sees it. Bytes are in `files`, a text in their place says
 * so; those in a result's own attachments stay there.
 *
 * @param isResult whether an answer is a result, once it is JSON
 */
export function answerToJson(answer: unknown, isResult: (value: unknown) => boolean): JsonAnswer {
  const files: ToolAttachment[] = [];
  const attach = attaching(files);
  let hasData = false;
  try {
    const value = toJson(answer, {
      onBytes(bytes, path) {
        if (!isData(path)) return attach(bytes, path);
        hasData = true;
        return bytes;
      },
    });
    return { value: hasData && !isResult(value) ? toJson(value, { onBytes: attach }) : value, files };
  } catch (error) {
    if (error instanceof ShapeProblem) return { problem: error.message };
    throw error;
  }
}
