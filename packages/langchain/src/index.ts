// LangChain: runs hooks inside agents of LangChain and LangGraph, as a middleware. Applications give it to createAgent; it calls no model itself.

export { honours } from './honours.ts';
export type { HooksState, LangChainHook, LangChainOptions } from './middleware.ts';
export { hooksMiddleware } from './middleware.ts';
