/** The domain shapes of the specification. Types only: nothing here exists at run time. */

/** A message as it is stored. Fields beyond these survive every chain. */
export interface HookMessage {
  id: string;
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
  name?: string | null;
  /** JSON text of an array of {@link HookToolCall}, as stored. */
  tool_calls?: string | null;
  tool_call_id?: string | null;
  /** Microseconds since the epoch. */
  created_at: number;
  parent_id?: string | null;
  /** Nesting depth of the thread: 0 for a top-level thread, 1 for its child threads, and so on. */
  depth?: number;
}

/** A call that the model asked for. */
export interface HookToolCall {
  id: string;
  type: 'function';
  function: {
    name: string;
    /** JSON text, as the model wrote it. */
    arguments: string;
  };
}

/** The result of a tool call. A hook that rewrites it keeps `attachments`, or replaces them on purpose. */
export interface HookToolResult {
  status: 'success' | 'error';
  result?: string;
  error?: string;
  stack?: string;
  attachments?: Array<ToolAttachment | AttachmentRef>;
}

/** A file that a tool returned and that is not stored yet. */
export interface ToolAttachment {
  name: string;
  mimeType: string;
  /** Base64 text, or bytes. */
  data: string | Uint8Array;
}

/** A pointer to a file that is already in the thread's file system. */
export interface AttachmentRef {
  type: 'file';
  path: string;
  name: string;
  mimeType: string;
  /** Bytes. */
  size: number;
}

/** A message in the form that goes to the model. */
export interface LLMMessage {
  role: string;
  content: string | null;
  tool_calls?: unknown;
  tool_call_id?: string;
  name?: string;
}

/** Bytes, base64 text, a `data:` URL, or where the model's provider may fetch the file. */
export type FileSource = Uint8Array | string | URL;

/** A part of a user's message, in the shapes of the AI SDK and of OpenAI's API. */
export type UserPart =
  | { type: 'text'; text: string }
  | { type: 'image'; image: FileSource; mediaType?: string }
  | { type: 'image' | 'file'; data: FileSource; mediaType: string; filename?: string }
  | { type: 'file'; url: string; mediaType: string; filename?: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; file: { file_data: string; filename?: string } };

/** A file of a user's message that is not stored: the model's provider fetches it. */
export interface LinkedFile {
  type: 'url';
  url: string;
  name: string;
  mimeType: string;
}

/** A file of a user's message: a new one, a file that the thread has, or a link. */
export type UserFile = ToolAttachment | AttachmentRef | LinkedFile;
