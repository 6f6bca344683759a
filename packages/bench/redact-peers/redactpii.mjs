import { Redactor } from '@redactpii/node';

const redactor = new Redactor();

export const redact = (text) => redactor.redact(text);
