// Index: turns on Restate. Those who send make a runtime with the engine, those who run serve the same runtime as a worker.

export { type RestateConfigOptions, restateConfig } from './config.ts';
export { type RestateEngineOptions, restateEngine } from './engine.ts';
export { type RegisterOptions, registerWorkers } from './register.ts';
export { type RestateWorker, type RestateWorkerOptions, restateWorker, type TurnAttempt } from './worker.ts';
