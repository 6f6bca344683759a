import {
  AbstractChat,
  type ChatInit,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  type UIMessage,
} from 'ai';

/** What `useChat` keeps between renderings. */
class PlainChatState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready';
  error: Error | undefined;
  messages: UIMessage[] = [];
  pushMessage = (message: UIMessage): void => {
    this.messages.push(message);
  };
  popMessage = (): void => {
    this.messages.pop();
  };
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages[index] = message;
  };
  snapshot = <T>(value: T): T => structuredClone(value);
}

class BrowserChat extends AbstractChat<UIMessage> {}

/** The AI SDK's own chat, as `useChat` drives it, over its own transport. */
export function browserChat(
  url: string,
  init: Omit<ChatInit<UIMessage>, 'transport'> = {},
): AbstractChat<UIMessage> {
  return new BrowserChat({
    ...init,
    state: new PlainChatState(),
    transport: new DefaultChatTransport({ api: url }),
  });
}
