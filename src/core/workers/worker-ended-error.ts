/** A serving process has ended before all of them served; what it said before stands above. */
export class WorkerEndedError extends Error {}
