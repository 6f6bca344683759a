import redactPii from 'redact-pii';

const redactor = new redactPii.SyncRedactor();

export const redact = (text) => redactor.redact(text);
