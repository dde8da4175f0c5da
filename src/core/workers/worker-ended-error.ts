/** Thrown when a serving process ends before all of them serve; its own output precedes this error. */
export class WorkerEndedError extends Error {}
